import type { AssetName } from '../port/names.js';
import type { CodeOf } from '../declaration/asset-names.js';

/** An asset in an exchange's list. */
export interface ListedName {
  /** The exchange's own id, e.g. `XXBT`, as its API expects it. */
  readonly id: string;
  /** The name that the exchange shows today. */
  readonly name: string;
  /** Further names that the exchange accepts for the asset. */
  readonly aliases?: readonly string[];
  /** Maximum number of decimal places of an amount. */
  readonly decimals: number;
}

export type Asset = AssetName & Pick<ListedName, 'id' | 'decimals'>;

/** The assets of one exchange by our codes. */
export class AssetCatalogue {
  /** The codes of all assets, and the other names by which the exchange calls them. */
  readonly names: readonly AssetName[];
  private readonly byId: ReadonlyMap<string, Asset>;
  private readonly byCode: ReadonlyMap<string, Asset>;

  /**
   * @param unlisted our codes of ids that the list does not contain; absent = the id itself
   * @throws when the list is empty
   */
  constructor(
    listed: readonly ListedName[],
    private readonly unlisted?: CodeOf,
  ) {
    if (listed.length === 0) throw new Error('the list of assets is empty');
    const names = new Map<string, number>();
    for (const { name } of listed) names.set(name, (names.get(name) ?? 0) + 1);
    // Only the ids tell assets with the same name apart.
    const codeOf = ({ id, name }: ListedName): string => (names.get(name) === 1 ? name : id);
    const assets = listed.map((each): Asset => {
      const [code, { id, decimals, aliases = [] }] = [codeOf(each), each];
      return { code, id, decimals, aliases: [id, ...aliases].filter((alias) => alias !== code) };
    });
    this.byId = new Map(assets.map((asset) => [asset.id, asset]));
    this.byCode = new Map(assets.map((asset) => [asset.code, asset]));
    this.names = [...this.byId.values()];
  }

  find(code: string): Asset | null {
    return this.byCode.get(code) ?? null;
  }

  /** Our code for the exchange's id. Staked and earning holdings have codes of their own, with a suffix. */
  codeOf(exchangeAssetId: string): string {
    const listed = this.byId.get(exchangeAssetId);
    if (listed !== undefined) return listed.code;
    if (this.unlisted !== undefined) return this.unlisted(exchangeAssetId);
    // An asset that is no longer listed may have the id that is now the name of another one.
    return this.byCode.has(exchangeAssetId) ? `${exchangeAssetId} (id)` : exchangeAssetId;
  }
}
