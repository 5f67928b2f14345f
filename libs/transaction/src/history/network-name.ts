import type { HistoryRecord } from '#exchange';

/** The network of a transaction whose exchange reports none. */
export const UNKNOWN_NETWORK = 'unknown';

/** Maximum number of characters of a network in a response or a filter. */
export const NETWORK_NAME_MAX = 128;

/** The separator in `<exchange>:<name>`, where the name is the exchange's own. Our network ids do not contain it. */
const SEPARATOR = ':';

/**
 * Returns the network in the form in which it is stored, shown and compared with filters: our id; else the exchange's
 * own name as `<exchange>:<name>`; else `unknown`. Always lower case, without control characters.
 */
export function networkName(
  exchange: string,
  { network, exchangeNetwork }: Pick<HistoryRecord, 'network' | 'exchangeNetwork'>,
): string {
  if (network !== null) return network;
  const name = normalNetworkName(exchangeNetwork ?? '');
  return name === '' ? UNKNOWN_NETWORK : cut(`${exchange}${SEPARATOR}${name}`);
}

/** Converts a network from a request into the form that is stored. */
export function normalNetworkName(text: string): string {
  return text
    .replaceAll(/[\p{C}\s]+/gu, ' ')
    .trim()
    .toLowerCase();
}

/**
 * Returns the more certain of two names: our id is more certain than the exchange's name, which is more certain than
 * `unknown`.
 */
export function betterNetwork(known: string, reported: string): string {
  return certainty(reported) > certainty(known) ? reported : known;
}

function certainty(network: string): number {
  if (network === UNKNOWN_NETWORK) return 0;
  return network.includes(SEPARATOR) ? 1 : 2;
}

function cut(name: string): string {
  return [...name].slice(0, NETWORK_NAME_MAX).join('').trim();
}
