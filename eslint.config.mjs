import { defineConfig } from 'eslint/config';
import { builtinRules } from 'eslint/use-at-your-own-risk';
import tseslint from 'typescript-eslint';

const tests = [
  '**/*.{spec,int-spec,e2e-spec,redis-spec,proxy-spec,proof-spec}.ts',
  '**/test/**/*.ts',
  'libs/*/src/**/testing/**/*.ts',
  'libs/exchange/src/exchanges/**/*-contract.ts',
  'libs/exchange/src/exchanges/**/*-samples.ts',
];

/** Imports that are forbidden outside the few folders that need them. */
const confined = {
  ccxt: {
    regex: '^ccxt(/|$)',
    message: 'ccxt is used in tests and benchmarks alone: the connectors call the exchanges themselves.',
  },
  queue: {
    regex: '^(bullmq|@nestjs/bullmq)(/|$)',
    message: 'BullMQ is used in platform/queue and *.processor.ts alone: enqueue through #platform/queue.',
  },
  httpErrors: {
    regex: '^@nestjs/common$',
    importNamePattern: 'Exception$',
    message: 'Throw a DomainError of #platform/errors: its code and status are part of the interface.',
  },
  environment: {
    regex: '^(node:)?process$',
    importNamePattern: '^(env|default)$',
    message: 'Settings come from #platform/config.',
  },
};

/**
 * Forbids the imports that `confined` lists, except the `allowed` ones. Each result is a complete list, because ESLint
 * replaces the list of an earlier config entry by that of a later one.
 */
const confineAllBut = (...allowed) => {
  const patterns = Object.entries(confined).flatMap(([name, rule]) => (allowed.includes(name) ? [] : [rule]));
  return { '@typescript-eslint/no-restricted-imports': ['error', { patterns }] };
};

const syntax = [
  {
    selector: 'TSAsExpression > TSAsExpression[typeAnnotation.type="TSUnknownKeyword"]',
    message: 'Give the value its real type, or parse it.',
  },
  {
    selector: 'ObjectExpression > SpreadElement > ObjectExpression',
    message: 'Write the properties themselves.',
  },
];

const unboundedLogSyntax = {
  selector: 'CallExpression[callee.property.name=/^(warn|error)$/] > ObjectExpression > Property[key.name="err"]',
  message: 'An outage repeats it many times a second: use logFailedWork of #platform/errors.',
};

const testSyntax = [
  {
    selector: 'MemberExpression[object.name=/^(it|test|describe)$/][property.name=/^(skip|only|todo|failing)$/]',
    message: 'Every test runs.',
  },
  { selector: 'CallExpression[callee.name=/^(xit|xtest|xdescribe|fit|fdescribe)$/]', message: 'Every test runs.' },
  {
    selector: 'MemberExpression[object.name="jest"][property.name=/^(mock|doMock|unstable_mockModule)$/]',
    message: 'No module mocks: fakes only for time and ids.',
  },
];

/** Returns ESLint's rule `name`, without its reports about nodes for which `isExempt` returns true. */
const builtinExcept = (name, isExempt) => {
  const rule = builtinRules.get(name);
  return {
    ...rule,
    create(context) {
      const report = (problem) => {
        if (!isExempt(problem.node, context)) context.report(problem);
      };
      return rule.create(Object.create(context, { report: { value: report } }));
    },
  };
};

const rules = {
  /** The callback of a `describe` is exempt, because it is a list of tests and not one function to understand. */
  'max-lines-per-function': builtinExcept(
    'max-lines-per-function',
    ({ parent }, { sourceCode }) =>
      parent.type === 'CallExpression' && /^describe\b/.test(sourceCode.getText(parent.callee)),
  ),
  /** Constructors and methods with decorated parameters are exempt, because Nest passes their arguments. */
  'max-params': builtinExcept(
    'max-params',
    ({ params, parent }) =>
      parent.kind === 'constructor' || params.some(({ decorators = [] }) => decorators.length > 0),
  ),
};

export default defineConfig(
  { ignores: ['**/dist/', 'clients/*/src/generated/', 'coverage/', '.local/', '**/*.{js,cjs,mjs}'] },
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.recommended],
    linterOptions: { noInlineConfig: true, reportUnusedDisableDirectives: 'error' },
    // `consistent-type-imports` must know that the types of decorated parameters are needed at run time.
    languageOptions: { parserOptions: { emitDecoratorMetadata: true, experimentalDecorators: true } },
    plugins: { causeway: { rules } },
    rules: {
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_', ignoreRestSiblings: true },
      ],
      complexity: ['error', 15],
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      // Prettier breaks long lines of code, but not of comments.
      'max-len': ['error', { code: 10_000, comments: 120, ignoreUrls: true }],
      'max-lines': ['error', 400],
      'causeway/max-lines-per-function': ['error', 70],
      'causeway/max-params': ['error', 4],
      'no-console': 'error',
      'no-restricted-properties': [
        'error',
        { object: 'process', property: 'env', message: 'Settings come from #platform/config.' },
      ],
      'no-restricted-syntax': ['error', ...syntax],
      'no-warning-comments': ['error', { terms: ['todo', 'fixme', 'xxx', 'hack', 'oxlint-disable'] }],
      ...confineAllBut(),
    },
  },
  {
    files: ['{libs,apps}/**/*.ts'],
    ignores: ['libs/platform/src/{errors,logging,app}/**'],
    rules: { 'no-restricted-syntax': ['error', ...syntax, unboundedLogSyntax] },
  },
  {
    files: tests,
    rules: {
      'causeway/max-params': 'off',
      'no-restricted-syntax': ['error', ...syntax, ...testSyntax],
      ...confineAllBut('ccxt'),
    },
  },
  // Data may be long: the limit would only make its writers pack it.
  {
    files: [
      '**/*-contract.ts',
      '**/testing/contract/{documented-*,mutants}.ts',
      'apps/api/test/support/*-situations.ts',
    ],
    rules: { 'max-lines': 'off' },
  },
  { files: ['apps/bench/src/ccxt-*.main.ts'], rules: confineAllBut('ccxt') },
  {
    files: ['libs/platform/src/queue/**', 'libs/platform/src/database/migrate.ts', '**/*.processor.ts'],
    rules: confineAllBut('queue'),
  },
  { files: ['libs/platform/src/errors/**'], rules: confineAllBut('httpErrors') },
  {
    files: [
      'libs/platform/src/{config,test-runtime,test-server,testing}/**',
      'apps/local/src/**',
      'apps/sandbox-exchange/src/main.ts',
    ],
    rules: { 'no-restricted-properties': 'off', ...confineAllBut('environment') },
  },
);
