import { integer } from './kinds.js';

export const eventSettings = {
  EVENTS_KEEP_DAYS: integer(7, 4, 365).describe(
    'How long events and the log of their webhooks are stored. Must be longer than the three days for which webhooks are retried.',
  ),
};
