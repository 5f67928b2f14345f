import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Notifications } from '#platform/database';
import { ApiKeyLookup } from './api-key-lookup.js';

/** The triggers of the tables `api_keys` and `projects` notify this channel (`notify_api_key_changes`). */
export const PROJECT_CHANGES_CHANNEL = 'api_key_changes';

/**
 * Clears the key cache of an API process when the database notifies it of a changed key or project, and after each
 * reconnect of the listener. Where a connection pooler drops notifications, cached keys expire after
 * API_KEY_CACHE_TTL_MS.
 */
@Injectable()
export class FollowApiKeys implements OnApplicationBootstrap {
  constructor(
    private readonly lookup: ApiKeyLookup,
    private readonly notifications: Notifications,
  ) {}

  onApplicationBootstrap(): void {
    const forget = (): void => this.lookup.forgetAll();
    this.notifications.subscribe({ channel: PROJECT_CHANGES_CHANNEL, onMessage: forget, onListening: forget });
  }
}
