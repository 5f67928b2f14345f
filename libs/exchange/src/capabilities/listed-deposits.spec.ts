import { addressForm } from './listed-deposits.js';

describe('the tag of a deposit address', () => {
  const form = addressForm({ address: 'address', tag: 'tag' });
  const tagOf = (tag: unknown): string | null => form.parse({ address: 'a', tag }).tag;

  it('is a text, also where the exchange sends a number', () => {
    expect([tagOf('0012'), tagOf(101_286_922), tagOf(0), tagOf(''), tagOf(null), tagOf(undefined)]).toEqual([
      ...['0012', '101286922', '0', null, null, null],
    ]);
  });

  it.each([[1.5], [2 ** 53], [true], [{}]])('is unreadable when it is %j', (tag) => {
    expect(() => tagOf(tag)).toThrow();
  });
});
