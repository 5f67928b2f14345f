import { ContractBench } from './contract-bench.js';
import type { Subject } from './contract-subjects.js';
import { documentedFacts, type DocumentedFacts } from './documented-facts.js';
import type { Rule } from './rule.js';

/** The hosts that a connector declares, by region; `''` = the usual region. */
function hostsOf({ declaration: { spec, liveUrl = '' } }: Subject): Record<string, string> {
  const others = (spec.regions ?? []).slice(1).map(({ id, url }) => [id, url] as const);
  return { '': liveUrl, ...Object.fromEntries(others) };
}

function declaredFacts(subject: Subject): Omit<DocumentedFacts, 'began'> {
  const { otherHost, spec } = subject.declaration;
  return {
    hosts: hostsOf(subject),
    ...(otherHost !== undefined && { otherHost: otherHost.url }),
    permissions: spec.permissionAccess,
  };
}

const facts: Rule = {
  id: 'EX-72',
  title: 'the hosts, the beginning of histories and the meaning of permissions are the documented ones',
  checks: (subject) => {
    const { spec, liveUrl } = subject.declaration;
    if (liveUrl === undefined) {
      return [{ name: 'the exchange exists only in the sandbox', run: () => Promise.resolve() }];
    }
    const documented = documentedFacts[spec.id];
    if (documented === undefined) throw new Error(`documented-facts.ts has no ${spec.id}`);
    const { began, ...expected } = documented;
    return [
      {
        name: 'in the declaration',
        run: () =>
          ContractBench.run(subject, async ({ open }) => {
            expect(declaredFacts(subject)).toEqual(expected);
            const { history } = await open();
            expect(history?.begins.toISOString().slice(0, began.length) ?? began).toBe(began);
          }),
      },
    ];
  },
};

export const factRules: readonly Rule[] = [facts];
