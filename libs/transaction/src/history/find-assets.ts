import { AssetIndex, type AssetName } from '#exchange';
import type { Database } from '#platform/database';

/** The asset of a filter. */
export interface SoughtAsset {
  /** The name in the transactions. */
  readonly code: string;
  /** Other names that the same asset has had at an exchange, each as `<exchange> <name>`. Usually there are none. */
  readonly otherNames: readonly string[];
}

const SHOWN = 'project_id = $1 and superseded_by is null';

/**
 * The earlier and later names of an asset at each exchange. A row without `exchange_asset` has a name that is the
 * exchange's id at the same time.
 */
const OTHER_NAMES = `with ids as (
    select exchange, exchange_asset as id from transactions where ${SHOWN} and exchange_asset is not null and asset = $2
    union select exchange, exchange_asset from transactions where ${SHOWN} and exchange_asset = $2)
  select exchange || ' ' || id as name from ids
  union select t.exchange || ' ' || t.asset from transactions t join ids on ids.exchange = t.exchange and ids.id = t.exchange_asset
   where t.project_id = $1 and t.superseded_by is null`;

const FIND = {
  name: 'asset of a filter',
  text: `select exists (select from transactions where ${SHOWN} and asset = $2) as "isExact", array(${OTHER_NAMES}) as "otherNames"`,
};

/** Skips from one name to the next in an index, however many transactions each has. */
const NAMES = {
  name: 'names of assets',
  text: `with recursive names as (
      (select asset from transactions where ${SHOWN} order by asset limit 1)
      union all
      select (select t.asset from transactions t
               where t.project_id = $1 and t.superseded_by is null and t.asset > names.asset order by t.asset limit 1)
        from names where names.asset is not null)
    select asset as code, null as alias from names where asset is not null
    union all select distinct asset, exchange_asset from transactions where ${SHOWN} and exchange_asset is not null`,
};

/**
 * Finds the asset that a filter names among the transactions of a project: its exact name, or else the exchange's id of
 * it, or another spelling that names one asset only.
 * @throws ValidationFailed when the text names several assets
 */
export async function findAsset(db: Database, projectId: string, text: string): Promise<SoughtAsset> {
  const exact = await read(db, projectId, text);
  if (exact.isExact || exact.otherNames.length > 0) return { code: text, otherNames: exact.otherNames };
  const names = await db.read<{ code: string; alias: string | null }>(NAMES, [projectId]);
  const index = new AssetIndex(
    names.map(({ code, alias }): AssetName => ({ code, aliases: alias === null ? [] : [alias] })),
  );
  const code = index.choose(text);
  if (code === null) return { code: text, otherNames: [] };
  const { otherNames } = await read(db, projectId, code);
  return { code, otherNames };
}

async function read(
  db: Database,
  projectId: string,
  code: string,
): Promise<{ isExact: boolean; otherNames: string[] }> {
  const [found] = await db.read<{ isExact: boolean; otherNames: string[] }>(FIND, [projectId, code]);
  const { isExact = false, otherNames = [] } = found ?? {};
  return { isExact, otherNames: otherNames.filter((name) => name.slice(name.indexOf(' ') + 1) !== code) };
}
