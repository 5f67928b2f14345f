import { foldedName } from '../port/names.js';
import type { WithdrawalNetwork } from '../port/exchange.port.js';
import { resolveNetworkId } from './networks.js';

type Named = Pick<WithdrawalNetwork, 'id' | 'name' | 'displayName' | 'exchangeNetworkId'>;

/**
 * Finds the network that a caller names among those of an asset: by our id or a common name, or else by a name that a
 * response shows, if only one network has it. null = there is none.
 */
export function findNetwork<T extends Named>(networks: readonly T[], text: string): T | null {
  const id = resolveNetworkId(text);
  const byId = networks.find((network) => network.id === id);
  if (byId !== undefined) return byId;
  const wanted = foldedName(text);
  const named = networks.filter(({ name, displayName, exchangeNetworkId }) =>
    [name, displayName, exchangeNetworkId].some((each) => foldedName(each) === wanted),
  );
  return named.length === 1 ? (named[0] ?? null) : null;
}
