import { documentedChains, documentedContracts } from './documented-chains.js';

/**
 * What the exchange's documentation, or a recorded response, shows beside a name of a network. Every member must
 * identify the same chain.
 */
export interface NetworkEvidence {
  /** A longer name of the network that the exchange shows. */
  readonly title?: string;
  /** The address of the explorer that the exchange links. */
  readonly explorer?: string;
  /** A token and its contract on the network. */
  readonly contract?: readonly [asset: string, address: string];
}

/** A table of a connector: our ids by the exchange's names of networks. */
export type NetworkNames = Readonly<Record<string, string>>;

const plain = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');

/** The networks for which a fact is true. */
function networksWhere(isTrue: (network: string) => boolean): string[] {
  return Object.keys(documentedChains).filter(isTrue);
}

const named = (name: string) =>
  networksWhere((network) => documentedChains[network]?.names.some((one) => plain(one) === plain(name)) === true);

const explored = (address: string) =>
  networksWhere((network) => {
    const host = new URL(address).host.replace(/^www\./, '');
    return documentedChains[network]?.explorers?.includes(host) === true;
  });

const issued = ([asset, address]: readonly [string, string]) =>
  networksWhere((network) => documentedContracts[asset]?.[network]?.toLowerCase() === address.toLowerCase());

/**
 * Compares a connector's table of names with the documentation. Returns what is wrong.
 * @param evidence what the exchange shows beside its names. A name without evidence must itself be a documented name of
 *   the chain.
 */
export function problemsOfNames(names: NetworkNames, evidence: Readonly<Record<string, NetworkEvidence>>): string[] {
  return Object.entries(names).flatMap(([name, network]) => {
    const { title, explorer, contract } = evidence[name] ?? { title: name };
    const facts: (readonly [fact: string, networks: readonly string[]])[] = [
      ...(title === undefined ? [] : [[`the name "${title}"`, named(title)] as const]),
      ...(explorer === undefined ? [] : [[`the explorer ${explorer}`, explored(explorer)] as const]),
      ...(contract === undefined ? [] : [[`the contract ${contract.join(' ')}`, issued(contract)] as const]),
    ];
    if (facts.length === 0) return [`${name} is ${network}: the contract shows nothing beside the name`];
    return facts
      .filter(([, found]) => found.length !== 1 || found[0] !== network)
      .map(([fact, found]) => `${name} is ${network}, but ${fact} is ${found.join(' or ') || 'not documented'}`);
  });
}

/** Names that the contract describes and that no table of the connector has. */
export function unusedEvidence(
  tables: readonly NetworkNames[],
  evidence: Readonly<Record<string, NetworkEvidence>>,
): string[] {
  return Object.keys(evidence).filter((name) => !tables.some((table) => Object.hasOwn(table, name)));
}

/** The tables that differ from the given one by a fault: two names exchanged, or one name with another network. */
export function* mutantsOfNames(names: NetworkNames): Generator<readonly [fault: string, mutant: NetworkNames]> {
  const entries = Object.entries(names);
  for (const [at, [one, network]] of entries.entries()) {
    for (const [other, second] of entries.slice(at + 1)) {
      if (network !== second) yield [`${one} and ${other} exchanged`, { ...names, [one]: second, [other]: network }];
    }
    for (const wrong of Object.keys(documentedChains)) {
      if (wrong !== network) yield [`${one} as ${wrong}`, { ...names, [one]: wrong }];
    }
  }
}
