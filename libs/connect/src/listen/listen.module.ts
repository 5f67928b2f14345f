import { Module } from '@nestjs/common';
import { TopicFeed } from '#platform/events';
import { ListenController } from './listen.controller.js';
import { Listeners } from './listeners.js';
import { ReadOutcome } from './read-outcome.js';
import { Upgrades } from './upgrades.js';

/** Streams of messages about connects and withdrawals. Only the API process imports it. */
@Module({ controllers: [ListenController], providers: [Listeners, ReadOutcome, TopicFeed, Upgrades] })
export class ListenModule {}
