import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { ApiDocument } from '../../src/openapi/build-openapi.js';
import { documentedRoutes, resolveReference } from './documented-routes.js';
import { errorCodes, isErrorCode, type ErrorCodeInfo } from '#platform/errors';

export interface Answer<Body = Record<string, unknown>> {
  status: number;
  headers: Record<string, string | undefined>;
  body: Body;
}

interface DocumentedResponse {
  content?: Record<string, unknown>;
}

interface Operation {
  responses: Record<string, DocumentedResponse | undefined>;
  'x-error-codes'?: string[];
}

type JsonObject = Record<string, unknown>;

const FORMATS = {
  uuid: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
  'date-time': /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/,
  uri: /^https?:\/\//,
};

/** Checks each response of the API against the OpenAPI document: status, media type, error code and all members. */
export class DocumentedResponses {
  private static last: { text: string; responses: DocumentedResponses } | null = null;
  private readonly ajv = new Ajv2020({ strict: false, allErrors: true, formats: FORMATS });
  private readonly validators = new Map<string, ValidateFunction>();
  private readonly operations: Record<string, object>;
  private readonly routes: { pattern: RegExp; template: string }[];

  /** Compiles the schemas of equal documents once, because almost all test files have equal documents. */
  static of(document: ApiDocument): DocumentedResponses {
    const text = JSON.stringify(document);
    if (this.last?.text !== text) this.last = { text, responses: new DocumentedResponses(document) };
    return this.last.responses;
  }

  private constructor(private readonly document: ApiDocument) {
    // `closed` makes each undocumented member of a response an error.
    this.ajv.addSchema({ $id: 'openapi', components: closed(document.components) });
    this.operations = documentedRoutes(document);
    this.routes = Object.keys(this.operations)
      .sort((a, b) => a.split('{').length - b.split('{').length)
      .map((template) => ({ template, pattern: new RegExp(`^${template.replaceAll(/\{[^}]+\}/g, '[^/]+')}$`) }));
  }

  /** @throws when the document does not describe the response */
  check(method: string, path: string, { status, headers, body }: Answer): void {
    const what = `${method} ${path} → ${status} ${JSON.stringify(body)}`;
    if (headers['x-request-id'] === undefined) throw new Error(`no x-request-id: ${what}`);
    if ([429, 503].includes(status) && !(Number(headers['retry-after']) > 0))
      throw new Error(`no retry-after: ${what}`);
    const mediaType = headers['content-type']?.split(';')[0] ?? 'none';
    const operation = this.operation(method, path);
    if (operation === undefined && status !== 404) throw new Error(`undocumented operation: ${what}`);
    if (status >= 400) checkCode(operation, status, body, what);
    const documented = operation === undefined ? UNKNOWN_PATH : this.schemaOf(operation, status, mediaType);
    const schema = schemaOfCode(documented, body);
    if (schema === undefined) throw new Error(`undocumented status or media type ${mediaType}: ${what}`);
    const validate = this.validator(schema);
    if (!validate(body)) throw new Error(`${this.ajv.errorsText(validate.errors)}: ${what}`);
  }

  private operation(method: string, path: string): Operation | undefined {
    const template = this.routes.find(({ pattern }) => pattern.test(path))?.template;
    const operations = template === undefined ? {} : (this.operations[template] as Record<string, unknown>);
    return operations[method.toLowerCase()] as Operation | undefined;
  }

  private schemaOf(operation: Operation, status: number, mediaType: string): unknown {
    const response = operation.responses[String(status)];
    const { content } = response === undefined ? {} : resolveReference(this.document, response);
    return (content?.[mediaType] as { schema?: unknown } | undefined)?.schema;
  }

  private validator(schema: unknown): ValidateFunction {
    const key = JSON.stringify(schema);
    const known = this.validators.get(key) ?? this.ajv.compile(closed(JSON.parse(key)) as JsonObject);
    this.validators.set(key, known);
    return known;
  }
}

/** The form of the response to a path that does not exist. */
const UNKNOWN_PATH = { $ref: '#/components/schemas/GenericNotFoundError' };

function checkCode(operation: Operation | undefined, status: number, body: JsonObject, what: string): void {
  const code = body.code ?? body.type;
  // The readiness probe reports its failed checks instead of a code.
  if (code === undefined && status === 503) return;
  if (typeof code !== 'string' || !isErrorCode(code)) throw new Error(`unknown error code: ${what}`);
  const info: ErrorCodeInfo = errorCodes[code];
  if (![info.status, ...(info.otherStatuses ?? [])].includes(status)) throw new Error(`wrong status: ${what}`);
  if (operation && !operation['x-error-codes']?.includes(code)) throw new Error(`undocumented error code: ${what}`);
}

/**
 * Returns the schema of the error code in the body when the response can have several error codes. The check then
 * reports the violations of this schema only.
 */
function schemaOfCode(schema: unknown, body: JsonObject): unknown {
  const { discriminator } = (schema ?? {}) as { discriminator?: { mapping: Record<string, string> } };
  const $ref = discriminator?.mapping[String(body.type)];
  return $ref === undefined ? schema : { $ref };
}

/**
 * Forbids additional members in object schemas that do not mention `additionalProperties`, and makes local references
 * absolute.
 */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const entries = Object.entries(schema).map(([key, value]): [string, unknown] =>
    key === '$ref' && typeof value === 'string' ? [key, value.replace(/^#/, 'openapi#')] : [key, closed(value)],
  );
  const copy = Object.fromEntries(entries);
  const isObject = typeof copy.properties === 'object' && copy.type === 'object';
  return isObject && copy.additionalProperties === undefined ? { ...copy, additionalProperties: false } : copy;
}
