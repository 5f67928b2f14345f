import { problemsOfNames, unusedEvidence } from './network-names.js';
import type { Rule } from './rule.js';

const names: Rule = {
  id: 'EX-47',
  title: 'every name of a network stands for the chain that the documentation shows with it',
  checks: ({ declaration: { networkNames }, contract: { networkEvidence } }) => [
    ...networkNames.map((table) => ({
      name: `the table ${Object.keys(table).slice(0, 3).join(', ')}, …`,
      run: () => {
        expect(problemsOfNames(table, networkEvidence)).toEqual([]);
        return Promise.resolve();
      },
    })),
    {
      name: 'the contract describes only names of the tables',
      run: () => {
        expect(unusedEvidence(networkNames, networkEvidence)).toEqual([]);
        return Promise.resolve();
      },
    },
  ],
};

export const networkRules: readonly Rule[] = [names];
