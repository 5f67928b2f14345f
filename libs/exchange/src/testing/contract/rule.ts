import type { Subject } from './contract-subjects.js';
import type { ExchangeContract } from './exchange-contract.js';

/** The optional parts of a session that rules are about. */
export const capabilities = ['withdrawals', 'trading', 'deposits', 'history'] as const;
export type Capability = (typeof capabilities)[number];

/** One check of a rule. `run` throws when the connector breaks the rule. */
export interface Check {
  readonly name: string;
  readonly run: () => Promise<void>;
}

/** A rule that every connector keeps. */
export interface Rule {
  /** The id, such as `EX-01`. The meaning of an id never changes. */
  readonly id: string;
  readonly title: string;
  /** The rule applies to connectors that have one of these capabilities; absent = to all connectors. */
  readonly needs?: readonly Capability[];
  readonly checks: (subject: Subject) => readonly Check[];
}

/**
 * The data of a contract about a capability; undefined = the contract declares that the connector does not offer the
 * capability.
 */
export function dataOf(contract: ExchangeContract, capability: Capability): unknown {
  return contract[capability === 'trading' ? 'orders' : capability];
}

/**
 * The responses of gateways that a rule plays: all of them at one exchange, and the first one at the others, because
 * code that all exchanges share interprets them (`provesNothing`, `evidenceOf`, `errorFromResponse`).
 */
export function ofGateways<T>({ playsEveryGateway }: ExchangeContract, all: readonly T[]): readonly T[] {
  return playsEveryGateway === true ? all : all.slice(0, 1);
}

/** Why a rule does not apply to an exchange; null = it applies. */
export function whyNotApplicable({ needs }: Pick<Rule, 'needs'>, contract: ExchangeContract): string | null {
  if (needs === undefined || needs.some((capability) => dataOf(contract, capability) !== undefined)) return null;
  return `the contract declares no ${needs.join(' and no ')}`;
}

/** The checks of a rule. A rule that the contract has no data for has one check, which fails. */
export function checksOf(rule: Rule, subject: Subject): readonly Check[] {
  const failing = (cause: unknown): Check[] => [
    {
      name: 'has data in the contract',
      run: () => Promise.reject(new Error(`${rule.id} cannot be checked: ${String(cause)}`, { cause })),
    },
  ];
  try {
    const checks = rule.checks(subject);
    return checks.length > 0 ? checks : failing('the contract has no data');
  } catch (error) {
    return failing(error);
  }
}
