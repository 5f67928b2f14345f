import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Notifications } from '#platform/database';
import { ApiKeyLookup } from './api-key-lookup.js';

/** Triggers of `api_keys` and `projects` notify on it (migration 0010). */
const API_KEY_CHANGES_CHANNEL = 'api_key_changes';

/**
 * Makes the API process forget what it remembers of API keys when the database says that a key or a project has changed, and
 * whenever it listens again after its connection was lost. Where a pooler swallows notifications, API_KEY_CACHE_TTL_MS holds.
 */
@Injectable()
export class FollowApiKeys implements OnApplicationBootstrap {
  constructor(
    private readonly lookup: ApiKeyLookup,
    private readonly notifications: Notifications,
  ) {}

  onApplicationBootstrap(): void {
    const forget = (): void => this.lookup.forgetAll();
    this.notifications.subscribe({ channel: API_KEY_CHANGES_CHANNEL, onMessage: forget, onListening: forget });
  }
}
