import { Injectable } from '@nestjs/common';
import { requireOpen, SessionLifecycle } from '../session/session-lifecycle.js';
import { hasEnded, type ConnectSession } from '../session/session-store.js';
import { SessionMoved } from '../session/connect.errors.js';
import { ConnectTerms, type TermsRequest } from './connect-terms.js';

/** An exchange that the person may choose. */
export interface OfferedExchange {
  id: string;
  name: string;
}

/** Records the exchange that the person chooses for a session that began without one. */
@Injectable()
export class ChooseExchange {
  constructor(
    private readonly lifecycle: SessionLifecycle,
    private readonly terms: ConnectTerms,
  ) {}

  /**
   * Lists the exchanges that the person may choose, in the order in which they are shown. The list is empty when the
   * session has a fixed exchange or has ended, or when no exchange can be connected any more.
   * @throws NotFound
   */
  async list(token: string): Promise<OfferedExchange[]> {
    const session = await this.lifecycle.find(token);
    if (!session.picksExchange || hasEnded(session)) return [];
    const offers = await this.terms.offers(session.project, requestOf(session)).catch(() => []);
    return offers.map(({ spec: { id, name } }) => ({ id, name }));
  }

  /**
   * Records the choice. The choice replaces an earlier one, and ends the attempt that was begun at the earlier
   * exchange.
   * @throws NotFound, InvalidState, SessionMoved
   * @throws the errors of `ConnectTerms.at`
   */
  async execute(token: string, browser: string | null, exchange: string): Promise<void> {
    const session = await this.lifecycle.enter(token, browser);
    requireOpen(session);
    if (!session.picksExchange) throw new SessionMoved();
    const { spec, access } = await this.terms.at(session.project, exchange, requestOf(session));
    await this.lifecycle.step(session, { state: 'opened', chosen: { exchange: spec.id, access } });
  }
}

function requestOf({
  externalWalletId,
  requestedAccess,
  requestedMethod,
  country,
  apiKeyId,
}: ConnectSession): TermsRequest {
  return {
    externalWalletId,
    access: requestedAccess,
    method: requestedMethod,
    country: { given: country, detected: null },
    isKeyless: apiKeyId === null,
  };
}
