import { z } from 'zod';
import { flag, integer } from './kinds.js';

export const webhookSettings = {
  WEBHOOK_ALLOW_PRIVATE: flag(false).describe(
    'Whether endpoints of webhooks may have private, loopback and link-local addresses, and may use http. Only for development: with it, everyone who registers an endpoint reaches the network of the worker. Refused in production.',
  ),
  WEBHOOK_DISABLE_DAYS: integer(5, 1, 90).describe(
    'After this many days in which every delivery to an endpoint has failed, it is disabled.',
  ),
  WEBHOOK_SECRET_SANDBOX: z
    .string()
    .regex(/^whsec_[A-Za-z0-9+/]{32,128}={0,2}$/, 'must be whsec_ followed by base64')
    .optional()
    .describe(
      'Secret with which the sandbox exchange signs its notices: `whsec_` and 24 to 64 random bytes in base64. Without it, its notices are refused.',
    ),
};
