import type { HistoryRecord } from '#exchange';

/** The network of a transaction of which the exchange tells none. */
export const UNKNOWN_NETWORK = 'unknown';

/** Most characters of a network that is shown, and of one that can be asked for. */
export const NETWORK_NAME_MAX = 128;

/** Separates the exchange from its own name of a network; no id of ours contains it. */
const SEPARATOR = ':';

/**
 * The network as it is stored, shown and asked for: our id, else the exchange's own name as `<exchange>:<name>`, else
 * `unknown`. Always lower case, without control characters.
 */
export function networkName(
  exchange: string,
  { network, exchangeNetwork }: Pick<HistoryRecord, 'network' | 'exchangeNetwork'>,
): string {
  if (network !== null) return network;
  const name = normalNetworkName(exchangeNetwork ?? '');
  return name === '' ? UNKNOWN_NETWORK : cut(`${exchange}${SEPARATOR}${name}`);
}

/** A network as a caller wrote it, in the form in which it is stored. */
export function normalNetworkName(text: string): string {
  return text
    .replaceAll(/[\p{C}\s]+/gu, ' ')
    .trim()
    .toLowerCase();
}

/** What is known of a network once an exchange has told more: our id before its own name, and that before nothing. */
export function betterNetwork(known: string, told: string): string {
  return certainty(told) > certainty(known) ? told : known;
}

function certainty(network: string): number {
  if (network === UNKNOWN_NETWORK) return 0;
  return network.includes(SEPARATOR) ? 1 : 2;
}

function cut(name: string): string {
  return [...name].slice(0, NETWORK_NAME_MAX).join('').trim();
}
