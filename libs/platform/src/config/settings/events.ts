import { integer } from './kinds.js';

export const eventSettings = {
  EVENTS_KEEP_DAYS: integer(7, 1, 365, 'How long events are stored.'),
  EVENTS_SWEEP_SECONDS: integer(60, 1, 3_600, 'How often a worker deletes events older than EVENTS_KEEP_DAYS.'),
  EVENTS_SWEEP_BATCH: integer(5_000, 1, 100_000, 'Most events that one statement deletes.'),
};
