import type { Random } from '../world/random.js';
import type { Feature } from './features.js';

/** One action of a wallet's owner during the payments. */
export interface OwnerPlan {
  /**
   * `erase`: the kept credentials of deleted wallets expire. `back_up` and `restore` are actions of the database's
   * administrator.
   */
  does: 'connect' | 'revoke' | 'delete' | 'erase' | 'back_up' | 'restore';
  /** Index of the wallet. */
  wallet: number;
  /** The API key of `connect` and `revoke`: `A1` and `A2` open the account `A`. */
  key: string;
  when: Moment;
}

/**
 * When the owner acts: `afterMs` after the previous action, or before the `step`-th step of a process since then.
 * `deciding` counts only the steps that match `DECIDING` in `dangers.ts`, such as submissions.
 */
export type Moment = { afterMs: number } | { step: number; of: 'all' | 'deciding' };

/**
 * The keys that the owner connects in place of the first key: a run draws one of these lists, and the owner connects
 * the keys of the list in their order.
 */
const REPLACEMENTS: readonly [string[], ...string[][]] = [['B1'], ['A2'], ['B1', 'A1'], ['B1', 'A2'], ['A2', 'A3']];

export function drawOwner(random: Random, features: ReadonlySet<Feature>): OwnerPlan[] {
  const wallet = features.has('same_account') ? random.between(0, 1) : 0;
  const act = (does: OwnerPlan['does'], key = 'A1'): OwnerPlan => ({ does, wallet, key, when: drawMoment(random) });
  const plans: OwnerPlan[] = [];
  // In runs with a restore, the owner does nothing else. Otherwise a wallet with replaced credentials would be compared
  // with another account than the one that has paid.
  if (features.has('restored_database')) return [act('back_up'), act('restore')];
  if (features.has('replaced_credentials')) {
    plans.push(...random.pick(REPLACEMENTS).map((key) => act('connect', key)));
  }
  if (features.has('revoked_key')) {
    plans.push(act('revoke'));
    if (random.chance(0.5)) plans.push(act('connect', random.pick(['A2', 'B1'])));
  }
  if (features.has('deleted_wallet')) {
    plans.push(act('delete'));
    if (random.chance(0.6)) plans.push(act('connect', random.pick(['A1', 'A2', 'B1'])));
  }
  if (features.has('erased_credentials')) {
    const isGone = plans.some(({ does }) => does !== 'revoke');
    plans.push(...(isGone ? [] : [random.chance(0.5) ? act('delete') : act('connect', 'A2')]), act('erase'));
  }
  return plans;
}

function drawMoment(random: Random): Moment {
  const kind = random.pick(['step', 'step', 'deciding step', 'deciding step', 'time']);
  if (kind === 'step') return { step: random.between(1, 80), of: 'all' };
  if (kind === 'deciding step') return { step: random.between(1, 6), of: 'deciding' };
  return { afterMs: random.pick([0, random.between(0, 10_000), random.between(0, 600_000)]) };
}
