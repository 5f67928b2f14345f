/** Maximum number of entries of a list in a message. */
const ENTRIES_MAX = 20;

/** The entries for a message to the caller, at least one: `ethereum, arbitrum`. */
export function listOf(entries: readonly string[]): string {
  const more = entries.length - ENTRIES_MAX;
  return `${entries.slice(0, ENTRIES_MAX).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
