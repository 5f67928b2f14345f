import { Injectable } from '@nestjs/common';
import { EventOutbox } from '#platform/events';
import { DeliveryStore } from './delivery-store.js';

/** Maximum number of events that one transaction dispatches. */
const BATCH = 500;

/** Writes the deliveries of new events. */
@Injectable()
export class DispatchEvents {
  constructor(
    private readonly outbox: EventOutbox,
    private readonly store: DeliveryStore,
  ) {}

  /** Safe to run in several workers at the same time. @returns the number of dispatched events. */
  async execute(): Promise<number> {
    let dispatched = 0;
    for (let last = BATCH; last === BATCH; dispatched += last) {
      last = await this.outbox.dispatch(BATCH, (tx, events) => this.store.create(tx, events));
    }
    return dispatched;
  }
}
