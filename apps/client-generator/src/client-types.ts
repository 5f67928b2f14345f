import openapiTS, { astToString, STRING, tsIntersection } from 'openapi-typescript';
import ts from 'typescript';
import { nameOf, type ApiDocument, type DocumentedOperation, type Parameter, type Schema } from './api-document.js';
import { isCalledByApplications } from './client-operations.js';

const HEADER = '// Generated from openapi.json by `npm run docs`; do not edit.\n\n';

/** A string with this format gets the type `string & {}`. Editors still offer the literals in a union with it. */
const OPEN_FORMAT = 'open';
const OPEN_STRING = tsIntersection([STRING, ts.factory.createTypeLiteralNode([])]);

/** Returns the text of a module with the types of requests, responses, errors and events. */
export async function typesModule(document: ApiDocument, operations: DocumentedOperation[]): Promise<string> {
  const slim = JSON.stringify(slimDocument(document, operations));
  const nodes = await openapiTS(Buffer.from(slim), {
    silent: true,
    defaultNonNullable: false,
    transform: ({ format }) => (format === OPEN_FORMAT ? OPEN_STRING : undefined),
  });
  return [HEADER, astToString(nodes), '\n', ...errorsByCode(document), '\n', ...eventsByType(document)].join('');
}

/**
 * Leaves out the headers, which the client sets itself, and the errors of each operation, because `ErrorBodies` has the
 * errors of all operations by code.
 */
function slimDocument({ openapi, info, components }: ApiDocument, operations: DocumentedOperation[]): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const { path, method, operation, parameters } of operations.filter(isCalledByApplications)) {
    const successes = Object.entries(operation.responses).filter(([status]) => status.startsWith('2'));
    const responses = successes.map(([status, response]) => [status, { ...response, headers: undefined }] as const);
    (paths[path] ??= {})[method.toLowerCase()] = {
      ...operation,
      parameters: parameters.filter((parameter) => isTyped(parameter)).map((parameter) => withOpenSchema(parameter)),
      responses: Object.fromEntries(responses),
    };
  }
  const schemas = Object.entries(components.schemas).map(([name, schema]) => [name, withOpenProperties(schema)]);
  return { openapi, info, paths, components: { schemas: Object.fromEntries(schemas) as object } };
}

function withOpenSchema(parameter: Parameter): object {
  return { ...parameter, schema: opened(parameter.name, parameter.schema) };
}

function withOpenProperties(schema: Schema): object {
  if (schema.properties === undefined) return schema;
  const properties = Object.entries(schema.properties).map(([name, property]) => [name, opened(name, property)]);
  return { ...schema, properties: Object.fromEntries(properties) as object };
}

/**
 * Allows exchanges that are not listed, while editors still complete the listed ones. The installation may have
 * exchanges that were added after the application was built.
 */
function opened(name: string, schema: Schema | undefined): object | undefined {
  if (name !== 'exchange' || schema?.enum === undefined) return schema;
  const { enum: known, type, ...documentation } = schema;
  return {
    ...documentation,
    anyOf: [
      { type, enum: known },
      { type: 'string', format: OPEN_FORMAT },
    ],
  };
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
    if ($ref === undefined) throw new Error(`openapi.json has no schema for the event ${type}`);
    return `  '${type}': components['schemas']['${nameOf({ $ref })}'];\n`;
  });
  return ['/** The body of a webhook, by its type. */\n', 'export interface WebhookEvents {\n', ...lines, '}\n'];
}
