/**
 * platform/events: what has happened, for those who are told of it.
 *
 * Owns: the tables `events` and `topic_messages`, and how long their rows are kept; in an API process, the feed of what is
 * published on topics that somebody listens to there.
 * Never does: deliver to anybody outside of the process. Invariants: events and messages are written in the transaction
 * that makes them true; what is in them is safe to show to their project, or to whoever knows the topic; listeners of one
 * topic get its messages once and in one order.
 */
export { Events, type EventType, type NewEvent } from './events.js';
export { TopicFeed } from './topic-feed.js';
export { TopicMessages, type TopicMessage } from './topic-messages.js';
export { Topics, type TopicMessageBody } from './topics.js';
export { EventsModule } from './events.module.js';
