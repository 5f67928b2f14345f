import fc from 'fast-check';
import { toStorableIdentity } from './storable-identity.js';

const known = { fullName: 'Ada Lovelace', email: 'ada@example.org', iban: 'DE89370400440532013000', country: 'DE' };

describe('what is kept of an identity', () => {
  it('is what the exchange says', () => {
    expect(toStorableIdentity(known)).toEqual(known);
    expect(toStorableIdentity({ fullName: null, email: null, iban: null, country: null })).toEqual({
      fullName: null,
      email: null,
      iban: null,
      country: null,
    });
  });

  it('is text that can be shown: no controls, no halves of characters, nothing that turns the text around', () => {
    const fullName = '  Ada\u0000\n\u001b[31m \u202eLove\u2066lace\ud800\t';
    expect(toStorableIdentity({ ...known, fullName }).fullName).toBe('Ada [31m Love lace');
    // What joins or parts letters belongs to names of some scripts.
    expect(toStorableIdentity({ ...known, fullName: 'علی\u200cرضا' }).fullName).toBe('علی\u200cرضا');
  });

  it('is nothing where there is nothing to see', () => {
    expect(toStorableIdentity({ fullName: ' \n', email: '', iban: '\u0000', country: ' ' })).toEqual({
      fullName: null,
      email: null,
      iban: null,
      country: null,
    });
  });

  it('is cut where a part is of use, and left out where it would be wrong', () => {
    const long = 'x'.repeat(1_000);
    expect(
      toStorableIdentity({ fullName: long, email: `${long}@example.org`, iban: `DE89${long}`, country: long }),
    ).toEqual({
      fullName: 'x'.repeat(256),
      email: null,
      iban: null,
      country: null,
    });
    expect([...(toStorableIdentity({ ...known, fullName: '😀'.repeat(300) }).fullName ?? '')]).toHaveLength(256);
  });

  it.each([
    ['de', 'DE'],
    ['DEU', null],
    ['1A', null],
  ])('has a country as ISO 3166-1 writes it: %s is %s', (country, kept) => {
    expect(toStorableIdentity({ ...known, country }).country).toBe(kept);
  });

  it.each([
    ['de89 3704 0044 0532 0130 00', 'DE89370400440532013000'],
    ['12345678', null],
  ])('has an IBAN as ISO 13616 writes it: %s is %s', (iban, kept) => {
    expect(toStorableIdentity({ ...known, iban }).iban).toBe(kept);
  });

  it('is bounded and the same when it is kept again, whatever an exchange says', () => {
    const text = fc.option(fc.string({ unit: 'binary', maxLength: 400 }));
    fc.assert(
      fc.property(fc.record({ fullName: text, email: text, iban: text, country: text }), (told) => {
        const kept = toStorableIdentity(told);
        expect(JSON.stringify(kept).length).toBeLessThan(4_096);
        expect(toStorableIdentity(kept)).toEqual(kept);
      }),
    );
  });
});
