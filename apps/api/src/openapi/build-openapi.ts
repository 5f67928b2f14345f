import { STATUS_CODES } from 'node:http';
import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import { ADMIN_SECURITY, API_KEY_HEADER, ORGANIZATION_HEADER, PROJECT_HEADER } from '#access';
import { VERSION } from '#platform/config';
import { errorCodes, type ErrorCode } from '#platform/errors';
import { ProblemResponse } from '#platform/http';
import { documentCaching } from './caching.js';
import { describeErrors } from './error-responses.js';
import { sharedResults } from './error-results.js';
import { errorSchema, errorSchemaName } from './error-schemas.js';
import { addExamples } from './examples.js';
import { headerRef, sharedHeaders } from './headers.js';
import { documentIdempotency, documentReplays, takesIdempotencyKey } from './idempotency.js';
import { ownResponses, type DocumentedOperation } from './operation.js';
import { shareErrorResponses, shareParameters } from './shared-components.js';
import { addWebhooks } from './webhook-events.js';
import { takeWebSockets, type WebSockets } from './web-sockets.js';

const DESCRIPTION = `One HTTP API in front of accounts at crypto exchanges.

A connected exchange account is a **wallet**. Connect one, read its balances, ask for a withdrawal **quote**, execute the
quote, and follow the **transaction** until it is \`ok\`, \`failed\` or \`canceled\`.

- **Credentials**: \`${API_KEY_HEADER}\`, \`${ORGANIZATION_HEADER}\` and \`${PROJECT_HEADER}\` together; each operation
  lists the scopes that the key needs (\`x-required-scopes\`) and the error codes that it can return (\`x-error-codes\`).
  Operations under \`/v0/admin\` require the admin token of the installation (\`ADMIN_TOKEN\`) instead, as a bearer token.
- **Amounts** in requests are plain decimal strings. Where amounts in responses are JSON numbers, \`exact\` beside them
  has the same members as exact decimal strings.
- **Errors** have one form, \`{error, type, requestId, …}\`; with \`Accept: application/problem+json\` the same facts come as
  RFC 9457 problem details. Checks come in this order: body, credentials, scopes, parameters, wallet, operation.
- **Repeats**: every POST and PUT of a project takes an \`Idempotency-Key\`. The first response is kept for 24 hours, and an
  equal request with the same key gets it again, with \`idempotent-replayed: true\`. Faults, rate limits, conflicts with
  a request in progress and GENERIC_VALIDATION_ERROR are not kept, and the key may be used again.
  Executing a quote needs no key, because a quote is executed at most once.
- **Bodies** are JSON objects in UTF-8 with the header \`content-type: application/json\`. A body with
  another content type or without one is refused, because ignoring its fields could change what is paid.
  For the same reason, a body that names a member twice is refused. An empty body counts as no body, whatever its
  content type.
- **Unknown** query parameters and body members are ignored. A value of a wrong type is refused, and the error names
  the field. Six operations are stricter: Quote withdrawal, Execute withdrawal, Place order, Issue API key, Rotate API
  key and Rotate webhook secret. They refuse a member whose name is not ASCII, or differs from a documented name only
  in case or separators, and a query parameter with the name of a member. Quote withdrawal and Execute withdrawal also
  refuse other usual names of \`tag\`, such as \`memo\`, and Place order those of its members, such as \`limitPrice\`, and
  members of stop orders. Execute withdrawal refuses a request that looks like a dry run but is not exactly one. Place
  order refuses every request that looks like a dry run.
- **Integers** in queries consist of one to nine digits. Control characters are refused in paths, queries and
  bodies; a private key (\`apiSecret\`) may have line breaks.
- Every response has an \`x-request-id\`: the caller's, if it is 1 to 128 printable ASCII characters, otherwise ours.`;

const TAGS = {
  Connecting:
    'Operations with which the owner of an account connects it, and with which the application learns the outcome of connect sessions and withdrawals. ' +
    'There is also a WebSocket, `GET /v0/ws/oauth2/listen?idem=…&orgId=…`, which the extension `x-websockets` of this ' +
    'document describes. It has the parameters of `streamEvents`, but `lastMessageId` instead of `lastEventId`. Each of ' +
    'its text frames is a `TopicMessageResponse`.',
  Wallets: 'Connected exchange accounts.',
  Withdrawals: 'Balances that can be withdrawn, fees, quotes, and their execution: at most once for each quote.',
  Deposits: 'Addresses at which a wallet receives deposits.',
  Transactions: 'Deposits and withdrawals of wallets, also pending ones.',
  Trading:
    'The assets that can be traded at an exchange, and spot orders. A request with an `Idempotency-Key` places at most one order.',
  Market: 'Public prices in US dollars.',
  Webhooks:
    'Endpoints that receive the events of a project, and the log of their deliveries. `webhooks` of this document describes the events. ' +
    'Operations under `/v0/admin` require the admin token.',
  Organization: 'The API key in use.',
  Admin:
    'Organizations, projects and keys, for the operator of this installation. All operations require the admin token.',
  Health: 'Probes for the operator of this installation.',
};

export type ApiDocument = OpenAPIObject & { 'x-websockets': WebSockets };

/** The OpenAPI 3.1 document of the API, derived from its controllers and DTOs. */
export function buildOpenApi(app: INestApplication): ApiDocument {
  const builder = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Causeway')
    .setVersion(VERSION)
    .setDescription(DESCRIPTION)
    .setLicense('MIT', 'https://opensource.org/license/mit')
    .addServer('/', 'The installation that serves this document.')
    .addApiKey(apiKey(API_KEY_HEADER, 'API key, `svc_live_…` or `svc_test_…`.'), API_KEY_HEADER)
    .addApiKey(apiKey(ORGANIZATION_HEADER, 'Organization of the key.'), ORGANIZATION_HEADER)
    .addApiKey(apiKey(PROJECT_HEADER, 'Project of the key.'), PROJECT_HEADER)
    .addSecurity(ADMIN_SECURITY, {
      type: 'http',
      scheme: 'bearer',
      description: 'ADMIN_TOKEN of this installation, an opaque text.',
    });
  for (const [name, description] of Object.entries(TAGS)) builder.addTag(name, description);

  const document = SwaggerModule.createDocument(app, builder.build(), { extraModels: [ProblemResponse] });
  const operations = operationsOf(document);
  for (const [method, operation] of operations) completeOperation(method, operation);
  addExamples(document);
  document.tags = document.tags?.filter(({ name }) => usedTags(document).has(name));
  addWebhooks(document);
  const sockets = takeWebSockets(document);
  const all = operations.map(([, operation]) => operation);
  document.paths = sorted(document.paths);
  document.components = {
    ...document.components,
    schemas: sorted({ ...document.components?.schemas, ...errorSchemas(operations) }),
    responses: sorted(shareErrorResponses(all)),
    parameters: sorted(shareParameters(all)),
    headers: sharedHeaders,
  } as OpenAPIObject['components'];
  return Object.assign(document, { 'x-websockets': sockets });
}

function operationsOf({ paths }: OpenAPIObject): [method: string, DocumentedOperation][] {
  return Object.values(paths).flatMap((path) => Object.entries(path as Record<string, DocumentedOperation>));
}

function apiKey(name: string, description: string) {
  return { type: 'apiKey', in: 'header', name, description } as const;
}

/** Adds the headers and errors that follow from the kind of operation, so that controllers do not repeat them. */
function completeOperation(method: string, operation: DocumentedOperation): void {
  const isRepeatable = takesIdempotencyKey(method, operation);
  if (isRepeatable) documentIdempotency(operation);
  documentCaching(operation);
  // An empty list means that the operation takes no credentials.
  operation.security ??= [];
  describeErrors(operation);
  for (const [status, response] of ownResponses(operation)) {
    response.description = response.description || STATUS_CODES[status];
    response.headers = { ...response.headers, ...headersOf(status) };
  }
  if (isRepeatable) documentReplays(operation);
}

function headersOf(status: string): Record<string, object> {
  const requestId = { 'x-request-id': headerRef('RequestId') };
  return ['429', '502', '503'].includes(status) ? { ...requestId, 'retry-after': headerRef('RetryAfter') } : requestId;
}

/** The schemas of the error codes that operations return, and of the results that several codes share. */
function errorSchemas(operations: [string, DocumentedOperation][]): Record<string, object> {
  const codes = new Set(operations.flatMap(([, operation]) => operation['x-error-codes'] as ErrorCode[]));
  const known = (Object.keys(errorCodes) as ErrorCode[]).filter((code) => codes.has(code));
  return { ...sharedResults, ...Object.fromEntries(known.map((code) => [errorSchemaName(code), errorSchema(code)])) };
}

function usedTags(document: OpenAPIObject): Set<string> {
  const operations = Object.values(document.paths).flatMap((path) =>
    Object.values(path as Record<string, { tags?: string[] }>),
  );
  return new Set(operations.flatMap(({ tags = [] }) => tags));
}

/** Sorts the members by name, because `openapi.json` is compared and must not depend on the order of imports. */
function sorted<Value>(record: Record<string, Value>): Record<string, Value> {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
}
