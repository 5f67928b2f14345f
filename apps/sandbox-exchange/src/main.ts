import { z } from 'zod';
import { exitWithParent } from '#platform/child-program';
import { startSandboxExchange } from './sandbox-exchange.js';

const environment = z.object({
  SANDBOX_PORT: z.coerce.number().int().min(0).max(65_535).default(8790),
  SANDBOX_HOST: z.string().default('127.0.0.1'),
  /** The file of the ledger. Without it the exchange loses its state when it stops. */
  SANDBOX_LEDGER_FILE: z.string().min(1).optional(),
  /** Exact redirect URIs of the built-in OAuth client, comma-separated. Loopback addresses are always allowed. */
  SANDBOX_OAUTH_REDIRECT_URIS: z
    .string()
    .default('')
    .transform((text) => text.split(',').flatMap((uri) => uri.trim() || []))
    .pipe(z.array(z.url({ protocol: /^https?$/ }))),
  /** Address of `POST /v0/webhooks/sandbox` of Causeway's API. Without it no webhooks are sent. */
  SANDBOX_WEBHOOK_URL: z.url({ protocol: /^https?$/ }).optional(),
  /** The secret that signs the webhooks, as in Standard Webhooks; it is a setting of Causeway's API, too. */
  WEBHOOK_SECRET_SANDBOX: z.string().startsWith('whsec_').optional(),
  /** Milliseconds from the request of a withdrawal to its success. */
  SANDBOX_SETTLE_MS: z.coerce.number().int().min(0).default(3000),
});

function fail(reason: string): never {
  process.stderr.write(`sandbox exchange: ${reason}\n`);
  process.exit(1);
}

const settings = environment.safeParse(process.env);
if (!settings.success) fail(z.prettifyError(settings.error));
const { SANDBOX_PORT: port, SANDBOX_HOST: host, SANDBOX_LEDGER_FILE, SANDBOX_SETTLE_MS } = settings.data;
const { SANDBOX_OAUTH_REDIRECT_URIS: oauthRedirectUris } = settings.data;
const { SANDBOX_WEBHOOK_URL: webhookUrl, WEBHOOK_SECRET_SANDBOX: secret } = settings.data;
if (webhookUrl !== undefined && secret === undefined) fail('SANDBOX_WEBHOOK_URL needs WEBHOOK_SECRET_SANDBOX');

const exchange = await startSandboxExchange({
  port,
  host,
  ledgerFile: SANDBOX_LEDGER_FILE,
  settleMs: SANDBOX_SETTLE_MS,
  oauthRedirectUris,
  notices: webhookUrl === undefined || secret === undefined ? undefined : { url: webhookUrl, secret },
}).catch((error: NodeJS.ErrnoException) =>
  fail(error.code === 'EADDRINUSE' ? `port ${port} is in use; set SANDBOX_PORT` : error.message),
);
process.stdout.write(`sandbox exchange listens on ${exchange.url}\n`);

exitWithParent();
for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.once(signal, () => void exchange.close().then(() => process.exit(0)));
}
