import { AuthorizationError } from '../port/authorization.port.js';

/**
 * Returns the error of a call, after checking that neither it nor its causes contain a secret or a text with "canary".
 */
export async function failing(call: Promise<unknown>): Promise<AuthorizationError> {
  const error: unknown = await call.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof AuthorizationError)) throw new Error('the call should fail with an AuthorizationError');
  const chain: string[] = [];
  for (let one: unknown = error; one instanceof Error; one = one.cause) {
    chain.push(one.message, one.stack ?? '', JSON.stringify(one), JSON.stringify(Object.entries(one)));
  }
  expect(chain.join('\n')).not.toMatch(/canary|causeway-sandbox-secret/);
  return error;
}
