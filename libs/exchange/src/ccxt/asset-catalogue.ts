import { Amount } from '#money';
import type { CcxtInstance } from './ccxt-class.js';

export interface Asset {
  /** Our code, e.g. `BTC`. */
  readonly code: string;
  /** The exchange's own id, e.g. `XXBT`; what its calls want. */
  readonly id: string;
  /** Most digits after the point. */
  readonly decimals: number;
}

/** The assets of one exchange under our codes. */
export class AssetCatalogue {
  private constructor(
    private readonly byCode: ReadonlyMap<string, Asset>,
    private readonly codeOfId: (id: string) => string,
  ) {}

  /** From a public call. @throws when the exchange gives none or an unreadable list. */
  static async read(source: CcxtInstance): Promise<AssetCatalogue> {
    const currencies = await source.fetchCurrencies();
    const assets = Object.values(currencies).flatMap(({ code, id, precision }) =>
      // Without its precision no amount of an asset can be written.
      (precision as number | undefined) === undefined
        ? []
        : [{ code, id, decimals: Amount.of(String(precision)).decimalPlaces() }],
    );
    if (assets.length === 0) throw new Error('no assets');
    return new AssetCatalogue(
      new Map(assets.map((asset) => [asset.code, asset])),
      (id) => source.safeCurrencyCode(id) ?? id,
    );
  }

  find(code: string): Asset | null {
    return this.byCode.get(code) ?? null;
  }

  /** Our code for the exchange's id. Staked and earning holdings keep their suffix and so a code of their own. */
  codeOf(exchangeAssetId: string): string {
    return this.codeOfId(exchangeAssetId);
  }
}
