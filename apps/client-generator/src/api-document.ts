/** The parts of openapi.json that the generators read. */
export interface ApiDocument {
  openapi: string;
  info: { title: string; version: string; description: string };
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, { post: Operation }>;
  components: Components;
}

export interface Components {
  schemas: Record<string, Schema>;
  parameters: Record<string, Parameter>;
  responses: Record<string, Response>;
  headers?: object;
  securitySchemes?: object;
}

export interface Operation {
  operationId: string;
  summary: string;
  description?: string;
  tags: string[];
  security?: Record<string, string[]>[];
  parameters?: (Parameter | Reference)[];
  requestBody?: { required?: boolean; content: Record<string, MediaType> };
  responses: Record<string, Response | Reference>;
  'x-required-scopes'?: string[];
}

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header' | 'cookie';
  required?: boolean;
  description?: string;
  example?: unknown;
  schema?: Schema;
}

export interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  example?: unknown;
  default?: unknown;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
}

export interface Reference {
  $ref: string;
}

interface Response {
  description?: string;
  headers?: object;
  content?: Record<string, MediaType>;
}

interface MediaType {
  schema?: Schema;
  examples?: Record<string, { summary?: string; value: unknown }>;
}

/** One operation of the document, with its references resolved. */
export interface DocumentedOperation {
  id: string;
  method: string;
  path: string;
  operation: Operation;
  parameters: Parameter[];
}

const METHODS = ['get', 'post', 'put', 'delete'];

export function operationsOf(document: ApiDocument): DocumentedOperation[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method];
      if (operation === undefined) return [];
      const parameters = (operation.parameters ?? []).map((parameter) => resolveParameter(document, parameter));
      return [{ id: operation.operationId, method: method.toUpperCase(), path, operation, parameters }];
    }),
  );
}

/** Returns the name of the component that a reference leads to. */
export function nameOf({ $ref }: Reference): string {
  return $ref.slice($ref.lastIndexOf('/') + 1);
}

function resolveParameter({ components }: ApiDocument, parameter: Parameter | Reference): Parameter {
  if (!('$ref' in parameter)) return parameter;
  const found = components.parameters[nameOf(parameter)];
  if (found === undefined) throw new Error(`openapi.json has no parameter ${parameter.$ref}`);
  return found;
}
