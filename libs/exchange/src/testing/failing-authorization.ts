import { AuthorizationError } from '../port/authorization.port.js';

/** What a call throws; nothing that is named a canary, and no secret of ours, is in it or in its causes. */
export async function failing(call: Promise<unknown>): Promise<AuthorizationError> {
  const error: unknown = await call.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof AuthorizationError)) throw new Error('it should fail, and with this error');
  const chain: string[] = [];
  for (let one: unknown = error; one instanceof Error; one = one.cause) {
    chain.push(one.message, one.stack ?? '', JSON.stringify(one), JSON.stringify(Object.entries(one)));
  }
  expect(chain.join('\n')).not.toMatch(/canary|causeway-sandbox-secret/);
  return error;
}
