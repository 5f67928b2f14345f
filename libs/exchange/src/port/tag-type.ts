/** What exchanges call the number or text beside an address that many accounts share. */
export type TagType = 'memo' | 'destinationTag' | 'message';

const DESTINATION_TAG_MAX = 2n ** 32n - 1n;

/** Whether a tag can be sent as a destination tag: 32 bits, without a sign. */
export function isDestinationTag(tag: string): boolean {
  return /^[0-9]{1,10}$/.test(tag) && BigInt(tag) <= DESTINATION_TAG_MAX;
}
