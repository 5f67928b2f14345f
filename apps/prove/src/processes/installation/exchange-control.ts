import { kraken, type ProvenExchange } from '../exchanges.js';
import type { FaultName } from '../../../../sandbox-exchange/src/faults/faults.js';

export interface ExchangeAccount {
  accountId: string;
  apiKey: string;
  apiSecret: string;
  withdrawalAddresses: { asset: string; method: string; address: string }[];
}

/** A withdrawal in the ledger of the sandbox exchange. */
export interface LedgerRecord {
  refid: string;
  address: string;
  /** The amount that arrives. */
  amount: string;
  status: 'Initial' | 'Pending' | 'Settled' | 'Success' | 'Failure';
}

/** An order in the ledger of the sandbox exchange. */
export interface OrderRecord {
  id: string;
  volume: string;
  executedVolume: string;
  status: 'pending' | 'open' | 'closed' | 'canceled' | 'expired';
}

export interface ExchangeCall {
  endpoint: string;
  apiKeyHint: string | null;
  outcome: string;
}

/** The calls that submit or list withdrawals, and those that place or list orders. */
export type Endpoint = 'withdraw' | 'history' | 'place' | 'list';

export interface ArmedFault {
  endpoint: Endpoint;
  fault: FaultName;
  /** The number of calls that the fault affects. */
  count: number;
  delayMs: number;
  /** The error of a refusal; absent = the usual one of the exchange. */
  error?: string;
}

interface FiredFault {
  endpoint: string;
  fault: string;
  fired: number;
}

/** Enough of the base asset for all orders of a schedule. */
const TRADED_BALANCE = '10000';

/**
 * Whether the two ids are equal apart from the digit of the UUID's version. The reference that Coinbase gets is the
 * quote's id with another version.
 */
function isAlike(challengeId: string, quoteId: string): boolean {
  const others = (id: string): string => id.slice(0, VERSION_AT) + id.slice(VERSION_AT + 1);
  return others(challengeId) === others(quoteId);
}

const VERSION_AT = 14;

/** Controls and reads the sandbox exchange through its control API. */
export class ExchangeControl {
  /** The exchange whose endpoints this object controls and reads. */
  exchange: ProvenExchange = kraken;

  constructor(private readonly url: string) {}

  /**
   * Opens an account that is one hour old by the exchange's clock. No fault sets this clock back by an hour. With a
   * younger account, the ledger could list the account's opening after later movements. Causeway could then not use the
   * ledger as evidence.
   */
  open(): Promise<ExchangeAccount> {
    const { accounts, assets, trading } = this.exchange;
    const balances: Record<string, string> = Object.fromEntries(assets.map((asset) => [asset, '50']));
    if (trading !== null) balances[trading.baseAsset] = TRADED_BALANCE;
    // Coinbase accounts need no age, because Coinbase has no ledger that could list the opening too late.
    return this.call('POST', accounts, { balances, ...(accounts === 'accounts' && { ageSeconds: 3_600 }) });
  }

  /** The withdrawals of an account, with the ids that the exchange shows its clients. */
  async ledger({ accountId }: ExchangeAccount): Promise<LedgerRecord[]> {
    const { withdrawals } = await this.call<{ withdrawals: LedgerRecord[] }>('GET', `accounts/${accountId}/ledger`);
    return withdrawals.map((record) => ({ ...record, refid: this.exchange.idOf(record.refid) }));
  }

  async orders({ accountId }: ExchangeAccount): Promise<OrderRecord[]> {
    return (await this.call<{ orders: OrderRecord[] }>('GET', `accounts/${accountId}/ledger`)).orders;
  }

  /** Cancels the open orders of an account, as its owner does at the exchange. */
  async cancelOrders(account: ExchangeAccount): Promise<void> {
    const orders = await this.orders(account);
    for (const { id } of orders.filter(({ status }) => status === 'open'))
      await this.call('POST', `orders/${id}`, { action: 'cancel' });
  }

  /**
   * Arms a fault for calls with the key of an account. For an account that was connected by consent, the fault affects
   * all calls, because only the service knows the tokens.
   */
  async arm(fault: ArmedFault, { apiKey }: ExchangeAccount): Promise<void> {
    const { connectBy } = this.exchange;
    const endpoint = this.nameOf(fault.endpoint);
    await this.call('POST', 'faults', { ...fault, endpoint, ...(connectBy === 'key' && { apiKey }) });
  }

  /** Acts as the owner of an account who allows access. @returns the address to which the browser goes back. */
  async allow(url: string, { accountId }: ExchangeAccount): Promise<string> {
    return (await this.call<{ redirectTo: string }>('POST', 'oauth/authorize', { url, accountId })).redirectTo;
  }

  /** The newest code that the exchange has sent to the owner for the withdrawal of a quote; null = none. */
  async codeOf(quoteId: string, { accountId }: ExchangeAccount): Promise<string | null> {
    const { messages } = await this.call<{ messages: { code: string; challengeId: string }[] }>(
      'GET',
      `accounts/${accountId}/messages`,
    );
    return messages.find(({ challengeId }) => isAlike(challengeId, quoteId))?.code ?? null;
  }

  /** Whether the fault has affected a call. */
  async hasFired({ fault, endpoint }: ArmedFault): Promise<boolean> {
    const name = this.nameOf(endpoint);
    const { faults } = await this.call<{ faults: FiredFault[] }>('GET', 'faults');
    return faults.some((each) => each.fault === fault && each.endpoint === name && each.fired > 0);
  }

  /** Removes the faults and ends every held call. */
  async calm(): Promise<void> {
    await this.call('DELETE', 'faults');
  }

  /** Lists the calls that were made with the key of an account, oldest first. */
  async calls({ apiKey }: ExchangeAccount, endpoint: Endpoint): Promise<ExchangeCall[]> {
    const path = `requests?endpoint=${this.nameOf(endpoint)}`;
    const { requests } = await this.call<{ requests: ExchangeCall[] }>('GET', path);
    return requests.filter(({ apiKeyHint }) => apiKeyHint === apiKey.slice(-4));
  }

  /** The sandbox exchange's name of an endpoint. */
  private nameOf(endpoint: Endpoint): string {
    if (endpoint === 'withdraw' || endpoint === 'history') return this.exchange[endpoint];
    const { trading, name } = this.exchange;
    if (trading === null) throw new Error(`schedules place no orders at ${name}`);
    return trading[endpoint];
  }

  private async call<T>(method: string, path: string, body?: object): Promise<T> {
    const answer = await fetch(`${this.url}/control/${path}`, {
      method,
      headers: body === undefined ? {} : { 'content-type': 'application/json' },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`sandbox exchange: ${method} ${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as T;
  }
}
