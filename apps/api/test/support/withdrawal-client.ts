import type { Output } from '#client';
import { until } from '#platform/testing';
import type { Answer } from './documented-responses.js';
import type { TestApp, TestWallet } from './test-app.js';

export interface ErrorBody {
  error: string;
  type: string;
  missing?: string[];
  result?: {
    fields?: { field: string; message: string }[];
    networks?: string[];
    reason?: string;
    transactionId?: string;
    walletDeleted?: boolean;
  };
}

export type QuoteBody = Output<'createQuote'>;
export type ExecutionBody = Output<'executeQuote'>;
export type TransactionBody = Output<'getTransaction'>;

export type QuoteRequest = Partial<Record<'asset' | 'amount' | 'address' | 'network' | 'tag' | 'includeFee', unknown>>;

export function quote({ http }: Pick<TestWallet, 'http'>, body: QuoteRequest): Promise<Answer<QuoteBody & ErrorBody>> {
  return http.post('/v0/wallet/withdraw/quote', { body });
}

/** Returns an address that the account at the exchange has saved for withdrawals. */
export function savedAddress({ account }: TestWallet, asset: string, method: string): string {
  const saved = account.withdrawalAddresses.find((entry) => entry.asset === asset && entry.method === method);
  if (saved === undefined) throw new Error(`no saved address for ${asset} by ${method}`);
  return saved.address;
}

/** Creates a quote that can be executed; the default is 0.01 BTC to a saved address. */
export function btcQuote(wallet: TestWallet, amount = '0.01'): Promise<QuoteBody> {
  const address = savedAddress(wallet, 'BTC', 'Bitcoin');
  return wallet.causeway.createQuote({ asset: 'BTC', network: 'bitcoin', amount, address });
}

export function execute(
  { http }: Pick<TestWallet, 'http'>,
  quoteId: string,
  body: object = {},
  query = '',
): Promise<Answer<ExecutionBody & ErrorBody>> {
  return http.put(`/v0/wallet/withdraw/${quoteId}/execute${query}`, { body });
}

/** Returns the transaction when it is no longer pending; meanwhile the clock advances in steps. */
export async function settled(
  app: TestApp,
  { causeway }: Pick<TestWallet, 'causeway'>,
  transactionId: string,
  stepMs: number,
): Promise<TransactionBody> {
  let transaction = await causeway.getTransaction({ transactionId });
  await until(`the end of ${transactionId}`, async () => {
    transaction = await causeway.getTransaction({ transactionId });
    if (transaction.status === 'pending') app.clock.advance(stepMs);
    return transaction.status !== 'pending';
  });
  return transaction;
}
