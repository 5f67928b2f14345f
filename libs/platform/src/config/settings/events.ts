import { integer } from './kinds.js';

export const eventSettings = {
  EVENTS_KEEP_DAYS: integer(7, 1, 365, 'How long events are stored.'),
};
