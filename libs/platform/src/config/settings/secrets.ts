import { z } from 'zod';
import { flag, list, url } from './kinds.js';

export const secretsSettings = {
  VAULT_KEYS: z
    .string()
    .optional()
    .describe(
      'Key-encryption keys, separated by commas, each with its own id: `id:base64` with 32 bytes, `id:aws-kms:<ARN of the key>`, or `id:vault-transit:<name of the key>`. The first key encrypts; all keys decrypt. Keys with bytes are refused here in production unless VAULT_ALLOW_ENV_KEYS is true.',
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
  VAULT_ALLOW_ENV_KEYS: flag(false).describe('Allows the bytes of keys in VAULT_KEYS in production.'),
  VAULT_KMS_URL: url()
    .optional()
    .describe('Endpoint of AWS KMS, such as that of a VPC. Default: the public endpoint of the region in the ARN.'),
  VAULT_TRANSIT_URL: url()
    .optional()
    .describe('Address of the HashiCorp Vault server for keys of the kind `vault-transit`.'),
  VAULT_TRANSIT_TOKEN_FILE: z
    .string()
    .optional()
    .describe(
      'File with the token for that server. It is read before each call, so that an agent can renew the token.',
    ),
  VAULT_TRANSIT_NAMESPACE: z
    .string()
    .regex(/^[A-Za-z0-9/_-]{1,256}$/, 'must be the path of a namespace')
    .optional()
    .describe('Namespace of the keys at that server. Default: none.'),
  VAULT_TRANSIT_MOUNT: z
    .string()
    .regex(/^[A-Za-z0-9/_-]{1,256}$/, 'must be a path')
    .default('transit')
    .describe('Path of the transit engine at that server.'),
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
