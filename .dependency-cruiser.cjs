/**
 * Who may import whom (ARCHITECTURE.md), as data; the rules below are made from it.
 * Adding an edge is a decision with an ADR.
 */
const base = ['platform', 'money'];
const libs = {
  money: [],
  platform: ['money'],
  exchange: base,
  access: base,
  market: ['exchange', 'access', ...base],
  wallet: ['exchange', 'access', 'market', ...base],
  kyc: ['wallet', 'exchange', 'access', ...base],
  connect: ['wallet', 'kyc', 'exchange', 'access', ...base],
  transaction: ['wallet', 'market', 'exchange', 'access', ...base],
  deposit: ['wallet', 'exchange', 'access', ...base],
  trading: ['wallet', 'exchange', 'access', ...base],
  withdrawal: ['wallet', 'transaction', 'market', 'exchange', 'access', ...base],
  webhook: ['wallet', 'transaction', 'exchange', 'access', ...base],
};

/**
 * The folders of a lib, or of one part of it. A folder imports only those before it, so that there is no cycle between
 * them; what lies beside the folders imports all of them, and none of them imports it.
 */
const layers = {
  'libs/exchange/src': [
    'port',
    'transport',
    'sharing',
    'submission',
    'nonces',
    'networks',
    'declaration',
    'client',
    'capabilities',
    'exchanges',
    'registry',
    'authorization',
    'check',
    'new-exchange',
  ],
  'libs/transaction/src': ['history', 'sync', 'enrichment'],
  'libs/wallet/src': [
    'wallets',
    'credentials',
    'failures',
    'grants',
    'deleting',
    'refusals',
    'sessions',
    'balances',
    'reading',
    'connecting',
    'api',
  ],
  'libs/connect/src': ['projects', 'session', 'begin', 'methods', 'page', 'oauth2', 'listen'],
  'libs/trading/src': ['catalogue', 'orders', 'placement', 'following', 'operator'],
  'libs/withdrawal/src': [
    'quote',
    'epoch',
    'withdrawals',
    'refusals',
    'comparing',
    'verification',
    'execution',
    'settling',
    'operator',
  ],
  'libs/webhook/src': ['targets', 'endpoints', 'deliveries', 'received', 'api'],
  'libs/access/src': ['audit', 'projects', 'keys', 'stopping', 'guard', 'idempotency', 'endpoints'],
  'libs/exchange/src/exchanges/kraken': ['protocol', 'trading', 'deposits', 'withdrawals'],
};

/** Each folder of platform may import those before it, so that there is no cycle between them. */
const platformFolders = [
  'child-program',
  'clock',
  'config',
  'logging',
  'errors',
  'crypto',
  'load',
  'database',
  'metrics',
  'lifecycle',
  'html',
  'http',
  'events',
  'queue',
  'health',
  'app',
  'embedded-postgres',
  'test-runtime',
  'test-server',
  'testing',
];

const specs = '\\.(spec|int-spec|e2e-spec|redis-spec|browser-spec|proxy-spec|proof-spec)\\.ts$';
// apps/prove and apps/bench are tests that are run as programs; apps/client-generator runs before a commit.
const tests = [
  specs,
  '^apps/(prove|bench|client-generator)/',
  '^apps/[^/]+/test/',
  '^libs/[^/]+/src/testing/',
  '^libs/platform/src/testing/',
  '^libs/platform/src/[^/]+/testing/',
  // The data of the contract suite.
  '^libs/exchange/src/exchanges/.+-(contract|samples)\\.ts$',
];
const anyOf = (names) => `(?:${names.join('|')})`;

const rule = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });

const libTable = Object.entries(libs).map(([lib, allowed]) =>
  rule(
    `lib-${lib}`,
    `${lib} may import ${allowed.join(', ') || 'no other lib'}.`,
    { path: `^libs/${lib}/` },
    { path: '^(libs|apps)/', pathNot: `^libs/${anyOf([lib, ...allowed])}/` },
  ),
);

const platformTable = platformFolders
  .slice(0, -1)
  .map((folder, index) =>
    rule(
      `platform-${folder}`,
      'A folder of platform imports only those before it in the list.',
      { path: `^libs/platform/src/${folder}/`, pathNot: [specs, '/testing/'] },
      { path: `^libs/platform/src/${anyOf(platformFolders.slice(index + 1))}/` },
    ),
  );

const layerTable = Object.entries(layers).flatMap(([root, folders]) => [
  rule(
    `layer-listed-${root.replaceAll('/', '-')}`,
    `A new folder of ${root} needs its place in the list.`,
    { path: `^${root}/[^/]+/`, pathNot: [`^${root}/${anyOf(folders)}/`, ...tests] },
    {},
  ),
  ...folders.map((folder, index) =>
    rule(
      `layer-${root.replaceAll('/', '-')}-${folder}`,
      `A folder of ${root} imports only those before it in the list.`,
      { path: `^${root}/${folder}/`, pathNot: tests },
      { path: [`^${root}/[^/]+\\.ts$`, ...folders.slice(index + 1).map((later) => `^${root}/${later}/`)] },
    ),
  ),
]);

const role = (kind, app) =>
  rule(
    `${kind}-module-only-from-${app.replace('/', '-')}`,
    `Who imports a lib's ${kind} module runs its ${kind === 'api' ? 'controllers' : 'processors'}.`,
    { pathNot: [`^${app}/`, ...tests] },
    { path: `^libs/[^/]+/src/[^/]+\\.${kind}\\.module\\.ts$` },
  );

module.exports = {
  forbidden: [
    ...libTable,
    ...platformTable,
    ...layerTable,
    rule(
      'exchanges-apart',
      'What two exchanges share is in a folder before `exchanges`.',
      { path: '^libs/exchange/src/exchanges/([^/]+)/', pathNot: specs },
      { path: '^libs/exchange/src/exchanges/', pathNot: '^libs/exchange/src/exchanges/$1/' },
    ),
    rule(
      'lib-in-table',
      'A new lib needs its line in the table.',
      { path: '^libs/', pathNot: `^libs/${anyOf(Object.keys(libs))}/` },
      {},
    ),
    rule(
      'platform-folder-in-list',
      'A new folder of platform needs its place in the list.',
      { path: '^libs/platform/src/', pathNot: `^libs/platform/src/${anyOf(platformFolders)}/` },
      {},
    ),
    rule('no-cycle', 'Neither at run time nor between types.', {}, { circular: true }),
    rule(
      'only-public-faces',
      'Libs meet through their public face.',
      { path: '^(?:libs|apps)/([^/]+)/' },
      {
        path: '^libs/',
        pathNot: [
          '^libs/$1/',
          '^libs/[^/]+/src/(index|testing/index|[^/]+\\.(api|worker)\\.module)\\.ts$',
          '^libs/platform/src/[^/]+/index\\.ts$',
        ],
      },
    ),
    rule(
      'only-through-the-imports-map',
      'Another lib is imported by its #name.',
      { path: '^(?:libs|apps)/([^/]+)/' },
      { path: '^libs/', pathNot: '^libs/$1/', dependencyTypesNot: ['aliased-subpath-import'] },
    ),
    rule(
      'platform-only-public-faces',
      'Folders of platform meet through their public face and their #name.',
      { path: '^libs/platform/src/([^/]+)/' },
      { path: '^libs/platform/', pathNot: '^libs/platform/src/$1/', dependencyTypesNot: ['aliased-subpath-import'] },
    ),
    role('api', 'apps/api'),
    role('worker', 'apps/worker'),
    rule(
      'api-without-queues',
      'Loading BullMQ costs a process a fifth of its start, and the API has no queue.',
      { path: '^apps/api/src/main\\.ts$' },
      { path: '^libs/platform/src/queue/', reachable: true },
    ),
    rule(
      'testing-only-from-tests',
      'Builders and beds are no part of a program.',
      { pathNot: tests },
      { path: '^libs/[^/]+/src/testing/' },
    ),
    rule('no-import-of-specs', 'What two tests share is in a testing folder.', {}, { path: specs }),
    rule(
      'embedded-postgres-only-local',
      'Production runs on a real server.',
      { pathNot: ['^apps/(local|prove|bench)/', '^libs/platform/src/(embedded-postgres|test-server)/'] },
      { path: '^libs/platform/src/embedded-postgres/' },
    ),
    rule(
      'test-server-only-testing',
      'The server of a Jest run is behind platform/testing.',
      { pathNot: '^libs/platform/src/(test-server|testing)/' },
      { path: '^libs/platform/src/test-server/' },
    ),
    rule(
      'apps-apart',
      'What two apps share is a lib; only tests start another app.',
      { path: '^apps/([^/]+)/src/', pathNot: '^apps/prove/' },
      { path: '^apps/', pathNot: '^apps/$1/' },
    ),
    rule(
      'clients-alone',
      'A client runs outside this repository: it imports nothing of it, and no package.',
      { path: '^clients/([^/]+)/' },
      { pathNot: ['^clients/$1/', '^clients/typescript/src/index\\.ts$', '^node_modules/(@types/)?react/'] },
    ),
    rule(
      'react-only-in-its-wrapper',
      'Only applications with React have it.',
      { pathNot: ['^clients/link/src/react\\.ts$', ...tests] },
      { path: '^node_modules/(@types/)?react/' },
    ),
    rule(
      'clients-only-from-tests',
      'The service does not call itself.',
      { path: '^(apps|libs)/', pathNot: tests },
      { path: '^clients/' },
    ),
    rule(
      'no-development-packages',
      'The image has no development dependencies.',
      { path: '^(apps|libs)/', pathNot: tests },
      { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    ),
    rule('resolvable', 'Every import leads somewhere that package.json names.', {}, { couldNotResolve: true }),
    rule(
      'named-in-package-json',
      'A package of a package may be gone tomorrow.',
      // React is a peer dependency of the package that has this file.
      { pathNot: '^clients/link/src/react\\.ts$' },
      { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
    ),
  ],
  options: {
    doNotFollow: { path: ['node_modules', '(^|/)dist/'] },
    exclude: { path: '(^|/)dist/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['source', 'import', 'node', 'default'],
      extensions: ['.ts', '.js', '.json'],
    },
    cache: { folder: 'node_modules/.cache/dependency-cruiser', strategy: 'content' },
  },
};
