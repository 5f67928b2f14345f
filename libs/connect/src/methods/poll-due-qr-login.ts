import { Injectable } from '@nestjs/common';
import { PollQr } from './poll-qr.js';
import { CONNECT_LEASE_MS, SessionLifecycle } from '../session/session-lifecycle.js';
import { isChosen, SessionStore } from '../session/session-store.js';

/** Polls one QR login for which a worker has enqueued a job. The job may run twice; the second run does nothing. */
@Injectable()
export class PollDueQrLogin {
  constructor(
    private readonly lifecycle: SessionLifecycle,
    private readonly store: SessionStore,
    private readonly pollQr: PollQr,
  ) {}

  /** @param taken end of the lease under which the job was enqueued */
  async execute(sessionId: string, taken: Date): Promise<void> {
    const found = await this.store.find('id', sessionId);
    if (found === null) return;
    const session = await this.lifecycle.settle(found);
    if (session.state !== 'scanning' || !isChosen(session)) return;
    const until = await this.store.extendPoll(session, taken, CONNECT_LEASE_MS);
    // null = the lease has ended, or a page has polled in the meantime.
    if (until !== null) await this.pollQr.execute(session, until);
  }
}
