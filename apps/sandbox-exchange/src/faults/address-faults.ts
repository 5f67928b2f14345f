import { addressRule } from '../data/address-rules.js';
import { sampleAddresses } from '../data/addresses.js';
import type { AddressRecord } from './dialect.js';

/** Of chains with different forms: at least one of them is none of any address's. */
const OTHERS = ['Ethereum', 'Bitcoin'];

export function withOtherNetwork(record: AddressRecord): AddressRecord {
  const network = OTHERS.find((name) => !new RegExp(addressRule(name)).test(record.address)) ?? '';
  return { ...record, address: sampleAddresses[network]?.[0] ?? '' };
}
