import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { isUUID } from 'class-validator';
import { ReservedTopics } from '#platform/events';
import { Quotes } from './quotes.js';

/**
 * Reserves the ids of quotes as topics. Otherwise the messages of a connect session with the same idem would be
 * reported as the outcome of the withdrawal.
 */
@Injectable()
export class QuoteTopics implements OnApplicationBootstrap {
  constructor(
    private readonly topics: ReservedTopics,
    private readonly quotes: Quotes,
  ) {}

  onApplicationBootstrap(): void {
    this.topics.reserve((topics) => this.quotes.topicsAmong(topics.filter(({ topic }) => isUUID(topic))));
  }
}
