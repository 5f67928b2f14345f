import { Global, Module, type DynamicModule } from '@nestjs/common';
import { EraseExpiredEvents } from './erase-expired-events.js';
import { Events } from './events.js';
import { MeasureEvents } from './measure-events.js';
import { SweepExpiredEvents } from './sweep-expired-events.js';
import { Topics } from './topics.js';

/** What has happened, for every feature that has something to tell. */
@Global()
@Module({ providers: [Events, Topics], exports: [Events, Topics] })
export class EventsModule {
  /** The same for the worker, which also deletes those whose time is over, and tells how old the oldest is. */
  static forWorker(): DynamicModule {
    return { module: EventsModule, providers: [EraseExpiredEvents, MeasureEvents, SweepExpiredEvents] };
  }
}
