import { accountOf, mayBeOneAccount } from '../networks/account.js';
import { addressMatches } from '../networks/address-rule.js';
import { networkById } from '../networks/networks.js';

/**
 * How well a record of the exchange fits a withdrawal that was sent; null = not at all. `possible`: a value of the
 * record is missing or ambiguous. `other_form`: the address or the network in the record differs from the sent one but
 * may mean the same, and all other values fit.
 */
export type RecordFit = 'certain' | 'possible' | 'other_form' | null;

/** The destination of a withdrawal. The network is our id; null = not reported, or not a network of ours. */
export interface Destination {
  readonly address: string;
  readonly network: string | null;
}

/** How well the destination of a record fits the destination of a withdrawal that was sent. */
export function fitOfDestination(listed: Destination, sent: Destination): Exclude<RecordFit, 'possible'> {
  const isElsewhere = listed.network !== null && listed.network !== sent.network;
  if (accountOf(listed.address) === accountOf(sent.address)) return isElsewhere ? 'other_form' : 'certain';
  // The name of the network alone is not enough to exclude a record, because an exchange may name a network otherwise
  // in its records than in its list of networks. The address must confirm the name.
  const { address } = listed;
  if (isElsewhere && isAddressOf(listed.network, address) && !isAddressOf(sent.network, address)) return null;
  return mayBeOneAccount(address, sent.address) ? 'other_form' : null;
}

function isAddressOf(networkId: string | null, address: string): boolean {
  const network = networkById(networkId ?? '');
  return network !== null && addressMatches(network.addressRegex, address);
}

/**
 * Returns the records that fit. When one record certainly fits, the result has no `other_form` records: an exchange
 * lists all withdrawals of a network in one form, so these records are other withdrawals.
 */
export function fittingRecords<T>(
  records: readonly T[],
  fitOf: (record: T) => RecordFit,
): { record: T; isCertain: boolean }[] {
  const fits = records.map((record) => ({ record, fit: fitOf(record) }));
  const isListed = fits.some(({ fit }) => fit === 'certain');
  return fits
    .filter(({ fit }) => fit !== null && !(fit === 'other_form' && isListed))
    .map(({ record, fit }) => ({ record, isCertain: fit === 'certain' }));
}
