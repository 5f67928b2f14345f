import { Module } from '@nestjs/common';
import { TopicFeed } from '#platform/events';
import { AccessModule } from '#access';
import { ExistingTopics } from './existing-topics.js';
import { ListenController } from './listen.controller.js';
import { Listeners } from './listeners.js';
import { ReadOutcome } from './read-outcome.js';
import { Upgrades } from './upgrades.js';

/** Streams of messages about connects and withdrawals. Only the API process imports it. */
@Module({
  imports: [AccessModule],
  controllers: [ListenController],
  providers: [ExistingTopics, Listeners, ReadOutcome, TopicFeed, Upgrades],
})
export class ListenModule {}
