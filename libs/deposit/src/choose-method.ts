import { resolveNetworkId, type DepositMethod } from '#exchange';
import { DepositMethodNotResolved } from './deposit.errors.js';

/** A method whose network is known. */
export type ResolvedMethod = DepositMethod & { network: string };

/**
 * Returns the one method of an asset on the network that the caller has named.
 * @throws DepositMethodNotResolved when the network has no method or several; the first of several is never taken.
 */
export function chooseMethod(methods: DepositMethod[], asset: string, named: string): ResolvedMethod {
  const id = resolveNetworkId(named);
  const [method, ...others] = id === null ? [] : methods.filter(({ network }) => network === id);
  if (id !== null && method !== undefined && others.length === 0) return { ...method, network: id };
  throw new DepositMethodNotResolved(asset, named, unambiguous(methods));
}

function unambiguous(methods: DepositMethod[]): string[] {
  const named = methods.flatMap(({ network }) => (network === null ? [] : [network]));
  return named.filter((network) => named.indexOf(network) === named.lastIndexOf(network)).sort();
}
