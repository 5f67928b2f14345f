import type { PairSource } from '../declaration/pair-source.js';
import { declared } from './exchanges.js';

/** The pair lists of all exchanges that declare one, in display order. */
export const pairSources: readonly PairSource[] = Object.values(declared).flatMap(({ pairs }) => pairs ?? []);
