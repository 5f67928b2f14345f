import { z } from 'zod';
import { connectSettings, grantSettings, listenSettings } from './settings/connect.js';
import { depositSettings } from './settings/deposits.js';
import { eventSettings } from './settings/events.js';
import { exchangesSettings } from './settings/exchanges.js';
import { limitsSettings } from './settings/limits.js';
import { marketSettings } from './settings/market.js';
import { metricsSettings } from './settings/metrics.js';
import { processSettings } from './settings/process.js';
import { queueSettings } from './settings/queues.js';
import { secretsSettings } from './settings/secrets.js';
import { storageSettings } from './settings/storage.js';
import { catalogueSettings, orderSettings } from './settings/trading.js';
import { enrichmentSettings, transactionSettings } from './settings/transactions.js';
import { walletsSettings } from './settings/wallets.js';
import { webhookSettings } from './settings/webhooks.js';
import { withdrawalsSettings } from './settings/withdrawals.js';

/** The settings, grouped by the headings of the generated documentation. */
export const groups = {
  Process: processSettings,
  Limits: limitsSettings,
  Storage: storageSettings,
  Queues: queueSettings,
  Metrics: metricsSettings,
  Secrets: secretsSettings,
  Exchanges: exchangesSettings,
  Market: marketSettings,
  Wallets: walletsSettings,
  Transactions: transactionSettings,
  Enrichment: enrichmentSettings,
  Withdrawals: withdrawalsSettings,
  Deposits: depositSettings,
  Catalogue: catalogueSettings,
  Orders: orderSettings,
  Events: eventSettings,
  Webhooks: webhookSettings,
  Connecting: connectSettings,
  'Access tokens': grantSettings,
  Listening: listenSettings,
};

/** Every setting, with its meaning, unit, bounds and default. `docs/configuration.md` is generated from it. */
export const schema = z.object({
  ...groups.Process,
  ...groups.Limits,
  ...groups.Storage,
  ...groups.Queues,
  ...groups.Metrics,
  ...groups.Secrets,
  ...groups.Exchanges,
  ...groups.Market,
  ...groups.Wallets,
  ...groups.Transactions,
  ...groups.Enrichment,
  ...groups.Withdrawals,
  ...groups.Deposits,
  ...groups.Catalogue,
  ...groups.Orders,
  ...groups.Events,
  ...groups.Webhooks,
  ...groups.Connecting,
  ...groups['Access tokens'],
  ...groups.Listening,
});
