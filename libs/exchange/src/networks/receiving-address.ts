import { addressMatches, sentAddress } from './address-rule.js';
import type { Network } from './networks.js';
import type { ReceivingAddress } from '../port/deposit.port.js';
import { ExchangeError } from '../port/exchange-error.js';
import { isDestinationTag, type TagType } from '../port/tag-type.js';

/** Networks whose addresses serve one payment only: a Lightning invoice cannot be reused. */
const singleUseNetworks: ReadonlySet<string> = new Set(['lightning']);

/** Whether the network has addresses that can receive any number of deposits. */
export function hasAddresses(networkId: string): boolean {
  return !singleUseNetworks.has(networkId);
}

/** The format that addresses of a method must have. */
export interface AddressForm {
  addressRegex: string;
  /** The kind of tag that addresses have; null = they have no tag. */
  tagType: TagType | null;
}

type Listed = Pick<ReceivingAddress, 'address' | 'tag'>;

/**
 * Returns an address as it is stored and sent (`sentAddress`); a required tag may be missing.
 * @throws ExchangeError when funds sent to the address may be lost
 */
export function safeAddress(exchange: string, { address, tag }: Listed, form: AddressForm): Listed {
  const safe = { address: sentAddress(address), tag };
  const reason = whyUnsafe(safe, form);
  if (reason !== null) throw unsafeAddress(exchange, reason);
  return safe;
}

function whyUnsafe({ address, tag }: Listed, { addressRegex, tagType }: AddressForm): string | null {
  if (!addressMatches(addressRegex, address)) return 'it is not an address of the network';
  if (tag === null) return null;
  if (tagType === null) return 'it has a tag, but addresses of the network have none';
  if (tagType === 'destinationTag' && !isDestinationTag(tag)) return 'its tag is invalid on the network';
  return null;
}

/**
 * The error for a list with an unsafe address. It is a refusal, because a repeated request would get the same list.
 */
export function unsafeAddress(exchange: string, why: string): ExchangeError {
  return new ExchangeError('refused', exchange, `the exchange returned an unsafe deposit address: ${why}`, {
    code: 'DEPOSIT_ADDRESS_UNAVAILABLE',
    reason: 'unsafe_address',
  });
}

/** Whether accounts share the address, so that deposits need a tag. A muxed Stellar address (M…) contains its memo. */
export function isSharedAddress({ id, tagType }: Pick<Network, 'id' | 'tagType'>, address: string): boolean {
  return tagType !== null && !(id === 'stellar' && address.startsWith('M'));
}

/**
 * Keeps the addresses that have their required tag. The exchange does not credit a deposit without its tag.
 * @throws ExchangeError when every address lacks its tag.
 */
export function withRequiredTags<T extends Pick<ReceivingAddress, 'address' | 'tag'>>(
  exchange: string,
  addresses: T[],
  needsTag: (address: string) => boolean,
): T[] {
  const whole = addresses.filter(({ address, tag }) => tag !== null || !needsTag(address));
  if (whole.length > 0 || addresses.length === 0) return whole;
  throw new ExchangeError('refused', exchange, 'every address lacks the tag that the network requires', {
    code: 'DEPOSIT_ADDRESS_UNAVAILABLE',
    reason: 'tag_missing',
  });
}
