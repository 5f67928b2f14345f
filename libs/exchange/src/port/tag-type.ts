/** The exchanges' names of the number or text that identifies an account behind a shared address. */
export type TagType = 'memo' | 'destinationTag' | 'message';

const DESTINATION_TAG_MAX = 2n ** 32n - 1n;

/** Whether a tag fits into a destination tag: xrpl.org/source-and-destination-tags.html, "32-bit unsigned integers". */
export function isDestinationTag(tag: string): boolean {
  return /^[0-9]{1,10}$/.test(tag) && BigInt(tag) <= DESTINATION_TAG_MAX;
}
