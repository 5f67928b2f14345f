import type { CompareRefusals } from '../refusals/compare-refusals.js';
import type { RecheckRefusals } from '../refusals/recheck-refusals.js';

const none: Pick<CompareRefusals, 'compare'> = { compare: () => Promise.resolve() };

/** For simulations whose exchange shows every refusal that was wrong before the refusal is recorded. */
export const comparesNoRefusals = none as CompareRefusals;

const nothing: Pick<RecheckRefusals, 'find' | 'compare'> = {
  find: () => Promise.resolve(null),
  compare: () => Promise.resolve(),
};

/** For the same simulations: no refusal is compared before another withdrawal. */
export const rechecksNoRefusals = nothing as RecheckRefusals;
