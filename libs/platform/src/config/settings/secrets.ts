import { z } from 'zod';
import { flag, list } from './kinds.js';

export const secretsSettings = {
  VAULT_KEYS: z
    .string()
    .optional()
    .describe(
      'Key-encryption keys as `id:base64`, separated by commas, 32 bytes each, and each with its own id. The first key encrypts; all keys decrypt. Refused in production unless VAULT_ALLOW_ENV_KEYS is true.',
    ),
  VAULT_KEYS_FILE: z
    .string()
    .optional()
    .describe('File with the same text as VAULT_KEYS. Only its owner may read it (mode 0400 or 0600).'),
  VAULT_LOST_KEYS: list()
    .refine(
      (ids) => ids.every((id) => /^[a-z0-9-]{1,32}$/.test(id)),
      'must be ids of keys such as k1, separated by commas',
    )
    .describe(
      'Ids of vault keys that are lost for ever, separated by commas. A process that lacks a key of stored records is ready only when this setting names the key. Owners then have to connect the wallets of the key again.',
    ),
  VAULT_ALLOW_ENV_KEYS: flag(false).describe('Allows VAULT_KEYS in production.'),
  API_KEY_PEPPER: z
    .string()
    .regex(/^[A-Za-z0-9+/]{43}=$/, 'must be 32 bytes in base64')
    .optional()
    .describe(
      '32 bytes in base64. API keys are stored as HMAC-SHA256 with this key. Changing it invalidates every API key.',
    ),
  ADMIN_TOKEN: z
    .string()
    .regex(/^[\x21-\x7e]{32,}$/, 'must be at least 32 printable ASCII characters without a space')
    .optional()
    .describe(
      'Bearer token of `/v0/admin/*`, at least 32 printable ASCII characters. Without it the routes do not exist.',
    ),
};
