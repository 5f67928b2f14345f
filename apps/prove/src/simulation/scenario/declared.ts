import type { SubmissionClass } from '#exchange';
import { createExchanges, declaredExchanges } from '#exchange/testing';
import { loadConfig } from '#platform/config';
import { Secret } from '#platform/crypto';

/** The traits of an exchange that decide how its withdrawals are settled. They are read from its connector. */
export interface DeclaredTraits {
  exchange: string;
  class: SubmissionClass;
  /** Whether each request states the moment until which the exchange accepts it. */
  hasDeadline: boolean;
  /** Whether the exchange lists the movements of an account. */
  hasMovements: boolean;
  /** Whether the exchange lists the balance of the paying account after each change. */
  hasPayingAccount: boolean;
  /** Whether a withdrawal is verified in a challenge of several steps. */
  hasChallenges: boolean;
}

/** An address without a server. The traits are read from sessions that make no call. */
const NOBODY = 'http://127.0.0.1:1';

/** Exchanges whose connectors make withdrawals. */
export const withdrawingExchanges: readonly string[] = Object.values(declaredExchanges)
  .map(({ spec }) => spec)
  .filter(({ withdrawals }) => withdrawals !== undefined)
  .map(({ id }) => id);

/** Reads the traits from the declaration and a session of the real connector. No call is made. */
export async function declaredTraits(exchange: string): Promise<DeclaredTraits> {
  const exchanges = createExchanges(loadConfig({ SANDBOX_URL: NOBODY }));
  const [apiKey, apiSecret, apiPassphrase] = ['key', 'c2VjcmV0', 'phrase'].map((text) => new Secret(text));
  if (apiKey === undefined) throw new Error('no key');
  const { withdrawals } = await exchanges.open({
    exchange,
    mode: 'test',
    credentialId: 'none',
    credentials: { apiKey, apiSecret, apiPassphrase },
  });
  await exchanges.onApplicationShutdown();
  if (withdrawals === undefined) throw new Error(`the connector of ${exchange} makes no withdrawals`);
  return {
    exchange,
    class: withdrawals.class,
    hasDeadline: declaredExchanges[exchange]?.spec.withdrawals?.keepsDeadline === true,
    hasMovements: withdrawals.movements !== undefined,
    hasPayingAccount: withdrawals.payingAccount !== undefined,
    hasChallenges: withdrawals.verification !== undefined,
  };
}
