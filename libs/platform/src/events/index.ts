/**
 * platform/events: events for projects, and messages for the listeners of a topic.
 *
 * Owns: the tables `events`, `wallet_event_counters` and `topic_messages`, and how long their rows are kept; the order
 * of the events of a wallet; in an API process, the feed that delivers new messages to the listeners of that process.
 * Never does: send anything outside of the process. Invariants: events and messages are written in the transaction of
 * the change that they report. Their content is safe to show to the project, or to every caller who knows the topic.
 * Listeners of one topic receive each message once and all in the same order.
 */
export { EventOutbox, type StoredEvent } from './event-outbox.js';
export { Events, type EventType, type NewEvent } from './events.js';
export { ReservedTopics } from './reserved-topics.js';
export { TopicFeed } from './topic-feed.js';
export { TopicMessages, type OwnedTopic, type TopicMessage, type TopicName } from './topic-messages.js';
export {
  Topics,
  topicKey,
  type ConnectMessageBody,
  type NewTopicMessage,
  type TopicMessageBody,
  type WithdrawMessageBody,
} from './topics.js';
export { EventsModule } from './events.module.js';
