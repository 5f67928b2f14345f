import type { ApiDocument } from '../../src/openapi/build-openapi.js';

/** The paths of the OpenAPI document, and those of its WebSockets, which `paths` does not contain. */
export function documentedRoutes(document: ApiDocument): Record<string, object> {
  return { ...document.paths, ...document['x-websockets'] };
}

/** The component that the value refers to, or the value itself. */
export function resolveReference<Value extends object>({ components }: ApiDocument, value: Value): Value {
  if (!('$ref' in value)) return value;
  const [kind = '', name = ''] = String(value.$ref).split('/').slice(2);
  return (components as Record<string, Record<string, Value>>)[kind]?.[name] ?? value;
}
