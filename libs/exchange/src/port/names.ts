import { ValidationFailed } from '#platform/errors';

/**
 * Maximum number of characters of an asset in requests. Exchanges name assets in any writing system and with any signs,
 * so there is no other rule; control characters are refused in every request.
 */
export const ASSET_LENGTH_MAX = 256;
/** Maximum number of characters of a network in requests: our id, a common name, or a name that a response contains. */
export const NETWORK_LENGTH_MAX = 128;

/** An asset that an exchange lists. */
export interface AssetName {
  /** Our code, which responses contain. */
  readonly code: string;
  /** Other names of the asset at the exchange, such as its id. */
  readonly aliases: readonly string[];
}

/** A name in the form in which spellings are compared: without differences of case and of Unicode's normal forms. */
export function foldedName(text: string): string {
  return text.normalize('NFC').trim().toLowerCase();
}

/**
 * The only candidate of a text; null = there is none.
 * @param what plural noun of the candidates
 * @throws ValidationFailed when there are several
 */
export function onlyOf(
  candidates: readonly string[],
  { field, what, text }: { field: string; what: string; text: string },
): string | null {
  if (candidates.length <= 1) return candidates[0] ?? null;
  const sorted = [...candidates].sort();
  const message = `${field} names several ${what} as ${text}; write one of them exactly: ${sorted.join(', ')}`;
  throw new ValidationFailed([{ field, message }], { result: { candidates: sorted } });
}

/** Finds the assets that callers name, among those of an exchange. */
export class AssetIndex {
  private readonly codes: ReadonlySet<string>;
  private readonly byAlias = new Map<string, Set<string>>();
  private readonly byFolded = new Map<string, Set<string>>();

  constructor(names: readonly AssetName[]) {
    this.codes = new Set(names.map(({ code }) => code));
    for (const { code, aliases } of names) {
      for (const alias of aliases) add(this.byAlias, alias, code);
      for (const name of [code, ...aliases]) add(this.byFolded, foldedName(name), code);
    }
  }

  /**
   * Returns the code that a caller means; null = there is no such asset. The exact code always wins. Otherwise an
   * alias, or else another spelling, counts if it names only one asset, so that two assets are never mixed up.
   * @throws ValidationFailed when the text names several assets
   */
  choose(text: string, field = 'asset'): string | null {
    if (this.codes.has(text)) return text;
    const named = this.byAlias.get(text) ?? this.byFolded.get(foldedName(text)) ?? [];
    return onlyOf([...named], { field, what: 'assets', text });
  }

  /** The form in which other spellings name this asset; null = they name another asset, too. */
  foldedOf(code: string): string | null {
    const folded = foldedName(code);
    return [...(this.byFolded.get(folded) ?? [])].every((each) => each === code) ? folded : null;
  }
}

function add(codes: Map<string, Set<string>>, name: string, code: string): void {
  codes.set(name, (codes.get(name) ?? new Set()).add(code));
}

/** An asset that a caller has named. */
export interface ChosenAsset {
  code: string;
  /** The form in which other spellings name this asset; null = another asset has a name of this form, too. */
  folded: string | null;
}

/** The index of each list that a session caches: it takes a millisecond to make. */
const indexes = new WeakMap<readonly AssetName[], AssetIndex>();

/** The part of a session that lists assets. */
interface NamesAssets {
  assetNames(): Promise<readonly AssetName[]>;
}

/**
 * Resolves a caller's name of an asset at the account's exchange. A name that the exchange does not list is returned
 * unchanged, because the account may hold an asset that is no longer listed.
 * @throws ExchangeError, ValidationFailed when several assets have such a name
 */
export async function resolveAsset(session: NamesAssets, text: string): Promise<ChosenAsset> {
  const names = await session.assetNames();
  const index = indexes.get(names) ?? new AssetIndex(names);
  indexes.set(names, index);
  const code = index.choose(text) ?? text;
  return { code, folded: index.foldedOf(code) };
}
