import { isFromOurPage } from './same-origin.guard.js';

describe('a submitted form', () => {
  const isOurs = (headers: Record<string, string>): boolean => isFromOurPage(headers, 'https://connect.example');

  it.each([
    [{ 'sec-fetch-site': 'same-origin' }],
    [{ 'sec-fetch-site': 'same-origin', origin: 'null' }],
    [{ origin: 'https://connect.example' }],
  ])('counts as sent from our own page with the headers %j', (headers) => {
    expect(isOurs(headers)).toBe(true);
  });

  it.each([
    [{}],
    [{ 'sec-fetch-site': 'cross-site' }],
    [{ 'sec-fetch-site': 'same-site', origin: 'https://connect.example' }],
    [{ 'sec-fetch-site': 'none' }],
    [{ origin: 'null' }],
    [{ origin: 'https://connect.example.evil' }],
    [{ origin: 'http://connect.example' }],
  ])('counts as sent from another site with the headers %j', (headers) => {
    expect(isOurs(headers)).toBe(false);
  });
});
