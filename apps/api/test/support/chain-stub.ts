import { v7 } from 'uuid';
import { StubExchange } from '#exchange/testing';
import { esploraTransaction, JsonRpcNode, type EsploraFacts } from '#transaction/testing';
import type { TestApp, TestProjectWithClient, TestWallet } from './test-app.js';

export const OURS = 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq';
export const SENDER = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';

/** The facts that the exchange has reported about a transaction. */
export interface Facts {
  network: string;
  hash: string | null;
  addressTo: string | null;
  amount: string;
  type: 'deposit' | 'withdrawal';
  status: string;
  occurredAt: Date;
}

/** Chain APIs on one port: Esplora under `/btc` and `/ltc`, JSON-RPC under `/eth`. */
export class ChainStub {
  private constructor(
    readonly http: StubExchange,
    readonly node: JsonRpcNode,
  ) {}

  static async start(): Promise<ChainStub> {
    const http = await StubExchange.start();
    return new ChainStub(http, new JsonRpcNode(http, 'POST /eth'));
  }

  get env(): Record<string, string> {
    return {
      ENRICHMENT_BITCOIN_URL: `${this.http.url}/btc`,
      ENRICHMENT_LITECOIN_URL: `${this.http.url}/ltc/`,
      ENRICHMENT_ETHEREUM_URL: `${this.http.url}/eth`,
      // Causeway cannot query Solana, so it never calls this address.
      ENRICHMENT_SOLANA_URL: `${this.http.url}/sol`,
      ENRICHMENT_TIMEOUT_MS: '500',
    };
  }

  /** Makes the Esplora API of bitcoin return this transaction. */
  knows(facts: EsploraFacts): void {
    this.http.on(`GET /btc/tx/${facts.txid}`, () => esploraTransaction(facts));
  }

  callsOf(hash: string): number {
    return this.http.callsOf(`GET /btc/tx/${hash}`).length;
  }
}

let hashes = 0;
export const newHash = (): string => (++hashes).toString(16).padStart(64, 'a');
export const seconds = (date: Date): number => Math.floor(date.getTime() / 1_000);

export const esplora = (txid: string, at: Date, rest: Partial<EsploraFacts> = {}): EsploraFacts => ({
  txid,
  from: [SENDER],
  to: [{ address: OURS, value: 5_000_000 }],
  block: { height: 933_000, time: seconds(at) },
  ...rest,
});

/** Inserts a transaction as the history sync does. */
export async function record(
  app: TestApp,
  project: TestProjectWithClient,
  wallet: TestWallet,
  facts: Partial<Facts> = {},
) {
  const id = v7();
  const now = app.clock.now();
  const given: Facts = {
    network: 'bitcoin',
    hash: newHash(),
    addressTo: OURS,
    amount: '0.05',
    type: 'deposit',
    status: 'ok',
    occurredAt: now,
    ...facts,
  };
  await app.db.query(
    `insert into transactions (id, project_id, wallet_id, external_wallet_id, exchange, exchange_transaction_id, type, direction,
       status, asset, amount, address_to, network, hash, origin, occurred_at, created_at, updated_at)
     select $1::uuid, $2, id, external_id, exchange, $1::text, $3::text, case $3::text when 'deposit' then 'in' else 'out' end,
       $4, 'BTC', $5, $6, $7, $8, 'exchange', $9, $10, $10 from wallets where project_id = $2 and external_id = $11`,
    [
      id,
      project.projectId,
      given.type,
      given.status,
      given.amount,
      given.addressTo,
      given.network,
      given.hash,
      given.occurredAt,
      now,
      wallet.walletId,
    ],
  );
  return { id, hash: given.hash ?? '' };
}
