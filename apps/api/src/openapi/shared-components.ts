import { REPLAYED_HEADER } from '#access';
import { errorSchemaNames } from './error-responses.js';
import {
  ownResponses,
  type DocumentedOperation,
  type DocumentedParameter,
  type DocumentedResponse,
} from './operation.js';

/** A response or parameter in the document, and the function that replaces it by a reference. */
interface Place<Component> {
  component: Component;
  name: string;
  refer: (to: { $ref: string }) => void;
}

/** Moves the error responses that several operations have into components, and refers to them. */
export function shareErrorResponses(operations: DocumentedOperation[]): Record<string, DocumentedResponse> {
  const places = operations.flatMap((operation) =>
    ownResponses(operation)
      .filter(([status]) => Number(status) >= 400)
      .map(([status, component]) => ({
        component,
        name: responseName(component, status),
        refer: (to: { $ref: string }) => (operation.responses[status] = to),
      })),
  );
  return share('responses', places);
}

/** Moves the parameters that several operations have into components, and refers to them. */
export function shareParameters(operations: DocumentedOperation[]): Record<string, DocumentedParameter> {
  const places = operations.flatMap(({ parameters = [] }) =>
    parameters.flatMap((component, index) =>
      '$ref' in component
        ? []
        : [{ component, name: parameterName(component), refer: (to: { $ref: string }) => (parameters[index] = to) }],
    ),
  );
  return share('parameters', places);
}

/**
 * Moves each component that occurs in several places into `components`, and puts references in these places. A
 * component whose name another component already has is not moved.
 */
function share<Component>(kind: string, places: Place<Component>[]): Record<string, Component> {
  const equal = new Map<string, Place<Component>[]>();
  for (const place of places) {
    const text = JSON.stringify(place.component);
    equal.set(text, [...(equal.get(text) ?? []), place]);
  }
  const shared: Record<string, Component> = {};
  for (const [first, ...others] of equal.values()) {
    if (first === undefined || others.length === 0 || first.name in shared) continue;
    const { name, component } = first;
    shared[name] = component;
    for (const { refer } of [first, ...others]) refer({ $ref: `#/components/${kind}/${name}` });
  }
  return shared;
}

/**
 * Builds the name of a response from its codes and its status, with `Stored` where an `Idempotency-Key` can replay the
 * response.
 */
function responseName(response: DocumentedResponse, status: string): string {
  const codes = errorSchemaNames(response).map((name) => name.replace(/Error$/, ''));
  return `${codes.join('Or')}${status}${REPLAYED_HEADER in (response.headers ?? {}) ? 'Stored' : ''}`;
}

function parameterName({ name, in: place, required = false }: DocumentedParameter): string {
  return [required ? '' : 'Optional', ...name.split('-'), place].map(capitalized).join('');
}

function capitalized(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
