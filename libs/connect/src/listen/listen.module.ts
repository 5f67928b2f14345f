import { Module } from '@nestjs/common';
import { TopicFeed } from '#platform/events';
import { ListenController } from './listen.controller.js';
import { Listeners } from './listeners.js';
import { ReadOutcome } from './read-outcome.js';
import { Upgrades } from './upgrades.js';

/** Listening to what becomes of connects and withdrawals. For the API process alone. */
@Module({ controllers: [ListenController], providers: [Listeners, ReadOutcome, TopicFeed, Upgrades] })
export class ListenModule {}
