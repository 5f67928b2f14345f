/**
 * platform/events: what has happened, for those who are told of it.
 *
 * Owns: the `events` table and how long its rows are kept.
 * Never does: deliver. Invariants: an event is written in the transaction that makes it true; its data is safe to show to
 * its project.
 */
export { Events, type EventType, type NewEvent } from './events.js';
export { TOPICS_CHANNEL, Topics, type NewTopicMessage, type TopicMessageBody } from './topics.js';
export { EventsModule } from './events.module.js';
