import type { TagType } from './exchange.port.js';

/** A chain, or a way of moving an asset that is not a chain, under one name for all exchanges. */
export interface Network {
  /** Ours, lower case; what callers send and read. */
  readonly id: string;
  readonly name: string;
  readonly displayName: string;
  /** RE2 expression that an address matches as a whole. */
  readonly addressRegex: string;
  /** What a tag is called on this network; null = addresses have none. */
  readonly tagType: TagType | null;
  /** Other names that callers may use, upper case. */
  readonly aliases: readonly string[];
  /** CAIP-2 id, null where the chain has none that is established. */
  readonly caip2: string | null;
}

const networks: readonly Network[] = [];

const byId = new Map(networks.map((network) => [network.id, network]));
const idByAlias = new Map(
  networks.flatMap(({ id, aliases }) => [id, ...aliases].map((name) => [name.toUpperCase(), id])),
);

/** The network with our id. */
export function networkById(id: string): Network | null {
  return byId.get(id) ?? null;
}

/** Our id for what a caller wrote: our ids in any case, and common names such as ERC20 or TRC20; null = unknown. */
export function resolveNetworkId(text: string): string | null {
  return idByAlias.get(text.trim().toUpperCase()) ?? null;
}
