import type { CompareRefusals } from '../refusals/compare-refusals.js';

const none: Pick<CompareRefusals, 'compare'> = { compare: () => Promise.resolve() };

/** For simulations whose exchange shows every refusal that was wrong before the refusal is recorded. */
export const comparesNoRefusals = none as CompareRefusals;
