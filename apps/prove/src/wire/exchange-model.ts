import { createHash, createHmac } from 'node:crypto';
import { Amount } from '#money';
import type { RequestText } from './http-text.js';

/** A withdrawal or an order that the exchange has executed. */
export interface Booking {
  id: string;
  /** Identifies the executed submission: the name of a withdrawal's saved address, or an order's client order id. */
  marker: string;
  /** The API key that signed the submission. It identifies the account. */
  apiKey: string;
  /** The amount and the address of a withdrawal, as they were sent; null = an order. */
  withdrawal: { amount: string; address: string } | null;
  /** When the exchange executed the submission: the true time, and the exchange's own time, in epoch milliseconds. */
  at: Times;
}

/** A moment by the true time and by the exchange's own clock, in epoch milliseconds. */
interface Times {
  trueMs: number;
  exchangeMs: number;
}

/** How long after an executed withdrawal the history and the balance show it; Infinity = never. */
export interface Lags {
  historyMs: number;
  balanceMs: number;
}

interface Body {
  error: string[];
  result?: unknown;
}

/** An order as https://docs.kraken.com/api-reference/trading/get-open-orders shows it, before anything is filled. */
const ORDER = {
  status: 'open',
  opentm: 1_616_665_511,
  descr: { pair: 'XBTUSD', type: 'sell', ordertype: 'limit' },
  vol: '0.1',
  vol_exec: '0',
  cost: '0',
  fee: '0',
  price: '0',
};

/** https://docs.kraken.com/api-reference/market-data/get-asset-info */
const ASSETS = { XXBT: { aclass: 'currency', altname: 'XBT', decimals: 10, display_decimals: 5, status: 'enabled' } };

/** The balance of an account before its first withdrawal. */
const BALANCE = Amount.of('100');
const AT_ONCE: Lags = { historyMs: 0, balanceMs: 0 };

/** The response to GetApiKeyInfo: https://docs.kraken.com/api-reference/account-data/get-api-key-info. */
const KEY_INFO = {
  permissions: ['query-funds', 'withdraw-funds', 'modify-trades'],
  nonceWindow: 0,
  queryFrom: '0',
  queryTo: '0',
};

/**
 * A model of Kraken. It verifies the signature, refuses every nonce that is not above the last one of the key, and then
 * executes or refuses the request. Its bookings are the ledger that the judge compares outcomes with.
 */
export class ExchangeModel {
  readonly bookings: Booking[] = [];
  private readonly lastNonces = new Map<string, bigint>();
  private readonly refused = new Set<string>();
  private readonly lags = new Map<string, Lags>();

  /** @param secrets by API key. */
  constructor(private readonly secrets: ReadonlyMap<string, string>) {}

  /** Makes the exchange refuse this submission with "insufficient funds" from now on. */
  refuse(marker: string): void {
    this.refused.add(marker);
  }

  /** Makes the account show this withdrawal late. */
  showLate(marker: string, lags: Lags): void {
    this.lags.set(marker, lags);
  }

  /** Executes or refuses a request. @returns the response. */
  handle(request: RequestText, at: Times): Body {
    if (request.path === '/0/public/Assets') return { error: [], result: ASSETS };
    const apiKey = request.headers.get('api-key') ?? '';
    const secret = this.secrets.get(apiKey);
    if (secret === undefined) return { error: ['EAPI:Invalid key'] };
    if (request.headers.get('api-sign') !== signatureOf(secret, request)) return { error: ['EAPI:Invalid signature'] };
    const nonce = BigInt(request.params['nonce'] ?? '0');
    if (nonce <= (this.lastNonces.get(apiKey) ?? 0n)) return { error: ['EAPI:Invalid nonce'] };
    this.lastNonces.set(apiKey, nonce);
    return this.act(request, apiKey, at);
  }

  private act({ path, params }: RequestText, apiKey: string, at: Times): Body {
    switch (path) {
      case '/0/private/Withdraw': {
        const withdrawal = { amount: params['amount'] ?? '', address: params['address'] ?? '' };
        const draft = { marker: params['key'] ?? '', apiKey, at, withdrawal };
        return this.book(draft, 'EFunding:Insufficient funds', (id) => ({ refid: id }));
      }
      case '/0/private/AddOrder':
        // Kraken's documentation: "RFC3339 timestamp after which the matching engine should reject the new order
        // request".
        if (at.exchangeMs > Date.parse(params['deadline'] ?? '')) return { error: ['EService:Deadline elapsed'] };
        return this.book(
          { marker: params['cl_ord_id'] ?? '', apiKey, at, withdrawal: null },
          'EOrder:Insufficient funds',
          (id) => ({ txid: [id] }),
        );
      case '/0/private/GetApiKeyInfo':
        return { error: [], result: KEY_INFO };
      case '/0/private/BalanceEx':
        return { error: [], result: this.balances(apiKey, at) };
      case '/0/private/WithdrawStatus':
        return { error: [], result: { withdrawals: this.withdrawals(apiKey, at), next_cursor: null } };
      case '/0/private/OpenOrders':
        return { error: [], result: { open: this.orders(params['cl_ord_id']) } };
      case '/0/private/ClosedOrders':
        return { error: [], result: { closed: {} } };
      default:
        return { error: ['EGeneral:Unknown method'] };
    }
  }

  private book(draft: Omit<Booking, 'id'>, refusal: string, result: (id: string) => object): Body {
    if (this.refused.has(draft.marker)) return { error: [refusal] };
    const id = `BOOKED-${this.bookings.length + 1}`;
    this.bookings.push({ id, ...draft });
    return { error: [], result: result(id) };
  }

  /** https://docs.kraken.com/api-reference/account-data/get-extended-balance */
  private balances(apiKey: string, at: Times): object {
    const paid = this.shown(apiKey, at, 'balanceMs').map(({ withdrawal }) => Amount.of(withdrawal?.amount ?? '0'));
    return { XXBT: { balance: BALANCE.minus(Amount.sum(paid)).toString(), hold_trade: '0' } };
  }

  /** https://docs.kraken.com/api-reference/funding/get-status-of-recent-withdrawals */
  private withdrawals(apiKey: string, at: Times): object[] {
    return this.shown(apiKey, at, 'historyMs').map(({ id, marker, withdrawal, at: { exchangeMs } }) => ({
      method: 'Bitcoin',
      network: 'Bitcoin',
      aclass: 'currency',
      asset: 'XXBT',
      refid: id,
      txid: null,
      info: withdrawal?.address,
      amount: withdrawal?.amount,
      fee: '0',
      key: marker,
      status: 'Pending',
      time: Math.floor(exchangeMs / 1_000),
    }));
  }

  /** The withdrawals of an account that its history or its balance shows now. */
  private shown(apiKey: string, { trueMs }: Times, part: keyof Lags): Booking[] {
    return this.bookings.filter(
      (booking) =>
        booking.withdrawal !== null &&
        booking.apiKey === apiKey &&
        trueMs - booking.at.trueMs >= (this.lags.get(booking.marker) ?? AT_ONCE)[part],
    );
  }

  private orders(clientOrderId: string | undefined): object {
    const found = this.bookings.filter(({ marker }) => marker === clientOrderId);
    return Object.fromEntries(found.map(({ id, marker }) => [id, { ...ORDER, cl_ord_id: marker }]));
  }
}

/**
 * API-Sign: HMAC-SHA512 of (path + SHA256(nonce + body)), https://docs.kraken.com/exchange/guides/rest/authentication.
 */
function signatureOf(secret: string, { path, params, rawBody }: RequestText): string {
  const digest = createHash('sha256')
    .update(`${params['nonce'] ?? ''}${rawBody}`)
    .digest();
  return createHmac('sha512', Buffer.from(secret, 'base64')).update(path).update(digest).digest('base64');
}
