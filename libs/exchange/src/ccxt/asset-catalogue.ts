import { Amount } from '#money';
import type { CcxtInstance } from './ccxt-class.js';

export interface Asset {
  /** Our code of the asset, e.g. `BTC`. */
  readonly code: string;
  /** The exchange's own id, e.g. `XXBT`, as its API expects it. */
  readonly id: string;
  /** Maximum number of decimal places of an amount. */
  readonly decimals: number;
}

/** The assets of one exchange by our codes. */
export class AssetCatalogue {
  private constructor(
    private readonly byCode: ReadonlyMap<string, Asset>,
    private readonly codeOfId: (id: string) => string,
  ) {}

  /** Reads the assets by a public call. @throws when the list is empty or unreadable */
  static async read(source: CcxtInstance): Promise<AssetCatalogue> {
    const currencies = await source.fetchCurrencies();
    const assets = Object.values(currencies).flatMap(({ code, id, precision }) =>
      // An asset without precision is left out, because we could not round its amounts.
      (precision as number | undefined) === undefined
        ? []
        : [{ code, id, decimals: Amount.of(String(precision)).decimalPlaces() }],
    );
    if (assets.length === 0) throw new Error('the list of assets is empty');
    return new AssetCatalogue(
      new Map(assets.map((asset) => [asset.code, asset])),
      (id) => source.safeCurrencyCode(id) ?? id,
    );
  }

  find(code: string): Asset | null {
    return this.byCode.get(code) ?? null;
  }

  /** Our code for the exchange's id. Staked and earning holdings have codes of their own, with a suffix. */
  codeOf(exchangeAssetId: string): string {
    return this.codeOfId(exchangeAssetId);
  }
}
