import { nameOf, type ApiDocument, type DocumentedOperation, type Schema } from './api-document.js';

/** Operations that an application never calls itself: browsers and exchanges call them, or `connect.listen` does. */
const LEFT_OUT = new Set(['streamEvents', 'finishAuthorization', 'receiveWebhook']);

const HEADER = '// Generated from openapi.json by `npm run docs`; do not edit.\n';

export function isCalledByApplications({ id }: DocumentedOperation): boolean {
  return !LEFT_OUT.has(id);
}

/** Returns the text of a module whose class has a method for each operation. */
export function operationsModule(document: ApiDocument, operations: DocumentedOperation[]): string {
  const called = operations.filter(isCalledByApplications);
  return [
    HEADER,
    `import type { CallOptions, Calls, Input, Output, WalletInput } from '../call.js';\n\n`,
    '/** Each operation of the service is a method of the same name. */\n',
    'export class Operations {\n',
    '  constructor(protected readonly calls: Calls) {}\n',
    ...called.map((operation) => methodOf(operation)),
    '}\n\n',
    ...pagesOf(document, called),
  ].join('');
}

function methodOf(documented: DocumentedOperation): string {
  const { id, operation, parameters } = documented;
  const inputs = parameters.filter(({ in: place }) => place === 'path' || place === 'query');
  const hasBody = operation.requestBody !== undefined;
  const isOptional = !inputs.some(({ required }) => required === true) && operation.requestBody?.required !== true;
  const type = isOfWallet(documented) ? 'WalletInput' : 'Input';
  const input = `input: ${type}<'${id}'>${isOptional ? ' = {}' : ''}`;
  return [
    `\n${comment(documented)}`,
    `  ${id}(${input}, options?: CallOptions): Promise<Output<'${id}'>> {\n`,
    `    return this.calls.send(${requestOf(documented, hasBody)}, input, options);\n`,
    '  }\n',
  ].join('');
}

/** Returns the source text of the object from which the client composes the request of an operation. */
function requestOf(documented: DocumentedOperation, hasBody: boolean): string {
  const { method, path, operation, parameters } = documented;
  const named = (place: string) => parameters.filter((parameter) => parameter.in === place).map(({ name }) => name);
  const members = [`method: '${method}'`, `path: '${path}'`];
  const query = named('query');
  if (query.length > 0) members.push(`query: [${query.map((name) => `'${name}'`).join(', ')}]`);
  if (hasBody) members.push('body: true');
  if (isOfWallet(documented)) members.push('wallet: true');
  members.push(`credentials: '${credentialsOf(operation.security)}'`);
  members.push(`repeat: '${repeatOf(method, path, named('header'))}'`);
  return `{ ${members.join(', ')} }`;
}

function credentialsOf(security: Record<string, string[]>[] = []): string {
  const schemes = security.flatMap((alternative) => Object.keys(alternative));
  if (schemes.includes('admin-token')) return 'admin';
  return schemes.length > 0 ? 'project' : 'none';
}

/** Returns the name of the rule by which `retry.ts` of the client decides whether to repeat a failed request. */
function repeatOf(method: string, path: string, headers: string[]): string {
  if (method === 'GET') return 'read';
  if (path.endsWith('/execute')) return 'refused_only';
  return headers.includes('Idempotency-Key') ? 'with_key' : 'refused_only';
}

/**
 * Whether the client sends the id of the wallet in a header. The list of transactions accepts it in a header or in the
 * query; the client uses the query.
 */
function isOfWallet({ parameters }: DocumentedOperation): boolean {
  const names = parameters.map(({ name }) => name);
  return names.includes('x-svc-wallet-id') && !names.includes('walletId');
}

function comment({ operation }: DocumentedOperation): string {
  const scopes = operation['x-required-scopes'] ?? [];
  const lines = [operation.summary, ...(operation.description ?? '').split('\n')];
  if (scopes.length > 0) lines.push(`Scopes of the API key: ${scopes.join(', ')}.`);
  const text = lines.filter((line) => line.trim() !== '').map((line) => `   * ${line.replaceAll('*/', '*\\/')}\n`);
  return `  /**\n${text.join('')}   */\n`;
}

/** Returns the source text of `lists`: for each paginated operation, the response member that has the entries. */
function pagesOf({ components }: ApiDocument, operations: DocumentedOperation[]): string[] {
  const lists = operations.flatMap(({ id, operation }) => {
    const response = operation.responses['200'];
    const schema =
      response !== undefined && !('$ref' in response) ? response.content?.['application/json']?.schema : {};
    const { properties = {} } =
      schema?.$ref === undefined ? {} : (components.schemas[nameOf({ $ref: schema.$ref })] ?? {});
    const entries = Object.entries(properties).find(([, property]) => isArray(property));
    return properties.pagination !== undefined && entries !== undefined ? [`  ${id}: '${entries[0]}',\n`] : [];
  });
  return [
    '/** The lists with pages, and the member of each response that has the entries. */\n',
    `export const lists = {\n${lists.join('')}} as const;\n`,
  ];
}

function isArray({ type }: Schema): boolean {
  return type === 'array';
}
