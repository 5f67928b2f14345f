import { z } from 'zod';
import { flag, integer } from './kinds.js';

export const webhookSettings = {
  WEBHOOK_ALLOW_PRIVATE: flag(false).describe(
    'Whether endpoints of webhooks may have private, loopback and link-local addresses, and may use http. Only for development: with it, everyone who registers an endpoint reaches the network of the worker. Refused in production.',
  ),
  WEBHOOK_ENDPOINTS_MAX: integer(10, 1, 100).describe(
    'Maximum number of endpoints of webhooks that a project may have.',
  ),
  WEBHOOK_CONCURRENCY: integer(20, 1, 1_000).describe(
    'Maximum number of endpoints of webhooks to which one worker process delivers at the same time. Endpoints whose last attempt has failed do not count; a second maximum of the same size applies to them.',
  ),
  WEBHOOK_ENDPOINT_CONCURRENCY: integer(5, 1, 100).describe(
    'Maximum number of webhooks under way to one endpoint at the same time.',
  ),
  WEBHOOK_TIMEOUT_MS: integer(15_000, 100, 30_000).describe(
    'Longest wait for the response of an endpoint to a webhook.',
  ),
  WEBHOOK_DISABLE_DAYS: integer(5, 1, 90).describe(
    'After this many days in which every delivery to an endpoint has failed, it is disabled.',
  ),
  WEBHOOK_RECEIVE_PER_MINUTE: integer(600, 1, 100_000).describe(
    'Maximum number of notices of exchanges a minute from one address (IPv6: one /64), counted in each API process.',
  ),
  WEBHOOK_SECRET_SANDBOX: z
    .string()
    .regex(/^whsec_[A-Za-z0-9+/]{32,128}={0,2}$/, 'must be whsec_ followed by base64')
    .optional()
    .describe(
      'Secret with which the sandbox exchange signs its notices: `whsec_` and 24 to 64 random bytes in base64. Without it, its notices are refused.',
    ),
};
