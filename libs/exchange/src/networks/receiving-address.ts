import { addressMatches } from './address-rule.js';
import type { ReceivingAddress } from '../port/deposit.port.js';
import { ExchangeError } from '../port/exchange-error.js';
import { isDestinationTag, type TagType } from '../port/tag-type.js';

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
}

/** Why funds may be lost on an address that an exchange told; null = it is sound, but for a tag that may be missing. */
export function whyUnsafe(
  { address, tag }: Pick<ReceivingAddress, 'address' | 'tag'>,
  { addressRegex, tagType }: AddressForm,
): string | null {
  if (!addressMatches(addressRegex, address)) return 'it is not one of the network';
  if (tag === null) return null;
  if (tagType === null) return 'it has a tag, which addresses of the network have not';
  if (tagType === 'destinationTag' && !isDestinationTag(tag)) return 'its tag is none of the network';
  return null;
}

/**
 * The addresses that have the tag which they need. What is sent to another is not credited, so it is never given out.
 * @throws ExchangeError when every one of them is without.
 */
export function withTheirTags<T extends Pick<ReceivingAddress, 'address' | 'tag'>>(
  exchange: string,
  addresses: T[],
  needsTag: (address: string) => boolean,
): T[] {
  const whole = addresses.filter(({ address, tag }) => tag !== null || !needsTag(address));
  if (whole.length > 0 || addresses.length === 0) return whole;
  throw new ExchangeError('refused', exchange, 'every address is without the tag that the network asks for', {
    code: 'DEPOSIT_ADDRESS_UNAVAILABLE',
    reason: 'tag_missing',
  });
}
