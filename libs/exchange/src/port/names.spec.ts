import { ValidationFailed } from '#platform/errors';
import { assert, property, string, uniqueArray } from 'fast-check';
import { AssetIndex, foldedName, resolveAsset, type AssetName } from './names.js';

const named = (...codes: string[]): AssetName[] => codes.map((code) => ({ code, aliases: [] }));
const KUCOIN = [
  { code: 'BSV', aliases: ['BCHSV'] },
  ...named('ALT', 'BTC', '币安人生', "FTX Users' Debt", 'Jade Protocol'),
];

describe('the index of an exchange’s assets', () => {
  const index = new AssetIndex([...KUCOIN, ...named('OMNI', 'omni')]);

  it.each([
    ['币安人生', '币安人生'],
    ["FTX Users' Debt", "FTX Users' Debt"],
    ["ftx users' debt", "FTX Users' Debt"],
    [' Jade Protocol ', 'Jade Protocol'],
    ['btc', 'BTC'],
    ['BCHSV', 'BSV'],
    ['bchsv', 'BSV'],
    ['OMNI', 'OMNI'],
    ['omni', 'omni'],
    ['NOPE', null],
  ])('finds by the text %j the asset %j', (text, code) => expect(index.choose(text)).toBe(code));

  it('refuses a spelling of two assets and names both', () => {
    const refused = (text: string): unknown => {
      try {
        return index.choose(text);
      } catch (error) {
        return error instanceof ValidationFailed ? error.details.result : error;
      }
    };
    expect(refused('Omni')).toMatchObject({ candidates: ['OMNI', 'omni'], fields: [{ field: 'asset' }] });
  });

  it('prefers the name of one asset to the id of another', () => {
    // KuCoin: the id of one asset can be the present name of another one.
    const both = new AssetIndex([{ code: 'LUNC', aliases: ['LUNA'] }, ...named('LUNA')]);
    expect(both.choose('LUNA')).toBe('LUNA');
  });

  it('keeps two names apart that differ only in their Unicode normal form', () => {
    const [composed, decomposed] = ['caf\u00e9', 'cafe\u0301'];
    const both = new AssetIndex(named(composed, decomposed));
    expect([both.choose(composed), both.choose(decomposed)]).toEqual([composed, decomposed]);
    expect(() => both.choose('CAF\u00c9')).toThrow(ValidationFailed);
    expect(new AssetIndex(named(composed)).choose(decomposed)).toBe(composed);
  });

  it('finds every asset by its own name, whatever the names are', () => {
    assert(
      property(uniqueArray(string({ unit: 'binary', minLength: 1 })), (codes) => {
        const all = new AssetIndex(named(...codes));
        for (const code of codes) expect(all.choose(code)).toBe(code);
        for (const code of codes) {
          const folded = all.foldedOf(code);
          if (folded !== null) expect(all.choose(folded)).toBe(code);
          else expect(codes.filter((other) => foldedName(other) === foldedName(code)).length).toBeGreaterThan(1);
        }
      }),
    );
  });
});

describe('an asset that a caller names', () => {
  it('is returned unchanged when the exchange does not list it', async () => {
    const session = { assetNames: () => Promise.resolve(KUCOIN) };
    expect(await resolveAsset(session, 'Gone')).toEqual({ code: 'Gone', folded: 'gone' });
    expect(await resolveAsset(session, 'bchsv')).toEqual({ code: 'BSV', folded: 'bsv' });
  });
});
