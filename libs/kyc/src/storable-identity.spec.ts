import fc from 'fast-check';
import { toStorableIdentity } from './storable-identity.js';

const known = { fullName: 'Ada Lovelace', email: 'ada@example.org', iban: 'DE89370400440532013000', country: 'DE' };

describe('the stored form of an identity', () => {
  it('keeps valid values unchanged', () => {
    expect(toStorableIdentity(known)).toEqual(known);
    expect(toStorableIdentity({ fullName: null, email: null, iban: null, country: null })).toEqual({
      fullName: null,
      email: null,
      iban: null,
      country: null,
    });
  });

  it('has no control characters, no lone surrogates and no direction marks', () => {
    const fullName = '  Ada\u0000\n\u001b[31m \u202eLove\u2066lace\ud800\t';
    expect(toStorableIdentity({ ...known, fullName }).fullName).toBe('Ada [31m Love lace');
    // Names in some scripts contain joiners and non-joiners, which are kept.
    expect(toStorableIdentity({ ...known, fullName: 'علی\u200cرضا' }).fullName).toBe('علی\u200cرضا');
  });

  it('has null for values without visible text', () => {
    expect(toStorableIdentity({ fullName: ' \n', email: '', iban: '\u0000', country: ' ' })).toEqual({
      fullName: null,
      email: null,
      iban: null,
      country: null,
    });
  });

  it('cuts a name to 256 characters, and has null for other values that are too long', () => {
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
  ])('writes the country as ISO 3166-1 does: %s becomes %s', (country, kept) => {
    expect(toStorableIdentity({ ...known, country }).country).toBe(kept);
  });

  it.each([
    ['de89 3704 0044 0532 0130 00', 'DE89370400440532013000'],
    ['12345678', null],
  ])('writes the IBAN as ISO 13616 does: %s becomes %s', (iban, kept) => {
    expect(toStorableIdentity({ ...known, iban }).iban).toBe(kept);
  });

  it('has a bounded size for every input, and does not change when it is converted again', () => {
    const text = fc.option(fc.string({ unit: 'binary', maxLength: 400 }));
    fc.assert(
      fc.property(fc.record({ fullName: text, email: text, iban: text, country: text }), (identity) => {
        const kept = toStorableIdentity(identity);
        expect(JSON.stringify(kept).length).toBeLessThan(4_096);
        expect(toStorableIdentity(kept)).toEqual(kept);
      }),
    );
  });
});
