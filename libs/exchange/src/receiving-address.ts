import { addressMatches } from './address-rule.js';
import type { ReceivingAddress } from './deposit.port.js';
import type { TagType } from './tag-type.js';

/** An invoice is for one payment of one amount: nothing that can be kept and given out again. */
const ofOnePayment: ReadonlySet<string> = new Set(['lightning']);

/** Whether a network has addresses that receive as often as they are used. */
export function hasAddresses(networkId: string): boolean {
  return !ofOnePayment.has(networkId);
}

/** What the addresses of a method have to be like. */
export interface AddressForm {
  addressRegex: string;
  /** null = they have no tag. */
  tagType: TagType | null;
  needsTag: boolean;
}

/** Why funds may be lost on an address that an exchange told; null = it is sound as far as can be seen. */
export function whyUnsafe(
  { address, tag }: Pick<ReceivingAddress, 'address' | 'tag'>,
  { addressRegex, tagType, needsTag }: AddressForm,
): string | null {
  if (!addressMatches(addressRegex, address)) return 'it is not one of the network';
  if (tag === null) return needsTag ? 'its tag is missing' : null;
  if (tagType === null) return 'it has a tag, which addresses of the network have not';
  if (tagType === 'destinationTag' && !/^[0-9]{1,10}$/.test(tag)) return 'its tag is none of the network';
  return null;
}
