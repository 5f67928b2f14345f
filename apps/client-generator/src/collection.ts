import { nameOf, type ApiDocument, type DocumentedOperation, type Parameter, type Schema } from './api-document.js';

const SCHEMA = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';
/**
 * Placeholders. A person fills them in once (`.local/demo.json` of `npm start` has their values). A script fills in
 * `idem`.
 */
const VARIABLES = {
  baseUrl: 'http://127.0.0.1:8787',
  apiKey: '',
  orgId: '',
  projectId: '',
  walletId: 'demo-wallet',
  adminToken: '',
  idem: '',
};
const HEADERS: Record<string, string> = {
  'x-svc-api-key': '{{apiKey}}',
  'x-svc-org-id': '{{orgId}}',
  'x-svc-project-id': '{{projectId}}',
  'x-svc-wallet-id': '{{walletId}}',
};
/** The operations that no person sends: the browsers of owners and the exchanges call them. */
const LEFT_OUT = new Set(['finishAuthorization', 'receiveWebhook']);
/** The operations that begin a connect, with an `idem` of their own. */
const BEGINS_CONNECT = new Set(['createConnectUrl', 'createConnectUrlWithoutExchange']);
/** Stores the `idem` of the response, so that the request for the outcome polls the connect that was begun last. */
const KEEP_IDEM = ['const { idem } = pm.response.json();', "if (idem) pm.collectionVariables.set('idem', idem);"];
/** Maximum depth of a generated example. The bodies of the interface have two levels. */
const DEPTH_MAX = 4;

/** Returns a collection in Postman's format, which Postman, Bruno, Insomnia and Hoppscotch import. */
export function collection(document: ApiDocument, operations: DocumentedOperation[]): object {
  const called = operations.filter(({ id }) => !LEFT_OUT.has(id));
  const tags = [...new Set(called.map(({ operation }) => operation.tags[0] ?? ''))];
  return {
    info: { name: document.info.title, description: document.info.description, schema: SCHEMA },
    variable: Object.entries(VARIABLES).map(([key, value]) => ({ key, value })),
    item: tags.map((tag) => ({
      name: tag,
      item: called.filter(({ operation }) => operation.tags[0] === tag).map((operation) => itemOf(document, operation)),
    })),
  };
}

function itemOf(document: ApiDocument, { id, method, path, operation, parameters }: DocumentedOperation): object {
  const placed = (place: Parameter['in']) => parameters.filter((parameter) => parameter.in === place);
  const beginsConnect = BEGINS_CONNECT.has(id);
  const idem = beginsConnect ? '{{$guid}}' : '{{idem}}';
  const query = placed('query').map((parameter) => ({
    key: parameter.name,
    value: parameter.name === 'idem' ? idem : textOf(exampleOf(document, parameter.schema, 0, parameter.example)),
    description: parameter.description,
    disabled: parameter.required !== true,
  }));
  const segments = path.split('/').slice(1);
  const variables = placed('path').map(({ name, description, schema, example }) => ({
    key: name,
    value: textOf(exampleOf(document, schema, 0, example)),
    description,
  }));
  const search = query.filter(({ disabled }) => !disabled).map(({ key, value }) => `${key}=${value}`);
  return {
    name: operation.summary,
    ...(beginsConnect && { event: [{ listen: 'test', script: { type: 'text/javascript', exec: KEEP_IDEM } }] }),
    request: {
      method,
      description: [`\`${id}\``, operation.description].join('\n\n'),
      header: headersOf(operation.security, placed('header'), operation.requestBody !== undefined),
      url: {
        raw: `{{baseUrl}}${path.replaceAll(/\{(\w+)\}/g, ':$1')}${search.length > 0 ? `?${search.join('&')}` : ''}`,
        host: ['{{baseUrl}}'],
        path: segments.map((segment) => segment.replace(/^\{(\w+)\}$/, ':$1')),
        ...(query.length > 0 && { query }),
        ...(variables.length > 0 && { variable: variables }),
      },
      ...(operation.requestBody !== undefined && { body: bodyOf(document, operation.requestBody.content) }),
    },
  };
}

function headersOf(security: Record<string, string[]>[] = [], parameters: Parameter[], hasBody: boolean): object[] {
  const schemes = Object.keys(security[0] ?? {});
  const names = [...schemes, ...parameters.map(({ name }) => name)].filter((name) => HEADERS[name] !== undefined);
  const headers = [...new Set(names)].map((key) => ({ key, value: HEADERS[key] }));
  if (schemes.includes('admin-token')) headers.push({ key: 'authorization', value: 'Bearer {{adminToken}}' });
  if (parameters.some(({ name }) => name === 'Idempotency-Key'))
    headers.push({ key: 'Idempotency-Key', value: '{{$guid}}' });
  if (hasBody) headers.push({ key: 'content-type', value: 'application/json' });
  return headers;
}

function bodyOf(
  document: ApiDocument,
  content: NonNullable<DocumentedOperation['operation']['requestBody']>['content'],
): object {
  const { examples = {}, schema } = content['application/json'] ?? {};
  const [first] = Object.values(examples);
  const example = first === undefined ? exampleOf(document, schema, 0) : first.value;
  return { mode: 'raw', raw: JSON.stringify(example, null, 2), options: { raw: { language: 'json' } } };
}

/** Returns the documented example of a schema, or else an example with the schema's required members. */
function exampleOf(document: ApiDocument, schema: Schema | undefined, depth: number, example?: unknown): unknown {
  if (example !== undefined) return example;
  if (schema === undefined || depth > DEPTH_MAX) return '';
  if (schema.$ref !== undefined)
    return exampleOf(document, document.components.schemas[nameOf({ $ref: schema.$ref })], depth + 1);
  if (schema.example !== undefined) return schema.example;
  if (schema.default !== undefined) return schema.default;
  if (schema.enum !== undefined) return schema.enum[0];
  const { properties = {}, required = [], items, type } = schema;
  if (items !== undefined) return [exampleOf(document, items, depth + 1)];
  if (type === 'boolean') return false;
  if (type !== 'object') return '';
  return Object.fromEntries(required.map((name) => [name, exampleOf(document, properties[name], depth + 1)]));
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
