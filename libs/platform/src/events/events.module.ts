import { Global, Module, type DynamicModule } from '@nestjs/common';
import { EraseExpiredEvents } from './erase-expired-events.js';
import { EraseExpiredTopicMessages } from './erase-expired-topic-messages.js';
import { Events } from './events.js';
import { MeasureEvents } from './measure-events.js';
import { SweepExpiredEvents } from './sweep-expired-events.js';
import { SweepExpiredTopicMessages } from './sweep-expired-topic-messages.js';
import { TopicMessages } from './topic-messages.js';
import { Topics } from './topics.js';

/** Events and topics, for every feature that publishes. */
@Global()
@Module({ providers: [Events, Topics, TopicMessages], exports: [Events, Topics, TopicMessages] })
export class EventsModule {
  /** The module of the worker, which also deletes old rows and exports the age of the oldest event. */
  static forWorker(): DynamicModule {
    return {
      module: EventsModule,
      providers: [
        EraseExpiredEvents,
        EraseExpiredTopicMessages,
        MeasureEvents,
        SweepExpiredEvents,
        SweepExpiredTopicMessages,
      ],
    };
  }
}
