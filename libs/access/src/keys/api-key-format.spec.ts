import fc from 'fast-check';
import { generateApiKey, hintOf, isApiKey } from './api-key-format.js';
import type { ProjectMode } from '../projects/project-identity.js';

const mode = fc.constantFrom<ProjectMode>('test', 'live');
const random = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => Buffer.from(bytes));
const CHARACTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

describe('an API key', () => {
  it('carries the mode of its project and is always 58 characters long', () => {
    fc.assert(
      fc.property(mode, random, (of, bytes) => {
        const key = generateApiKey(of, bytes);
        expect(key.startsWith(`svc_${of}_`)).toBe(true);
        expect(key).toHaveLength(58);
        expect(isApiKey(key)).toBe(true);
      }),
    );
    expect(isApiKey(generateApiKey('live', Buffer.alloc(32, 0)))).toBe(true);
    expect(isApiKey(generateApiKey('live', Buffer.alloc(32, 255)))).toBe(true);
  });

  it('keeps all 256 random bits', () => {
    fc.assert(
      fc.property(random, random, (a, b) => {
        expect(generateApiKey('test', a) === generateApiKey('test', b)).toBe(a.equals(b));
      }),
    );
    const flipped = Buffer.alloc(32, 0);
    flipped[31] = 1;
    expect(generateApiKey('test', flipped)).not.toBe(generateApiKey('test', Buffer.alloc(32, 0)));
  });

  it('is random each time', () => {
    expect(new Set(Array.from({ length: 100 }, () => generateApiKey('live'))).size).toBe(100);
  });

  it('is recognized as wrong with any one character mistyped', () => {
    const at = fc.nat({ max: 57 });
    fc.assert(
      fc.property(mode, random, at, fc.constantFrom(...CHARACTERS), (of, bytes, index, typed) => {
        const key = generateApiKey(of, bytes);
        const mistyped = key.slice(0, index) + typed + key.slice(index + 1);
        expect(isApiKey(mistyped)).toBe(mistyped === key);
      }),
    );
  });

  it('is recognized as wrong with two neighbouring characters swapped', () => {
    fc.assert(
      fc.property(random, fc.integer({ min: 9, max: 56 }), (bytes, index) => {
        const key = generateApiKey('live', bytes);
        const swapped = key.slice(0, index) + key.charAt(index + 1) + key.charAt(index) + key.slice(index + 2);
        expect(isApiKey(swapped)).toBe(swapped === key);
      }),
    );
  });

  it('is never accepted as a key of the other mode', () => {
    const key = generateApiKey('test');
    expect(isApiKey(key.replace('svc_test_', 'svc_live_'))).toBe(false);
  });

  it('is not recognized in any other text, not even in a key with a character more or less', () => {
    fc.assert(fc.property(fc.string(), (text) => expect(isApiKey(text)).toBe(false)));
    const key = generateApiKey('live');
    for (const text of [` ${key}`, `${key}\n`, key.slice(0, -1), `${key}0`, `${key}, ${key}`]) {
      expect(isApiKey(text)).toBe(false);
    }
  });

  it('has a hint of its prefix and last four characters', () => {
    const key = generateApiKey('live');
    expect(hintOf(key)).toBe(`svc_live_…${key.slice(-4)}`);
  });
});
