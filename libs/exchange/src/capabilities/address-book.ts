import { canonicalAddress } from '../networks/address-rule.js';
import { ExchangeError } from '../port/exchange-error.js';
import type { WithdrawalRequirement } from '../port/exchange.port.js';

/** An address that the owner has saved at the exchange for withdrawals of one asset on one network. */
export interface SavedAddress {
  readonly address: string;
  readonly tag: string | null;
  /** Whether the exchange pays to the address now. Some exchanges lock a new address for some hours. */
  readonly isReady: boolean;
}

/** Whether a destination is in the owner's address book. `address` is spelled as in the address book. */
export type SavedDestination =
  { readonly isReady: true; readonly address: string } | { readonly isReady: false; readonly missing: Missing };
type Missing = 'address' | 'delay' | 'tag';

/** Finds a destination. The tags must be equal: we never add a saved tag, because the caller may mean another tag. */
export function findSaved(
  saved: readonly SavedAddress[],
  { address, tag }: { address: string; tag: string | null },
): SavedDestination {
  const sameAddress = saved.filter((each) => canonicalAddress(each.address) === canonicalAddress(address));
  const exact = sameAddress.filter((each) => each.tag === tag);
  const ready = exact.find(({ isReady }) => isReady);
  if (ready !== undefined) return { isReady: true, address: ready.address };
  if (exact.length > 0) return { isReady: false, missing: 'delay' };
  return { isReady: false, missing: tag === null && sameAddress.length > 0 ? 'tag' : 'address' };
}

const steps: Readonly<Record<Missing, WithdrawalRequirement>> = {
  address: {
    type: 'address_allowlist',
    detail: 'Save the address, with its tag if it has one, in the address book for withdrawals at the exchange.',
  },
  delay: {
    type: 'address_allowlist',
    detail: 'The exchange does not pay to a new address for some hours after it is saved. Try again later.',
  },
  tag: { type: 'tag', detail: 'The address is saved at the exchange with a tag; send the same tag.' },
};

/** The steps that the owner must take before the exchange pays to the destination. */
export function stepsBefore(destination: SavedDestination): WithdrawalRequirement[] {
  return destination.isReady ? [] : [steps[destination.missing]];
}

const reasons: Readonly<Record<Missing, string>> = {
  address: 'address_not_allowlisted',
  delay: 'address_not_confirmed',
  tag: 'tag_missing',
};

/** The saved spelling of a destination. @throws ExchangeError when the exchange does not pay to it now */
export function payableAddress(exchange: string, destination: SavedDestination): string {
  if (destination.isReady) return destination.address;
  throw new ExchangeError('refused', exchange, steps[destination.missing].detail, {
    code: 'WITHDRAWAL_INVALID_ADDRESS',
    reason: reasons[destination.missing],
  });
}
