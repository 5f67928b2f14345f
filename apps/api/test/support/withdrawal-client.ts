import type { Answer } from './documented-answers.js';
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

export interface QuoteBody {
  id: string;
  asset: string;
  network: string;
  destinationAddress: string;
  tag: string | null;
  amountWithFee: number;
  amountNoFee: number;
  estimatedFee: number;
  estimatedTotal: number;
  expiresAt: number;
  exact: { amountWithFee: string; amountNoFee: string; estimatedFee: string; estimatedTotal: string };
  additionalInfo: { minWithdrawal: string | null; maxWithdrawal: string | null };
  requirements: { type: string }[];
}

export interface ExecutionBody {
  success: boolean;
  result: { id: string; transactionId: string; status: string };
}

export interface TransactionBody {
  id: string;
  walletId: string;
  status: string;
  type: string;
  direction: string;
  amount: number;
  currency: string;
  feeCost: number;
  addressTo: string;
  network: string;
  tag: string | null;
  hash: string | null;
  exchangeTransactionId: string | null;
}

export type QuoteRequest = Partial<Record<'asset' | 'amount' | 'address' | 'network' | 'tag' | 'includeFee', unknown>>;

const SETTLE_TIMEOUT_MS = 10_000;

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
export async function btcQuote(wallet: TestWallet, amount = '0.01'): Promise<QuoteBody> {
  const address = savedAddress(wallet, 'BTC', 'Bitcoin');
  const answer = await quote(wallet, { asset: 'BTC', network: 'bitcoin', amount, address });
  if (answer.status !== 200) throw new Error(`no quote: ${JSON.stringify(answer.body)}`);
  return answer.body;
}

export function execute(
  { http }: Pick<TestWallet, 'http'>,
  quoteId: string,
  body: object = {},
  query = '',
): Promise<Answer<ExecutionBody & ErrorBody>> {
  return http.put(`/v0/wallet/withdraw/${quoteId}/execute${query}`, { body });
}

export function transaction(
  { http }: Pick<TestWallet, 'http'>,
  id: string,
): Promise<Answer<TransactionBody & ErrorBody>> {
  return http.get(`/v0/wallet/transaction/${id}`);
}

/** Returns the transaction when it is no longer pending; meanwhile the clock advances in steps. */
export async function settled(
  app: TestApp,
  wallet: Pick<TestWallet, 'http'>,
  id: string,
  stepMs: number,
): Promise<TransactionBody> {
  const until = Date.now() + SETTLE_TIMEOUT_MS;
  for (;;) {
    const { body } = await transaction(wallet, id);
    if (body.status !== 'pending') return body;
    if (Date.now() > until) throw new Error(`still pending after ${SETTLE_TIMEOUT_MS} ms: ${JSON.stringify(body)}`);
    app.clock.advance(stepMs);
  }
}
