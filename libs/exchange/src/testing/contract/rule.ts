import type { ExchangeSession } from '../../port/exchange.port.js';
import type { Subject } from './contract-bench.js';

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
  /** Such as `EX-01`; it never changes its meaning. */
  readonly id: string;
  readonly title: string;
  /** The rule applies only to connectors that declare one of these; absent = to all. */
  readonly needs?: readonly Capability[];
  readonly checks: (subject: Subject) => readonly Check[];
}

/** Why a rule does not apply to an exchange; null = it applies. */
export function whyNotApplicable(
  { needs }: Pick<Rule, 'needs'>,
  session: Pick<ExchangeSession, Capability>,
): string | null {
  if (needs === undefined || needs.some((capability) => session[capability] !== undefined)) return null;
  return `declares no ${needs.join(' and no ')}`;
}
