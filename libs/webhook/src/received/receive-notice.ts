import { Injectable } from '@nestjs/common';
import { Exchanges } from '#exchange';
import { Clock } from '#platform/clock';
import { Config } from '#platform/config';
import { InvalidRequest, NotFound } from '#platform/errors';
import { ReceivedNotices } from './received-notices.js';
import { verifyNotice, type ReceivedNotice } from './verify-notice.js';

@Injectable()
export class ReceiveNotice {
  constructor(
    private readonly exchanges: Exchanges,
    private readonly notices: ReceivedNotices,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  /**
   * Verifies and stores a webhook of an exchange. A worker processes it. A repeat with the same id changes nothing.
   * @throws NotFound for an exchange that does not exist
   * @throws InvalidRequest for an exchange that sends no webhooks
   * @throws WebhookMissingHeaders, WebhookInvalidTimestamp, WebhookSignatureInvalid
   */
  async execute(exchange: string, request: ReceivedNotice, body: object): Promise<void> {
    const declaration = this.exchanges.findNotices(exchange);
    if (declaration === null) {
      if (this.exchanges.find(exchange) === null) throw new NotFound('Exchange');
      throw new InvalidRequest(`${exchange} sends no webhooks that this service can verify`);
    }
    const id = verifyNotice(request, declaration.secret(this.config), this.clock.now());
    await this.notices.store(exchange, id, body);
  }
}
