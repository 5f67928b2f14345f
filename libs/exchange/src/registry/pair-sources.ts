import type { PairSource } from '../declaration/pair-source.js';
import { exchanges } from './exchanges.js';

/** The pair lists of all exchanges that declare one, in display order. */
export const pairSources: readonly PairSource[] = Object.values(exchanges).flatMap(({ pairs }) => pairs ?? []);
