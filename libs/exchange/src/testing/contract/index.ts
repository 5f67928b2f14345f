import { outcomeRules } from './outcome-rules.js';
import { refusalRules } from './refusal-rules.js';
import type { Rule } from './rule.js';

/** All rules of the contract suite. */
export const rules: readonly Rule[] = [...outcomeRules, ...refusalRules];
