import { Injectable } from '@nestjs/common';
import { assertOutsideTransaction } from '#platform/database';
import { ExchangeError } from './exchange-error.js';
import type { ExchangeSpec } from './exchange-spec.js';
import type { ExchangeSession } from './exchange.port.js';
import { exchanges } from './exchanges.js';
import type { SessionTarget } from './session-target.js';

/** The way to an exchange: what there is, and sessions with it. */
@Injectable()
export class Exchanges {
  /** All exchanges, in the order of the registry. */
  specs(): ExchangeSpec[] {
    return Object.values(exchanges);
  }

  find(id: string): ExchangeSpec | null {
    return this.specs().find((spec) => spec.id === id) ?? null;
  }

  /** The session of a credential, kept for its next use. */
  open(target: SessionTarget): Promise<ExchangeSession> {
    return this.openFresh(target);
  }

  /** A session that shares nothing with earlier ones: for a second opinion and before credentials are stored. */
  openFresh(target: SessionTarget): Promise<ExchangeSession> {
    assertOutsideTransaction('opening an exchange session');
    return Promise.reject(new ExchangeError('unavailable', target.exchange, 'not connected'));
  }
}
