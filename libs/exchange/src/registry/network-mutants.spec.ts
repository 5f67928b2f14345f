import { listNetworks } from '../networks/networks.js';
import { listTokenContracts } from '../networks/token-contracts.js';
import { contractSubjects } from '../testing/contract/contract-subjects.js';
import { documentedChains, documentedContracts } from '../testing/contract/documented-chains.js';
import { mutantsOfNames, problemsOfNames } from '../testing/contract/network-names.js';
import { exchanges } from './exchanges.js';

const subjects = await contractSubjects(Object.values(exchanges));

describe('the names of networks', () => {
  it('have a contract for every exchange', () => {
    const described = new Set(subjects.map(({ declaration }) => declaration.spec.id));
    expect([...described].sort()).toEqual(Object.keys(exchanges).sort());
  });

  it.each(subjects.map((subject) => [subject.name, subject] as const))(
    'of %s fail EX-47 when any two of them are exchanged, or any of them means another network',
    (_name, { declaration: { networkNames }, contract: { networkEvidence } }) => {
      let mutants = 0;
      const missed: string[] = [];
      for (const table of networkNames) {
        expect(problemsOfNames(table, networkEvidence)).toEqual([]);
        for (const [fault, mutant] of mutantsOfNames(table)) {
          mutants += 1;
          if (problemsOfNames(mutant, networkEvidence).length === 0) missed.push(fault);
        }
      }
      expect(missed).toEqual([]);
      expect(mutants).toBeGreaterThan(networkNames.length);
    },
  );
});

/** Our facts about a network, in the form of `DocumentedChain`. */
const factsOf = (networks: ReturnType<typeof listNetworks>) =>
  Object.fromEntries(networks.map(({ id, caip2, coins }) => [id, { caip2, coins }]));
const documented = Object.fromEntries(
  Object.entries(documentedChains).map(([id, { caip2, coins }]) => [id, { caip2, coins }]),
);

describe('our table of networks', () => {
  it('has the documented chain id and coins of every network', () => {
    expect(factsOf(listNetworks())).toEqual(documented);
  });

  it('is found to be wrong when the chain ids or coins of two networks are exchanged', () => {
    const all = listNetworks();
    for (const [at, one] of all.entries()) {
      for (const other of all.slice(at + 1)) {
        if (one.caip2 === other.caip2 && one.coins.join() === other.coins.join()) continue;
        const swapped = all.map((network) => {
          if (network === one) return { ...one, caip2: other.caip2, coins: other.coins };
          return network === other ? { ...other, caip2: one.caip2, coins: one.coins } : network;
        });
        expect(factsOf(swapped)).not.toEqual(documented);
      }
    }
  });

  it('has the documented contracts of USDC and USDT', () => {
    const compared = listTokenContracts().filter(({ asset, network }) => documentedContracts[asset]?.[network]);
    expect(compared.length).toBeGreaterThanOrEqual(12);
    for (const { asset, network, address } of compared) {
      expect([asset, network, address.toLowerCase()]).toEqual([
        ...[asset, network, documentedContracts[asset]?.[network]?.toLowerCase()],
      ]);
    }
  });
});

describe('the documented chains', () => {
  it('have no name, explorer or contract in common', () => {
    const all = Object.values(documentedChains);
    const names = all.flatMap((chain) => chain.names.map((name) => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')));
    const explorers = all.flatMap((chain) => chain.explorers ?? []);
    const contracts = Object.values(documentedContracts).flatMap((ofAsset) => Object.values(ofAsset));
    for (const values of [names, explorers, contracts]) expect(values).toEqual([...new Set(values)]);
  });
});
