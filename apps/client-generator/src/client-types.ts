import openapiTS, { astToString } from 'openapi-typescript';
import { nameOf, type ApiDocument, type DocumentedOperation, type Parameter } from './api-document.js';
import { isCalledByApplications } from './client-operations.js';

const HEADER = '// Generated from openapi.json by `npm run docs`; do not edit.\n\n';

/** Returns the types of requests, responses, errors and events. */
export async function typesModule(document: ApiDocument, operations: DocumentedOperation[]): Promise<string> {
  const slim = JSON.stringify(slimDocument(document, operations));
  const nodes = await openapiTS(Buffer.from(slim), { silent: true, defaultNonNullable: false });
  return [HEADER, astToString(nodes), '\n', ...errorsByCode(document), '\n', ...eventsByType(document)].join('');
}

/**
 * Leaves out the parts that the client types by itself: headers, and the errors of each operation, which are one union
 * by code.
 */
function slimDocument({ openapi, info, components }: ApiDocument, operations: DocumentedOperation[]): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const { path, method, operation, parameters } of operations.filter(isCalledByApplications)) {
    const successes = Object.entries(operation.responses).filter(([status]) => status.startsWith('2'));
    const responses = successes.map(([status, response]) => [status, { ...response, headers: undefined }] as const);
    (paths[path] ??= {})[method.toLowerCase()] = {
      ...operation,
      parameters: parameters.filter((parameter) => isTyped(parameter)),
      responses: Object.fromEntries(responses),
    };
  }
  return { openapi, info, paths, components: { schemas: components.schemas } };
}

function isTyped({ in: place }: Parameter): boolean {
  return place === 'path' || place === 'query';
}

function errorsByCode({ components }: ApiDocument): string[] {
  const lines = Object.entries(components.schemas).flatMap(([name, { properties }]) => {
    const code = properties?.type?.enum?.[0];
    if (!name.endsWith('Error') || typeof code !== 'string') return [];
    return [`  ${code}: components['schemas']['${name}'];\n`];
  });
  return ['/** The body of an error response, by its code. */\n', 'export interface ErrorBodies {\n', ...lines, '}\n'];
}

function eventsByType({ webhooks }: ApiDocument): string[] {
  const lines = Object.entries(webhooks).map(([type, { post }]) => {
    const $ref = post.requestBody?.content['application/json']?.schema?.$ref;
    if ($ref === undefined) throw new Error(`no schema of the event ${type}`);
    return `  '${type}': components['schemas']['${nameOf({ $ref })}'];\n`;
  });
  return ['/** The body of a webhook, by its type. */\n', 'export interface WebhookEvents {\n', ...lines, '}\n'];
}
