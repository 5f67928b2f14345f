import { Global, Module, type DynamicModule } from '@nestjs/common';
import { EventOutbox } from './event-outbox.js';
import { Events } from './events.js';
import { ExpiredEventCounters, ExpiredEvents, ExpiredTopicMessages } from './expired-events.js';
import { MeasureEvents } from './measure-events.js';
import { ReservedTopics } from './reserved-topics.js';
import { TopicMessages } from './topic-messages.js';
import { Topics } from './topics.js';

/** Provides events and topics to every feature that publishes them. */
@Global()
@Module({
  providers: [EventOutbox, Events, ReservedTopics, Topics, TopicMessages],
  exports: [EventOutbox, Events, ReservedTopics, Topics, TopicMessages],
})
export class EventsModule {
  /** The module of the worker, which also deletes old rows and exports the age of the oldest event. */
  static forWorker(): DynamicModule {
    return {
      module: EventsModule,
      providers: [ExpiredEventCounters, ExpiredEvents, ExpiredTopicMessages, MeasureEvents],
    };
  }
}
