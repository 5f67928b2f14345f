import { z } from 'zod';
import { fieldOf } from './entry-fields.js';
import { optionalText } from './response-fields.js';

describe('a field of an object in an entry', () => {
  const read = (entry: unknown) => fieldOf('network.hash', optionalText).parse(entry);

  it('is read by its path', () => {
    expect(read({ network: { hash: 'ab' } })).toBe('ab');
    expect(fieldOf('a.b.c', z.string()).parse({ a: { b: { c: 'x' } } })).toBe('x');
  });

  it.each([{}, { network: null }, { network: {} }])('is absent in %j', (entry) => {
    expect(read(entry)).toBeNull();
    expect(fieldOf('network.hash', z.string()).safeParse(entry).success).toBe(false);
  });

  it.each([{ network: 'text' }, { network: { hash: 1 } }])('is unreadable in %j', (entry) => {
    expect(fieldOf('network.hash', optionalText).safeParse(entry).success).toBe(false);
  });
});
