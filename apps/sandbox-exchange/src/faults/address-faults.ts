import { addressRule } from '../data/address-rules.js';
import { sampleAddresses } from '../data/addresses.js';
import type { AddressForm, AddressRecord } from './dialect.js';

export type AddressChange = (record: AddressRecord) => AddressRecord;

/** Of chains with different forms: at least one of them is none of any address's. */
const OTHERS = ['Ethereum', 'Bitcoin'];

export function withoutTag({ tagFields }: AddressForm): AddressChange {
  return (record) => {
    const fields = Object.entries(record).filter(([field]) => !tagFields.includes(field));
    return { ...Object.fromEntries(fields), address: record.address };
  };
}

export function withOtherNetwork(record: AddressRecord): AddressRecord {
  const network = OTHERS.find((name) => !new RegExp(addressRule(name)).test(record.address)) ?? '';
  return { ...record, address: sampleAddresses[network]?.[0] ?? '' };
}
