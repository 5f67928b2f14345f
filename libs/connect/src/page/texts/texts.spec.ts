import { textsFor } from './texts.js';

const languageFor = (header?: string): string =>
  textsFor({ headers: header === undefined ? {} : { 'accept-language': header } }).language;

describe('the language of the page', () => {
  it.each([
    ['de-AT,de;q=0.9,en;q=0.8', 'de'],
    ['en-GB,en;q=0.9,de;q=0.5', 'en'],
    ['fr-FR,fr;q=0.9', 'en'],
    ['fr,de;q=0.4', 'de'],
    ['*', 'en'],
  ])('for a browser that accepts %s is %s', (header, language) => {
    expect(languageFor(header)).toBe(language);
  });

  it('is English for a browser that names no language', () => {
    expect(languageFor()).toBe('en');
  });
});
