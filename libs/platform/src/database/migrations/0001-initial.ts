import type { MigrationInterface, QueryRunner } from 'typeorm';
import { access } from './0001-initial/access.js';
import { audit } from './0001-initial/audit.js';
import { connect } from './0001-initial/connect.js';
import { credentialRules } from './0001-initial/credential-rules.js';
import { credentials } from './0001-initial/credentials.js';
import { deposits } from './0001-initial/deposits.js';
import { epochs } from './0001-initial/epochs.js';
import { events } from './0001-initial/events.js';
import { exchangeCalls } from './0001-initial/exchange-calls.js';
import { functionPaths } from './0001-initial/function-paths.js';
import { market } from './0001-initial/market.js';
import { nonces } from './0001-initial/nonces.js';
import { orders } from './0001-initial/orders.js';
import { projectsOfRows } from './0001-initial/projects-of-rows.js';
import { quotes } from './0001-initial/quotes.js';
import { rowRules } from './0001-initial/row-rules.js';
import { transactions } from './0001-initial/transactions.js';
import { wallets } from './0001-initial/wallets.js';
import { webhooks } from './0001-initial/webhooks.js';
import { withdrawalRules } from './0001-initial/withdrawal-rules.js';
import { withdrawals } from './0001-initial/withdrawals.js';

/** The tables, each after those that it references, then the rules for their rows, and the paths of all functions. */
const tables = [
  access,
  audit,
  events,
  webhooks,
  wallets,
  credentials,
  transactions,
  quotes,
  withdrawals,
  withdrawalRules,
  epochs,
  market,
  orders,
  deposits,
  connect,
  nonces,
  exchangeCalls,
  rowRules,
  credentialRules,
  projectsOfRows,
  functionPaths,
];

/** The first schema. Constraints and triggers enforce the rules about money independently of the code. */
export class Initial0001 implements MigrationInterface {
  readonly name = 'Initial1760000000001';

  async up(runner: QueryRunner): Promise<void> {
    for (const part of tables) await runner.query(part);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('the first schema is not undone: drop the database instead'));
  }
}
