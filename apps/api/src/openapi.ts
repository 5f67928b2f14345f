import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule, getSchemaPath, type OpenAPIObject } from '@nestjs/swagger';
import { ADMIN_SECURITY, API_KEY_HEADER, ORGANIZATION_HEADER, PROJECT_HEADER } from '#access';
import { VERSION } from '#platform/config';
import { ErrorResponse, ProblemResponse } from '#platform/http';
import { addExamples } from './openapi-examples.js';
import { documentCaching } from './openapi-cache.js';
import { documentIdempotency } from './openapi-idempotency.js';

const DESCRIPTION = `One HTTP API in front of accounts at crypto exchanges.

A connected exchange account is a **wallet**. Connect one, read its balances, ask for a withdrawal **quote**, execute the
quote, and follow the **transaction** until it is \`ok\`, \`failed\` or \`canceled\`.

- **Credentials**: \`${API_KEY_HEADER}\`, \`${ORGANIZATION_HEADER}\` and \`${PROJECT_HEADER}\` together; each operation
  lists the scopes that the key needs (\`x-required-scopes\`) and the error codes it can answer (\`x-error-codes\`).
- **Amounts** in requests are plain decimal strings. Where amounts in responses are JSON numbers, \`exact\` beside them
  has the same members as exact decimal strings.
- **Errors** have one form, \`{error, type, requestId, …}\`; with \`Accept: application/problem+json\` the same facts come as
  RFC 9457 problem details. Checks come in this order: body, credentials, scopes, parameters, wallet, operation.
- **Repeats**: every POST and PUT of a project takes an \`Idempotency-Key\`. The first answer is kept for 24 hours, and an
  equal request with the same key gets it again, with \`idempotent-replayed: true\`. Not kept are faults, rate limits,
  conflicts with something in flight and GENERIC_VALIDATION_ERROR: nothing was begun, and the key may be used again.
  Executing a quote needs no key: the quote is executed at most once anyway.
- **Bodies** are JSON objects in UTF-8 with the header \`content-type: application/json\`. A body of another type or of
  none is refused, and so is one that names a member twice: a field that is lost on the way can change what is paid. An
  empty body is no body, whatever its content type.
- **Unknown** query parameters and body members are ignored; wrong types are refused by name. Execute withdrawal is
  stricter: what can be meant as a dry run and is not exactly one is refused.
- **Integers** in queries are one to nine digits and nothing else. Control characters are refused in paths, queries and
  bodies; a private key (\`apiSecret\`) may have line breaks.
- Every response carries \`x-request-id\`: the caller's, when it is 1 to 128 printable ASCII characters, else ours.`;

const TAGS = {
  Connecting: 'How the owner of an account connects it, and how its application is told; also of withdrawals.',
  Wallets: 'Connected exchange accounts.',
  Withdrawals: 'Balances that can be withdrawn, fees, quotes, and their execution: at most once for each quote.',
  Deposits: 'Where a wallet receives.',
  Transactions: 'What moved, or is about to move, in and out of a wallet.',
  Trading: 'What can be traded at an exchange, and spot orders: at most one for each request.',
  Market: 'Public prices in US dollars.',
  Organization: 'The API key in use.',
  Admin: 'Organizations, projects and keys, for the operator of this installation.',
  Health: 'Probes for whoever runs this installation.',
};

type Operations = Record<string, Operation | undefined>;
interface Operation {
  summary?: string;
  security?: unknown[];
  responses: Record<string, DocumentedResponse>;
}
interface DocumentedResponse {
  description?: string;
  headers?: Record<string, unknown>;
  content?: Record<string, { schema?: unknown }>;
}

/** The OpenAPI 3.1 document of the API, derived from its controllers and DTOs. */
export function buildOpenApi(app: INestApplication): OpenAPIObject {
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
    .addBearerAuth({ type: 'http', description: 'ADMIN_TOKEN of this installation.' }, ADMIN_SECURITY);
  for (const [name, description] of Object.entries(TAGS)) builder.addTag(name, description);

  const document = SwaggerModule.createDocument(app, builder.build(), {
    operationIdFactory: (controller, method) => `${controller.replace(/Controller$/, '')}_${method}`,
    extraModels: [ErrorResponse, ProblemResponse],
  });
  for (const operations of Object.values(document.paths)) completeOperations(operations as Operations);
  addExamples(document);
  document.tags = document.tags?.filter(({ name }) => usedTags(document).has(name));
  document.paths = sorted(document.paths);
  if (document.components?.schemas) document.components.schemas = sorted(document.components.schemas);
  return document;
}

function apiKey(name: string, description: string) {
  return { type: 'apiKey', in: 'header', name, description } as const;
}

/** What every operation shares and no controller should repeat. */
function completeOperations(operations: Operations): void {
  for (const [method, operation] of Object.entries(operations)) {
    if (operation === undefined) continue;
    documentIdempotency(method, operation);
    documentCaching(operation);
    // Said, not left out: no credentials at all.
    operation.security ??= [];
    operation.responses = Object.fromEntries(
      Object.entries(operation.responses).map(([status, response]) => [
        status,
        completeResponse(status, response, operation.summary),
      ]),
    );
  }
}

function completeResponse(status: string, response: DocumentedResponse, summary?: string): DocumentedResponse {
  const description = response.description || summary;
  const headers = { ...response.headers, ...headersOf(status) };
  if (!isErrorForm(response.content?.['application/json']?.schema)) return { ...response, description, headers };
  const problem = { schema: { $ref: getSchemaPath(ProblemResponse) } };
  return { ...response, description, headers, content: { ...response.content, 'application/problem+json': problem } };
}

function headersOf(status: string): Record<string, unknown> {
  const requestId = { description: 'Leads to the log lines of this request.', schema: { type: 'string' } };
  const retryAfter = { description: 'Seconds to wait before sending the request again.', schema: { type: 'string' } };
  return { 'x-request-id': requestId, ...(['429', '503'].includes(status) ? { 'retry-after': retryAfter } : {}) };
}

function isErrorForm(schema: unknown): boolean {
  return JSON.stringify(schema) === JSON.stringify({ $ref: getSchemaPath(ErrorResponse) });
}

function usedTags(document: OpenAPIObject): Set<string> {
  const operations = Object.values(document.paths).flatMap((path) =>
    Object.values(path as Record<string, { tags?: string[] }>),
  );
  return new Set(operations.flatMap(({ tags = [] }) => tags));
}

/** The order of the code's imports must not show in a file that is compared. */
function sorted<Value>(record: Record<string, Value>): Record<string, Value> {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
}
