import { whileReplaced } from './while-replaced.js';

describe('a replaced member', () => {
  it.each<[string, { storage: string }]>([
    ['a value', { storage: 'own' }],
    [
      'a getter without a setter',
      {
        get storage() {
          return 'own';
        },
      },
    ],
  ])('that was %s is restored after the work, also when the work fails', (_kind, target) => {
    const before = Object.getOwnPropertyDescriptor(target, 'storage');
    expect(whileReplaced(target, 'storage', 'other', () => target.storage)).toBe('other');
    const fail = () => {
      throw new Error(target.storage);
    };
    expect(() => whileReplaced(target, 'storage', 'other', fail)).toThrow('other');
    expect(target.storage).toBe('own');
    expect(Object.getOwnPropertyDescriptor(target, 'storage')).toEqual(before);
  });

  it('must exist before it is replaced', () => {
    expect(() => whileReplaced({}, 'storage', 'other', () => null)).toThrow('there is no member storage');
  });
});
