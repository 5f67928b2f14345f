export interface SandboxAccount {
  accountId: string;
  apiKey: string;
  apiSecret: string;
  /**
   * Addresses that the account may withdraw to. `asset` is a code such as `BTC`; `method` and `network` are the
   * exchange's names.
   */
  withdrawalAddresses: { asset: string; method: string; network: string; address: string; memo: string | null }[];
}

export interface SandboxWithdrawal {
  refid: string;
  asset: string;
  address: string;
  /** The tag or memo of the address; null = none. */
  memo: string | null;
  /** The amount that the receiver gets, without the fee. */
  amount: string;
  fee: string;
  status: 'Initial' | 'Pending' | 'Settled' | 'Success' | 'Failure';
}

export interface SandboxDeposit {
  refid: string;
  asset: string;
  /** The exchange's name of the network. */
  network: string;
  address: string;
  memo: string | null;
  amount: string;
  txid: string;
  status: 'Settled' | 'Success' | 'Failure';
  /** Epoch milliseconds. */
  receivedAt: number;
}

/** A deposit address that the exchange issued; `asset` and `method` are the exchange's names. */
export interface SandboxDepositAddress {
  asset: string;
  method: string;
  address: string;
  memo: string | null;
}

/** An order in the records of the exchange; amounts are decimal strings. */
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

export type PairStatus = 'online' | 'cancel_only' | 'post_only' | 'limit_only' | 'reduce_only' | 'maintenance';

interface DepositOptions {
  method?: string;
  /** With `Settled`, the deposit is not in the balance yet. */
  status?: 'Settled' | 'Success';
  /** Epoch milliseconds; the default is now. */
  at?: number;
}

interface BulkHistory {
  deposits?: number;
  withdrawals?: number;
  /** The records are spread evenly between `from` (excluded) and `to`. */
  from: Date;
  to: Date;
  /** The code of the only asset of the records, such as `BTC`; absent = the records have eight assets. */
  asset?: string;
}

type AccountRef = Pick<SandboxAccount, 'accountId'>;

export interface AccountOptions {
  /** The default is random. */
  apiKey?: string;
  balances?: Record<string, string>;
  settle?: 'auto' | 'manual';
  /** Whether the protocols of Bitget, Gate and KuCoin treat the account as a unified account. */
  isUnified?: boolean;
  /** What the owner has in other accounts, by the exchange's name of the account and by asset. */
  otherAccounts?: Record<string, Record<string, string>>;
  permissions?: string[];
  ipAllowlist?: string[];
  /** The nonce window of the key at Kraken. */
  nonceWindow?: number;
  withdrawalAddresses?: { asset: string; method: string; address: string; key: string; verified?: boolean }[];
}

export interface Fault {
  endpoint: string;
  fault: string;
  /** Number of calls that the fault affects; null means all. */
  count?: number | null;
  delayMs?: number;
  /** Time until the fault ends, from when it was armed. */
  forMs?: number;
  error?: string;
  apiKey?: string;
}

interface LoggedCall {
  endpoint: string;
  apiKeyHint: string | null;
  /** `ok`, or the error of the response. */
  outcome: string;
}

/** Kraken's calls that move money. */
const SUBMISSIONS: readonly string[] = ['Withdraw', 'AddOrder'];

/** A client of the control API of the sandbox exchange. */
export class Sandbox {
  constructor(readonly url: string) {}

  open(options: AccountOptions = {}): Promise<SandboxAccount> {
    return this.call('POST', 'accounts', { balances: { BTC: '5', ETH: '80', XRP: '20000' }, ...options });
  }

  /** Opens an account of Coinbase with a key. */
  openCoinbase(balances: Record<string, string> = {}): Promise<SandboxAccount> {
    return this.call('POST', 'coinbase/accounts', { balances });
  }

  /** Opens an account of the partner API. */
  openPartner(options: { balances?: Record<string, string> } = {}): Promise<{ accountId: string; token: string }> {
    return this.call('POST', 'partner/accounts', options);
  }

  /** Makes the account a unified account of Bitget, or a classic one. */
  async setUnified({ accountId }: AccountRef, isUnified: boolean): Promise<void> {
    await this.call('POST', `accounts/${accountId}/unified`, { isUnified });
  }

  async withdrawals(account: AccountRef): Promise<SandboxWithdrawal[]> {
    return (await this.records(account)).withdrawals;
  }

  /** Books a deposit to the account. */
  fund({ accountId }: AccountRef, asset: string, amount: string, more: DepositOptions = {}): Promise<SandboxDeposit> {
    return this.call('POST', `accounts/${accountId}/fund`, { asset, amount, ...more });
  }

  /** Ends a deposit that has Kraken's status `Settled`. In that status, its amount is not in the balance yet. */
  async finishDeposit(refid: string, status: 'Success' | 'Failure'): Promise<void> {
    await this.call('POST', `deposits/${refid}`, { status });
  }

  /** Adds settled records of the past to the account. */
  async makeHistory({ accountId }: AccountRef, history: BulkHistory): Promise<void> {
    const { from, to } = history;
    await this.call('POST', `accounts/${accountId}/history`, { ...history, from: from.getTime(), to: to.getTime() });
  }

  /** Returns the account's records from the exchange's ledger. The faults do not change this response. */
  async records({ accountId }: AccountRef): Promise<{
    deposits: SandboxDeposit[];
    /** In the order in which they were issued. */
    depositAddresses: SandboxDepositAddress[];
    withdrawals: SandboxWithdrawal[];
    orders: SandboxOrder[];
  }> {
    return this.call('GET', `accounts/${accountId}/ledger`);
  }

  /** Returns every order of the account, the oldest first. */
  async orders(account: AccountRef): Promise<SandboxOrder[]> {
    return (await this.records(account)).orders;
  }

  async setPairStatus(pair: string, status: PairStatus): Promise<void> {
    await this.call('POST', 'pairs', { pair, status });
  }

  /** Fills an open order; the default is its remaining volume at its limit price. */
  fillOrder(id: string, more: { volume?: string; price?: string } = {}): Promise<SandboxOrder> {
    return this.call('POST', `orders/${id}`, { action: 'fill', ...more });
  }

  /** Ends an open order, sets it to pending (`pend`) or opens it again (`open`). */
  moveOrder(id: string, action: 'cancel' | 'expire' | 'pend' | 'open'): Promise<SandboxOrder> {
    return this.call('POST', `orders/${id}`, { action });
  }

  async settle(refid: string, status: SandboxWithdrawal['status']): Promise<void> {
    await this.call('POST', `withdrawals/${refid}`, { status });
  }

  async arm(fault: Fault): Promise<void> {
    await this.call('POST', 'faults', fault);
  }

  /** Removes all faults and releases every call that hangs. */
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
   * Counts the calls to an endpoint with the key of this account. Reads that failed because of their nonce are repeated
   * and do not count; submissions always count.
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
