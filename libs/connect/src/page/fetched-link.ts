import { Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { BeginQr } from '../methods/begin-qr.js';
import { ConnectProjects } from '../projects/connect-projects.service.js';
import { ConnectSessions } from '../session/connect-sessions.service.js';

/**
 * Responds to a script of another site that fetches the link of a session. The fetch begins a QR login; the QR code
 * then comes as a message. The response shows nothing of the page, and the request binds the session to no browser.
 */
@Injectable()
export class FetchedLink {
  constructor(
    private readonly sessions: ConnectSessions,
    private readonly connectProjects: ConnectProjects,
    private readonly beginQr: BeginQr,
  ) {}

  /** @throws NotFound; Error with the reason when the exchange gave no QR code */
  async answer(token: string, origin: string, reply: FastifyReply): Promise<void> {
    void reply.headers({ vary: 'origin', 'cache-control': 'no-store' });
    const { origins } = await this.connectProjects.get(await this.sessions.projectOf(token));
    if (origins.includes(origin)) {
      void reply.headers({ 'access-control-allow-origin': origin, 'access-control-allow-credentials': 'true' });
    }
    await this.beginQr.onVisit(token, { again: true });
    const view = await this.sessions.view(token, null);
    // Any client that knows the `idem` can listen to the outcome. So it is omitted once a browser owns the session.
    await reply.send({ success: true, ...(view.browser !== 'other' && { idem: view.idem }), state: view.state });
  }
}
