export interface SandboxAccount {
  accountId: string;
  apiKey: string;
  apiSecret: string;
  /** Where the account may withdraw to; `asset` is the common code, `method` and `network` are the exchange's names. */
  withdrawalAddresses: { asset: string; method: string; network: string; address: string; memo: string | null }[];
}

export interface SandboxWithdrawal {
  refid: string;
  asset: string;
  address: string;
  /** What arrives; the fee was taken beside it. */
  amount: string;
  fee: string;
  status: 'Initial' | 'Pending' | 'Settled' | 'Success' | 'Failure';
}

export interface SandboxDeposit {
  refid: string;
  asset: string;
  /** The exchange's name of where it came from, and where it came to. */
  network: string;
  address: string;
  memo: string | null;
  amount: string;
  txid: string;
  status: 'Settled' | 'Success' | 'Failure';
  /** Epoch milliseconds. */
  receivedAt: number;
}

/** An address that the exchange gave out; `asset` and `method` are its own names. */
export interface SandboxDepositAddress {
  asset: string;
  method: string;
  address: string;
  memo: string | null;
}

/** An order as the exchange has it on record, in our words; amounts are decimal strings. */
export interface SandboxOrder {
  id: string;
  /** The exchange's own id of the pair, such as `XXBTZUSD`. */
  pair: string;
  side: 'buy' | 'sell';
  type: 'market' | 'limit';
  status: 'pending' | 'open' | 'closed' | 'canceled' | 'expired';
  clientOrderId: string | null;
  limitPrice: string | null;
  volume: string;
  executedVolume: string;
  cost: string;
  fee: string;
  averagePrice: string;
}

/** Price and volume. */
type Level = [price: string, volume: string];

export type PairStatus = 'online' | 'cancel_only' | 'post_only' | 'limit_only' | 'reduce_only' | 'maintenance';

interface DepositOptions {
  method?: string;
  /** `Settled`: not in the balance yet. */
  status?: 'Settled' | 'Success';
  /** Epoch milliseconds; default now. */
  at?: number;
}

interface DepositTerms {
  /** Most that can be received; null = no limit. */
  limit?: string | null;
  fee?: string;
  minimum?: string;
  setupFee?: string | null;
  /** Whether addresses are made on request. */
  generates?: boolean;
  /** How long a new address lasts; null = for ever. */
  lastsMs?: number | null;
  listed?: boolean;
}

interface GivenAddress {
  /** Common code. */
  asset: string;
  method: string;
  address: string;
  memo?: string | null;
  /** Epoch milliseconds; null = never. */
  expiresAt?: number | null;
}

interface BulkHistory {
  deposits?: number;
  withdrawals?: number;
  /** Spread evenly from after `from` to `to`. */
  from: Date;
  to: Date;
  /** Common code; without it eight assets. */
  asset?: string;
}

type AccountRef = Pick<SandboxAccount, 'accountId'>;

export interface AccountOptions {
  balances?: Record<string, string>;
  settle?: 'auto' | 'manual';
  permissions?: string[];
  ipAllowlist?: string[];
  withdrawalAddresses?: { asset: string; method: string; address: string; key: string; verified?: boolean }[];
}

export interface Fault {
  endpoint: string;
  fault: string;
  /** How many calls it meets; null = all. */
  count?: number | null;
  delayMs?: number;
  /** The fault ends so long after it was armed. */
  forMs?: number;
  error?: string;
  apiKey?: string;
}

interface LoggedCall {
  endpoint: string;
  apiKeyHint: string | null;
  /** `ok`, or the error that was answered. */
  outcome: string;
}

/** Kraken's calls that move money. */
const SUBMISSIONS: readonly string[] = ['Withdraw', 'AddOrder'];

/** The sandbox exchange as a test moves it, through its control API. */
export class Sandbox {
  constructor(readonly url: string) {}

  open(options: AccountOptions = {}): Promise<SandboxAccount> {
    return this.call('POST', 'accounts', { balances: { BTC: '5', ETH: '80', XRP: '20000' }, ...options });
  }

  async withdrawals(account: AccountRef): Promise<SandboxWithdrawal[]> {
    return (await this.records(account)).withdrawals;
  }

  /** Lets a deposit arrive. */
  fund({ accountId }: AccountRef, asset: string, amount: string, more: DepositOptions = {}): Promise<SandboxDeposit> {
    return this.call('POST', `accounts/${accountId}/fund`, { asset, amount, ...more });
  }

  /** Changes a deposit method of Kraken's protocol for everybody; `listed: false` takes it away. */
  async changeDepositMethod(asset: string, method: string, terms: DepositTerms): Promise<void> {
    await this.call('POST', 'deposit-methods', { asset, method, ...terms });
  }

  /** The account has this deposit address, whatever it is worth. */
  async giveDepositAddress({ accountId }: AccountRef, address: GivenAddress): Promise<void> {
    await this.call('POST', `accounts/${accountId}/deposit-addresses`, address);
  }

  /** What becomes of a deposit that is `Settled`. */
  async finishDeposit(refid: string, status: 'Success' | 'Failure'): Promise<void> {
    await this.call('POST', `deposits/${refid}`, { status });
  }

  /** Gives the account a past of settled records. */
  async makeHistory({ accountId }: AccountRef, history: BulkHistory): Promise<void> {
    const { from, to } = history;
    await this.call('POST', `accounts/${accountId}/history`, { ...history, from: from.getTime(), to: to.getTime() });
  }

  /** What the exchange has on record, whatever it answered. */
  async records({ accountId }: AccountRef): Promise<{
    deposits: SandboxDeposit[];
    /** In the order in which they were given out. */
    depositAddresses: SandboxDepositAddress[];
    withdrawals: SandboxWithdrawal[];
    orders: SandboxOrder[];
  }> {
    return this.call('GET', `accounts/${accountId}/ledger`);
  }

  /** Every order that was ever made, the oldest first. */
  async orders(account: AccountRef): Promise<SandboxOrder[]> {
    return (await this.records(account)).orders;
  }

  /** Moves a pair (`XBTUSD`, `XBT/USD`); returns the ids of the orders that it filled. */
  async movePrice(pair: string, price: string): Promise<string[]> {
    return (await this.call<{ filled: string[] }>('POST', 'prices', { pair, price })).filled;
  }

  /** What a pair offers from now on; a side that is not given stays as it is. Returns the ids of the orders that it met. */
  async setDepth(pair: string, offers: { bids?: Level[]; asks?: Level[] }): Promise<string[]> {
    return (await this.call<{ filled: string[] }>('POST', 'depth', { pair, ...offers })).filled;
  }

  /** The pair offers any volume at its best prices again. */
  async forgetDepth(pair: string): Promise<void> {
    await this.call('POST', 'depth', { pair, unlimited: true });
  }

  async setPairStatus(pair: string, status: PairStatus): Promise<void> {
    await this.call('POST', 'pairs', { pair, status });
  }

  /** Fills a waiting order; by default its whole rest at its limit. */
  fillOrder(id: string, more: { volume?: string; price?: string } = {}): Promise<SandboxOrder> {
    return this.call('POST', `orders/${id}`, { action: 'fill', ...more });
  }

  /** Ends an open order, holds it back from the market (`pend`) or lets it in again (`open`). */
  moveOrder(id: string, action: 'cancel' | 'expire' | 'pend' | 'open'): Promise<SandboxOrder> {
    return this.call('POST', `orders/${id}`, { action });
  }

  async settle(refid: string, status: SandboxWithdrawal['status']): Promise<void> {
    await this.call('POST', `withdrawals/${refid}`, { status });
  }

  async arm(fault: Fault): Promise<void> {
    await this.call('POST', 'faults', fault);
  }

  /** Forgets the faults and lets go of every call that hangs. */
  async calm(): Promise<void> {
    await this.call('DELETE', 'faults');
  }

  async revoke({ apiKey }: SandboxAccount): Promise<void> {
    await this.call('POST', `keys/${encodeURIComponent(apiKey)}/revoke`);
  }

  async restore({ apiKey }: SandboxAccount): Promise<void> {
    await this.call('POST', `keys/${encodeURIComponent(apiKey)}/restore`);
  }

  /**
   * How often an endpoint was called with the key of this account. A read whose nonce was refused is repeated and does
   * not count; a submission always counts.
   */
  async countCalls({ apiKey }: SandboxAccount, endpoint?: string): Promise<number> {
    const query = endpoint === undefined ? '' : `?endpoint=${endpoint}`;
    const { requests } = await this.call<{ requests: LoggedCall[] }>('GET', `requests${query}`);
    const counts = (call: LoggedCall): boolean =>
      call.apiKeyHint === apiKey.slice(-4) &&
      (call.outcome !== 'EAPI:Invalid nonce' || SUBMISSIONS.includes(call.endpoint));
    return requests.filter(counts).length;
  }

  private async call<T>(method: string, path: string, body?: object): Promise<T> {
    const answer = await fetch(`${this.url}/control/${path}`, {
      method,
      headers: body === undefined ? {} : { 'content-type': 'application/json' },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`sandbox: ${method} ${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as T;
  }
}
