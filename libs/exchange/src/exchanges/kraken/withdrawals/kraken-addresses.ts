import { canonicalAddress } from '../../../networks/address-rule.js';
import type { WithdrawalRequirement } from '../../../port/exchange.port.js';
import type { KrakenAddress } from '../protocol/kraken-responses.js';

/** Whether Kraken pays to a destination, with the entry for it in the account's address book. */
export type Destination =
  | { isReady: true; entry: KrakenAddress }
  /**
   * `address`: the address is not saved; `confirmation`: the owner has not confirmed the email about the saved
   * address; `tag`: the address is saved with a tag, and the caller gave none.
   */
  | { isReady: false; entry: KrakenAddress | null; missing: 'address' | 'confirmation' | 'tag' };

/**
 * Finds the saved address of a destination. The tags must be equal: we never add a saved tag, because the caller may
 * mean another tag. Of several equal entries we use the first confirmed one by key, so that a repeated request uses the
 * same entry.
 */
export function findDestination(
  saved: readonly KrakenAddress[],
  { address, tag }: { address: string; tag: string | null },
): Destination {
  const sameAddress = saved
    .filter((entry) => canonicalAddress(entry.address) === canonicalAddress(address))
    .sort((a, b) => (a.key < b.key ? -1 : 1));
  const exact = sameAddress.filter((entry) => (entry.tag ?? entry.memo) === tag);
  const ready = exact.find(({ verified }) => verified);
  if (ready !== undefined) return { isReady: true, entry: ready };
  const [unconfirmed] = exact;
  if (unconfirmed !== undefined) return { isReady: false, entry: unconfirmed, missing: 'confirmation' };
  const [tagged] = sameAddress;
  if (tagged !== undefined && tag === null) return { isReady: false, entry: tagged, missing: 'tag' };
  return { isReady: false, entry: null, missing: 'address' };
}

/** The steps that the account's owner must take before a withdrawal to the destination can be executed. */
export function requirementsOf(destination: Destination): WithdrawalRequirement[] {
  if (destination.isReady) return [];
  switch (destination.missing) {
    case 'address':
      return [{ type: 'address_allowlist', detail: 'Save the address in the withdrawal address book at Kraken.' }];
    case 'confirmation':
      return [{ type: 'address_allowlist', detail: 'Confirm the saved address in the email from Kraken.' }];
    case 'tag':
      return [{ type: 'tag', detail: 'The address is saved at Kraken with a tag; send the same tag.' }];
  }
}
