import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { pino } from 'pino';
import { scopes } from '#access';
import { errorCodes, type ErrorCodeInfo } from '#platform/errors';
import { loadConfig } from '#platform/config';
import { projectRoot } from '#platform/testing';
import { ApiModule } from '../../src/api.module.js';
import { configurationDocument } from '../../src/configuration-doc.js';
import { errorsDocument } from '../../src/errors-doc.js';
import { exchangesDocument } from '../../src/exchanges-doc.js';
import { buildOpenApi, type ApiDocument } from '../../src/openapi/build-openapi.js';
import { resolveReference } from '../support/documented-routes.js';

interface Schema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  properties?: Record<string, Schema>;
  allOf?: Schema[];
  oneOf?: Schema[];
  items?: Schema;
  enum?: string[];
  required?: string[];
  default?: unknown;
}

interface Answer {
  description?: string;
  headers?: Record<string, unknown>;
  content?: Record<string, { schema: Schema }>;
}

interface Operation {
  operationId: string;
  summary?: string;
  description?: string;
  tags?: string[];
  security?: Record<string, string[]>[];
  parameters?: { name: string; in: string; required?: boolean; description?: string }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, Answer>;
  'x-required-scopes'?: string[];
  'x-error-codes'?: string[];
}

const CREDENTIALS = ['x-svc-api-key', 'x-svc-org-id', 'x-svc-project-id'];
/** The headers with which a page in a browser calls the operations that allow pages. */
const PAGE = ['x-svc-org-id', 'x-svc-project-id'];

/** Each operation's name begins with one of these verbs. A new first word must be a verb, too. */
const VERB_AND_NOUN =
  /^(get|list|create|set|issue|suspend|resume|rotate|revoke|delete|ping|connect|place|execute|enrich|stream|finish|update|resend|receive)([A-Z][a-z]*)+$/;

/**
 * Schemas that need no member `exact`. The numbers of `SyncProgressResponse` are no amounts. `WalletResponse` has the
 * exact strings of all its `AssetBalanceResponse` in its own member `exact`.
 */
const NO_AMOUNTS = ['SyncProgressResponse', 'AssetBalanceResponse'];

describe('the OpenAPI document', () => {
  let document: ApiDocument;
  let operations: [string, Operation][];
  let schemas: Record<string, Schema>;

  beforeAll(async () => {
    const config = loadConfig({});
    const module = ApiModule.forRoot(config, pino({ level: 'silent' }));
    const app = await NestFactory.create<NestFastifyApplication>(module, new FastifyAdapter(), {
      preview: true,
      logger: false,
    });
    document = buildOpenApi(app);
    schemas = document.components?.schemas as Record<string, Schema>;
    operations = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.entries(item as Record<string, Operation>).map(([method, operation]): [string, Operation] => [
        `${method.toUpperCase()} ${path}`,
        resolved(document, operation),
      ]),
    );
  });

  /** Returns the names of the operations for which the condition does not hold. */
  const failing = (holds: (operation: Operation) => boolean): string[] =>
    operations.filter(([, operation]) => !holds(operation)).map(([name]) => name);

  it('is the checked-in file (npm run docs)', () => {
    expect(JSON.parse(readFileSync(join(projectRoot, 'openapi.json'), 'utf8'))).toEqual(
      JSON.parse(JSON.stringify(document)),
    );
  });

  it.each([
    ['GET /v0/wallet/info/fee', 'asset', 'INFO_ASSET_REQUIRED'],
    ['GET /v0/wallet/deposit/address', 'asset', 'DEPOSIT_ASSET_REQUIRED'],
    ['GET /v0/wallet/deposit/address', 'network', 'DEPOSIT_NETWORK_REQUIRED'],
  ])('requires in %s the parameter %s, and documents the error %s for its absence', (name, parameter, code) => {
    const operation = operations.find(([each]) => each === name)?.[1];
    const found = operation?.parameters?.find((each) => each.name === parameter);
    expect(found).toMatchObject({ in: 'query', required: true, description: expect.stringContaining(code) as string });
    expect(operation?.['x-error-codes']).toContain(code);
  });

  it('declares that the network of a transaction is never null', () => {
    const { network } = schemas['TransactionResponse']?.properties ?? {};
    expect(network?.type).toBe('string');
  });

  it.each([
    ['WalletResponse', 'lastSyncAt'],
    ['TransactionResponse', 'feeCost'],
    ['TransactionResponse', 'feeCurrency'],
    ['TransactionResponse', 'addressTo'],
    ['NetworkFeeResponse', 'fee'],
  ])('explains when %s.%s is null', (schema, member) => {
    const { type, description } = schemas[schema]?.properties?.[member] ?? {};
    expect(type).toContain('null');
    expect(description).toMatch(/null (only|exactly) /);
  });

  it('has an exact string beside every amount that is a number', () => {
    const isNumber = ({ type }: Schema): boolean => [type].flat().includes('number');
    const without = Object.entries(schemas).filter(([name, { properties = {} }]) => {
      const { $ref = '' } = properties['exact']?.allOf?.[0] ?? {};
      const exact = schemas[$ref.split('/').at(-1) ?? '']?.properties ?? {};
      const numbers = Object.keys(properties).filter((member) => isNumber(properties[member] ?? {}));
      return !NO_AMOUNTS.includes(name) && numbers.some((member) => exact[member] === undefined);
    });
    expect(without.map(([name]) => name)).toEqual([]);
  });

  it('has the OpenAPI version 3.1.0 and the interface version 0.0.3', () => {
    expect(document.openapi).toBe('3.1.0');
    expect(document.info).toMatchObject({ title: 'Causeway', version: '0.0.3' });
  });

  it('documents the scopes that the main endpoints require', () => {
    const withKey = Object.fromEntries(
      operations.flatMap(([name, operation]) =>
        operation['x-required-scopes'] ? [[name, operation['x-required-scopes']]] : [],
      ),
    );
    expect(withKey).toMatchObject({
      'GET /v0/wallet': ['read'],
      'DELETE /v0/wallet': ['read', 'delete'],
      'GET /v0/wallet/list': ['read'],
      'GET /v0/wallet/ping': ['read'],
      'GET /v0/wallet/kyc': ['read', 'kyc'],
      'GET /v0/wallet/transaction/{transactionId}': ['read'],
      'GET /v0/wallet/withdraw/balance': ['read'],
      'GET /v0/wallet/info/fee': ['read'],
      'POST /v0/wallet/withdraw/quote': ['read', 'quote'],
      'PUT /v0/wallet/withdraw/{quoteId}/execute': ['read', 'quote', 'withdrawal'],
      'POST /v0/wallet/{exchange}/connect': ['connect'],
      'GET /v0/organization/api-key': [],
    });
  });

  it('has a summary, a description and a group for each operation', () => {
    expect(failing(({ summary, description, tags }) => !!summary && !!description && tags?.length === 1)).toEqual([]);
    const groups = document.tags?.map(({ name }) => name) ?? [];
    expect(failing(({ tags }) => groups.includes(tags?.[0] ?? ''))).toEqual([]);
  });

  it('documents for each operation who may call it: everyone, the operator, a key with scopes, or a page of a project', () => {
    const isKnown = ({ security, 'x-required-scopes': required }: Operation): boolean => {
      if (required === undefined) return security?.length === 0 || security?.[0]?.['admin-token'] !== undefined;
      const [key, page, ...others] = (security ?? []).map((scheme) => Object.keys(scheme).join());
      const isPage = page === undefined || page === PAGE.join();
      return others.length === 0 && key === CREDENTIALS.join() && isPage && required.every(isScope);
    };
    expect(failing(isKnown)).toEqual([]);
  });

  it('lists for each operation the error codes of its access rule', () => {
    const expected = ({ security, 'x-required-scopes': required }: Operation): string[] => [
      'GENERIC_VALIDATION_ERROR',
      'GENERIC_INTERNAL_SERVER_ERROR',
      ...(security?.length === 0 ? [] : ['GENERIC_UNAUTHORIZED', 'GENERIC_RATE_LIMIT_EXCEEDED']),
      ...((required?.length ?? 0) > 0 ? ['APIKEY_INSUFFICIENT_PERMISSIONS'] : []),
    ];
    expect(
      failing((operation) => expected(operation).every((code) => operation['x-error-codes']?.includes(code))),
    ).toEqual([]);
  });

  it('lists only known error codes, each with its status', () => {
    const isDocumented = ({ responses, 'x-error-codes': codes = [] }: Operation): boolean =>
      codes.every((code) => code in errorCodes && responses[errorCodes[code as keyof typeof errorCodes].status]);
    expect(failing(isDocumented)).toEqual([]);
  });

  it('lists WALLET_NOT_FOUND for each required wallet header, except where the header names a new wallet', () => {
    const wantsWallet = ({ parameters = [] }: Operation): boolean =>
      parameters.some(({ name, required }) => name === 'x-svc-wallet-id' && required);
    expect(
      failing((operation) => !wantsWallet(operation) || !!operation['x-error-codes']?.includes('WALLET_NOT_FOUND')),
    ).toEqual(['GET /v0/oauth2/url', 'GET /v0/oauth2/{exchange}/url']);
  });

  it('has an Idempotency-Key on every POST and PUT of a project, and on no other operation', () => {
    const takesKey = ({ parameters = [] }: Operation): boolean =>
      parameters.some(({ name, in: place }) => name === 'Idempotency-Key' && place === 'header');
    const ofProjects = operations.filter(([name, o]) => /^(POST|PUT) /.test(name) && o['x-required-scopes']);
    expect(ofProjects.length).toBeGreaterThan(0);
    expect(operations.filter(([, operation]) => takesKey(operation))).toEqual(ofProjects);
    for (const [, { responses, 'x-error-codes': codes }] of ofProjects) {
      expect(codes).toContain('GENERIC_INVALID_REQUEST');
      for (const status of ['409', '422']) expect(responses[status]?.description).toContain('GENERIC_INVALID_REQUEST');
      expect(Object.keys(responses['409']?.headers ?? {})).toContain('retry-after');
    }
  });

  it('describes every response, and the body of a success by a schema', () => {
    // A stream, a WebSocket and a redirect have no JSON body.
    const isSuccess = ([status, { content = {} }]: [string, Answer]): boolean =>
      ['101', '303'].includes(status) ||
      (status.startsWith('2') && Object.values(content).some(({ schema }) => schema !== undefined));
    const isDescribed = ({ responses }: Operation): boolean =>
      Object.values(responses).every(({ description }) => !!description) && Object.entries(responses).some(isSuccess);
    expect(failing(isDescribed)).toEqual([]);
  });

  it('describes every parameter and every member of a body', () => {
    const parameters = operations.flatMap(([name, operation]) =>
      (operation.parameters ?? [])
        .filter(({ description }) => !description)
        .map((parameter) => `${name} ${parameter.name}`),
    );
    const members = Object.entries(schemas).flatMap(([name, schema]) => undescribed(name, schema));
    expect([...parameters, ...members]).toEqual([]);
  });

  it('refers only to existing schemas, and uses all of them', () => {
    const text = JSON.stringify(document);
    const referred = [...text.matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map(([, name]) => name ?? '');
    expect(referred.filter((name) => !(name in schemas))).toEqual([]);
    expect(Object.keys(schemas).filter((name) => !referred.includes(name))).toEqual([]);
  });

  it('names each operation by a verb and a noun in camel case, for generated clients', () => {
    expect(failing(({ operationId }) => VERB_AND_NOUN.test(operationId))).toEqual([]);
    expect(new Set(operations.map(([, { operationId }]) => operationId)).size).toBe(operations.length);
    expect(operations.map(([name, { operationId }]) => [name, operationId])).toEqual(
      expect.arrayContaining([
        ['POST /v0/wallet/withdraw/quote', 'createQuote'],
        ['PUT /v0/wallet/withdraw/{quoteId}/execute', 'executeQuote'],
        ['GET /v0/wallet/transactions', 'listTransactions'],
        ['POST /v0/wallet/trade/order', 'placeOrder'],
        ['POST /v0/admin/projects/{id}/api-keys', 'issueApiKey'],
        ['GET /v0/wallet/list', 'listWallets'],
      ]),
    );
  });

  it('contains each error response once', () => {
    const { responses = {} } = document.components ?? {};
    const own = Object.values(document.paths).flatMap((item) =>
      Object.values(item as Record<string, Operation>).flatMap((operation) =>
        Object.entries(operation.responses).flatMap(([status, response]) =>
          Number(status) >= 400 && !('$ref' in response) ? [JSON.stringify(response)] : [],
        ),
      ),
    );
    const all = [...own, ...Object.values(responses).map((response) => JSON.stringify(response))];
    expect(new Set(all).size).toBe(all.length);
  });

  it('lists in the error schema of each operation and status exactly the codes with that status', () => {
    const wrong = operations.flatMap(([name, { responses, 'x-error-codes': codes = [] }]) => {
      const listed = Object.entries(responses).flatMap(([status, response]) =>
        Number(status) < 400 ? [] : codesOf(response, schemas).map((code): [string, string] => [status, code]),
      );
      const known = new Set(listed.map(([, code]) => code));
      const misplaced = listed.filter(([status, code]) => !statusesOf(code).includes(Number(status)));
      return known.size === codes.length && codes.every((code) => known.has(code)) && misplaced.length === 0
        ? []
        : [name];
    });
    expect(wrong).toEqual([]);
  });

  it.each([
    ['GenericValidationError', 'fields'],
    ['GenericValidationError', 'networks'],
    ['WithdrawalNetworkNotSupportedError', 'networks'],
    ['DepositMethodNotResolvedError', 'networks'],
    ['WalletInvalidCredentialsError', 'walletDeleted'],
    ['WithdrawalDryRunCompleteError', 'readyToTransact'],
    ['Withdrawal2faMethodNotSupportedError', 'valid2FAMethods'],
    ['Withdrawal2faInvalidError', 'locked'],
  ])('describes in %s the member %s of result', (schema, member) => {
    expect(schemas[schema]?.properties?.['result']?.properties).toHaveProperty(member);
  });

  it('describes `result` as the report of the verification in the errors about verifications', () => {
    for (const name of ['Withdrawal2faRequiredMultiStepsError', 'Withdrawal2faIncompleteError']) {
      expect(schemas[name]?.properties?.['result']?.allOf).toEqual([
        { $ref: '#/components/schemas/VerificationReportResponse' },
      ]);
    }
  });

  it('has no default for optional members, because generators would make these members required', () => {
    const withDefault = Object.entries(schemas).flatMap(([name, { properties = {} }]) =>
      Object.keys(properties).flatMap((member) =>
        properties[member]?.default === undefined ? [] : [`${name}.${member}`],
      ),
    );
    expect(withDefault).toEqual([]);
    expect(schemas['CreateQuoteRequest']?.required).not.toContain('includeFee');
  });

  it('describes the WebSocket outside `paths`, so that generated clients leave it out', () => {
    const path = '/v0/ws/oauth2/listen';
    expect(document.paths).not.toHaveProperty([path]);
    expect(document['x-websockets']).toMatchObject({ [path]: { get: { operationId: 'openSocket' } } });
    expect(document.tags?.find(({ name }) => name === 'Connecting')?.description).toContain(path);
  });

  it('describes the admin token as an opaque bearer token', () => {
    const { description, ...scheme } = document.components?.securitySchemes?.['admin-token'] as Schema;
    expect(scheme).toEqual({ type: 'http', scheme: 'bearer' });
    expect(description).toContain('opaque');
  });

  it('names the admin token in the introduction and in each group with operations that require it', () => {
    const withAdmin = operations.filter(([, { security }]) => security?.some((each) => 'admin-token' in each));
    const groups = new Set(withAdmin.flatMap(([, { tags = [] }]) => tags));
    const texts = document.tags?.filter(({ name }) => groups.has(name)).map(({ description }) => description);
    for (const text of [document.info.description, ...(texts ?? [])]) expect(text).toContain('admin token');
  });
});

/** Returns the operation with its referenced responses and parameters. */
function resolved(document: ApiDocument, operation: Operation): Operation {
  const responses = Object.entries(operation.responses).map(([status, response]) => [
    status,
    resolveReference(document, response),
  ]);
  return {
    ...operation,
    responses: Object.fromEntries(responses) as Operation['responses'],
    parameters: operation.parameters?.map((parameter) => resolveReference(document, parameter)),
  };
}

/** The codes of the error schemas in a response. */
function codesOf({ content }: Answer, schemas: Record<string, Schema>): string[] {
  const collect = ({ $ref, oneOf = [] }: Schema): string[] => [
    ...(schemas[$ref?.split('/').at(-1) ?? '']?.properties?.['requestId'] ? codesIn($ref ?? '') : []),
    ...oneOf.flatMap(collect),
  ];
  const codesIn = ($ref: string): string[] => schemas[$ref.split('/').at(-1) ?? '']?.properties?.['type']?.enum ?? [];
  return collect(content?.['application/json']?.schema ?? {});
}

function statusesOf(code: string): number[] {
  const { status, otherStatuses = [] }: ErrorCodeInfo = errorCodes[code as keyof typeof errorCodes];
  return [status, ...otherStatuses];
}

function isScope(text: string): boolean {
  return (scopes as readonly string[]).includes(text);
}

/** Returns the paths of the members without a description, in this schema and in nested ones. */
function undescribed(path: string, { properties = {}, items, allOf = [] }: Schema): string[] {
  const own = Object.entries(properties).flatMap(([name, member]) => [
    ...(member.description ? [] : [`${path}.${name}`]),
    ...undescribed(`${path}.${name}`, member),
  ]);
  return [
    ...own,
    ...(items ? undescribed(`${path}[]`, items) : []),
    ...allOf.flatMap((part) => undescribed(path, part)),
  ];
}

describe('the generated documents', () => {
  it.each([
    ['docs/errors.md', errorsDocument],
    ['docs/exchanges.md', exchangesDocument],
    ['docs/configuration.md', configurationDocument],
  ])('%s is the checked-in file (npm run docs)', (path, generate) => {
    expect(readFileSync(join(projectRoot, path), 'utf8')).toBe(generate());
  });

  it('explain every setting', () => {
    const undescribedRows = configurationDocument()
      .split('\n')
      .filter((line) => /^\| `[A-Z_]+` \|  \|/.test(line));
    expect(undescribedRows).toEqual([]);
  });
});
