/** The tests for a change of one of the folders. */
interface FolderTests {
  folders: readonly string[];
  /** The tests in other folders that use these ones: beginnings of their paths. */
  others: readonly string[];
}

const API = 'apps/api/test';
const CLI = 'apps/cli/test';
const EXCHANGE = 'libs/exchange/src';

/** The tests of all statements and tables. They run for every folder, because they take a few seconds. */
const SCHEMA = `${API}/schema/`;

const CALLS = ['client', 'nonces', 'sharing', 'submission', 'transport'].map((name) => `${EXCHANGE}/${name}`);

/** What to run for a change, besides the tests in the folder itself. The longest folder that contains it counts. */
export const folderTests: readonly FolderTests[] = [
  { folders: ['libs/money'], others: ['libs/withdrawal/src/quote/', 'libs/trading/src/placement/order-'] },
  { folders: ['libs/platform'], others: pathsIn(`${API}/http`, ['process', 'bodies', 'parameters', 'metrics']) },
  {
    folders: ['libs/platform/src/crypto'],
    others: ['libs/wallet/src/credentials/', `${CLI}/vault`, `${API}/withdrawals/key-outage`],
  },
  { folders: ['libs/platform/src/http'], others: [`${API}/http/`] },
  { folders: ['libs/exchange'], others: pathsIn(`${API}/exchanges`, ['thin-exchanges', 'signed-exchanges']) },
  { folders: [`${EXCHANGE}/exchanges`], others: [`${EXCHANGE}/registry/`] },
  {
    folders: CALLS,
    others: [
      ...CALLS.map((folder) => `${folder}/`),
      ...pathsIn(`${API}/exchanges`, ['nonce-window', 'spaced-', 'exchange-pauses', 'exchange-refusals']),
      'apps/prove/test/wire',
    ],
  },
  {
    folders: ['libs/access'],
    others: [
      ...pathsIn(`${API}/http`, ['access', 'scopes', 'stopped-projects']),
      ...[`${API}/withdrawals/idempotency`, `${CLI}/projects`],
    ],
  },
  { folders: ['libs/market'], others: pathsIn(`${API}/market`, ['market', 'cache']) },
  { folders: ['libs/wallet'], others: [...pathsIn(`${API}/wallets`, ['wallet', 'names']), `${CLI}/wallets`] },
  { folders: ['libs/kyc'], others: [`${API}/wallets/kyc`] },
  { folders: ['libs/connect'], others: [`${API}/connect/`] },
  { folders: ['libs/transaction'], others: pathsIn(`${API}/wallets`, ['transactions', 'enrichment', 'wallet-sync']) },
  { folders: ['libs/deposit'], others: [`${API}/wallets/deposit`] },
  {
    folders: ['libs/trading'],
    others: [
      ...pathsIn(`${API}/market`, ['order', 'executed-refusals', 'catalogue']),
      `${CLI}/orders`,
      'apps/prove/test/orders',
    ],
  },
  {
    folders: ['libs/withdrawal'],
    others: [`${API}/withdrawals/`, `${CLI}/withdrawals`, 'apps/prove/test/simulation'],
  },
  { folders: ['libs/webhook'], others: [`${API}/webhooks/`, `${CLI}/webhooks`] },
];

/**
 * Returns beginnings of the paths of the tests to run after a change: the tests in the folder, those that the table
 * names for it, and those of the schema.
 * @param changed a path relative to the repository, such as `libs/withdrawal/src/quote` or a file in it
 * @throws Error when no folder of the table contains the path
 */
export function testsOf(changed: string): string[] {
  const known = folderTests.flatMap(({ folders, others }) => folders.map((folder) => ({ folder, others })));
  const [found] = known
    .filter(({ folder }) => `${changed}/`.startsWith(`${folder}/`))
    .sort((one, other) => other.folder.length - one.folder.length);
  if (found === undefined)
    throw new Error(`no tests are named for ${changed}; use one of ${known.map(({ folder }) => folder).join(', ')}`);
  // A change of one exchange cannot break the tests of another one.
  const [folder] = /^libs\/exchange\/src\/exchanges\/[^/]+/.exec(changed) ?? [found.folder];
  return [`${folder}/`, ...found.others, SCHEMA];
}

/** Returns the table in CONTRIBUTING.md. */
export function folderTable(): string {
  const listed = (paths: readonly string[]): string => paths.map((path) => `\`${path}\``).join(', ');
  const rows = folderTests.map(({ folders, others }) => `| ${listed(folders)} | ${listed(others)} |`);
  return ['| changed | tests in other folders |', '|---|---|', ...rows].join('\n');
}

function pathsIn(folder: string, names: readonly string[]): string[] {
  return names.map((name) => `${folder}/${name}`);
}
