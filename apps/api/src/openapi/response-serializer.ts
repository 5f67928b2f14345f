import fastJson, { type Schema } from 'fast-json-stringify';

/** A schema of the OpenAPI document, as far as a serializer needs it. */
interface DocumentedSchema {
  $ref?: string;
  allOf?: DocumentedSchema[];
  anyOf?: DocumentedSchema[];
  oneOf?: DocumentedSchema[];
  type?: string | string[];
  properties?: Record<string, DocumentedSchema>;
  items?: DocumentedSchema;
  additionalProperties?: boolean | DocumentedSchema;
}

/** A response schema cannot be compiled to a serializer that writes what `JSON.stringify` writes. */
class NotSerializable extends Error {
  constructor(where: string, schema: DocumentedSchema) {
    super(`${where}: no serializer for ${JSON.stringify(schema).slice(0, 200)}`);
  }
}

/** The parts of the OpenAPI document that the serializer of a response depends on. */
export interface DocumentWithSchemas {
  paths: Record<string, object>;
  components?: object;
}

type Schemas = Readonly<Record<string, DocumentedSchema>>;

const SIMPLE_TYPES = ['string', 'number', 'boolean'];

/**
 * Compiles the serializer of an operation's 200 response. It writes the declared members alone, in their declared
 * order.
 * @param url pattern of the route
 * @throws NotSerializable
 */
export function compileSerializer(
  document: DocumentWithSchemas,
  url: string,
  method: string,
): (response: unknown) => string {
  const path = document.paths[url.replaceAll(/:(\w+)/g, '{$1}')] as Record<string, DocumentedResponses> | undefined;
  const schema = path?.[method.toLowerCase()]?.responses['200']?.content?.['application/json']?.schema;
  if (schema === undefined) throw new NotSerializable(`${method} ${url}`, {});
  const { schemas = {} } = (document.components ?? {}) as { schemas?: Schemas };
  return fastJson(toCompile(schema, schemas, `${method} ${url}`));
}

interface DocumentedResponses {
  responses: Record<string, { content?: Record<string, { schema?: DocumentedSchema }> } | undefined>;
}

/**
 * Resolves references, and leaves out keywords that do not change the JSON text, such as `format`. It also leaves out
 * `required`, because the library would write the required members first.
 */
function toCompile(schema: DocumentedSchema, schemas: Schemas, where: string): Schema {
  const { $ref, allOf, anyOf } = schema;
  if ($ref !== undefined) return toCompile(schemas[$ref.split('/').at(-1) ?? ''] ?? {}, schemas, where);
  const [only, ...others] = allOf ?? anyOf?.filter(({ type }) => type !== 'null') ?? [];
  if (isPlainMap(schema)) return {} as Schema;
  if (only === undefined) return { ...typesOf(schema, where), ...membersOf(schema, schemas, where) } as Schema;
  if (others.length > 0) throw new NotSerializable(where, schema);
  return { ...toCompile(only, schemas, where), ...(allOf === undefined && { nullable: true }) };
}

/**
 * Whether the schema is that of a map of texts, numbers or booleans. `JSON.stringify` writes such a map, which takes a
 * tenth of the time that the library needs for it.
 */
function isPlainMap({ properties, additionalProperties: of }: DocumentedSchema): boolean {
  return properties === undefined && typeof of === 'object' && SIMPLE_TYPES.includes(String(of.type));
}

function membersOf({ properties, items, additionalProperties }: DocumentedSchema, schemas: Schemas, where: string) {
  const inner = (other: DocumentedSchema, name: string): Schema => toCompile(other, schemas, `${where}.${name}`);
  return {
    ...(properties !== undefined && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, of]) => [name, inner(of, name)])),
    }),
    ...(items !== undefined && { items: inner(items, 'items') }),
    ...(additionalProperties !== undefined && {
      additionalProperties:
        typeof additionalProperties === 'boolean' ? additionalProperties : inner(additionalProperties, 'additional'),
    }),
  };
}

/** Returns the type, with `number` for `integer`, because a serializer of integers would cut off a fraction. */
function typesOf(schema: DocumentedSchema, where: string): { type: string | string[]; nullable: boolean } {
  const { type, oneOf = [] } = schema;
  const all = type === undefined ? oneOf.map((one) => String(one.type)) : [type].flat();
  const types = all.filter((one) => one !== 'null').map((one) => (one === 'integer' ? 'number' : one));
  const [only] = types;
  const areSimple = types.every((one) => SIMPLE_TYPES.includes(one));
  if (only === undefined || (types.length > 1 && !areSimple)) throw new NotSerializable(where, schema);
  return { type: types.length === 1 ? only : types, nullable: all.includes('null') };
}
