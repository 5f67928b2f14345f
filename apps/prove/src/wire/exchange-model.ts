import { createHash, createHmac } from 'node:crypto';
import type { RequestText } from './http-text.js';

/** A withdrawal or an order that the exchange has executed. */
export interface Booking {
  id: string;
  /** Identifies the executed submission: the name of a withdrawal's saved address, or an order's client order id. */
  marker: string;
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
  ...{ vol: '0.1', vol_exec: '0', cost: '0', fee: '0', price: '0' },
};

/** The response to GetApiKeyInfo: https://docs.kraken.com/api-reference/account-data/get-api-key-info. */
const KEY_INFO = { permissions: ['query-funds', 'withdraw-funds', 'modify-trades'], queryFrom: '0', queryTo: '0' };

/**
 * A model of Kraken. It verifies the signature, refuses every nonce that is not above the last one of the key, and then
 * executes or refuses the request. Its bookings are the ledger that the judge compares outcomes with.
 */
export class ExchangeModel {
  readonly bookings: Booking[] = [];
  private readonly lastNonces = new Map<string, bigint>();
  private readonly refused = new Set<string>();

  /** @param secrets by API key. */
  constructor(private readonly secrets: ReadonlyMap<string, string>) {}

  /** Makes the exchange refuse this submission with "insufficient funds" from now on. */
  refuse(marker: string): void {
    this.refused.add(marker);
  }

  /**
   * Executes or refuses a request.
   * @param now the exchange's own time, in epoch milliseconds.
   * @returns the response.
   */
  handle(request: RequestText, now: number): Body {
    const apiKey = request.headers.get('api-key') ?? '';
    const secret = this.secrets.get(apiKey);
    if (secret === undefined) return { error: ['EAPI:Invalid key'] };
    if (request.headers.get('api-sign') !== signatureOf(secret, request)) return { error: ['EAPI:Invalid signature'] };
    const nonce = BigInt(request.params['nonce'] ?? '0');
    if (nonce <= (this.lastNonces.get(apiKey) ?? 0n)) return { error: ['EAPI:Invalid nonce'] };
    this.lastNonces.set(apiKey, nonce);
    return this.act(request, now);
  }

  private act({ path, params }: RequestText, now: number): Body {
    switch (path) {
      case '/0/private/Withdraw':
        return this.book(params['key'] ?? '', 'EFunding:Insufficient funds', (id) => ({ refid: id }));
      case '/0/private/AddOrder':
        // Kraken's documentation: "RFC3339 timestamp after which the matching engine should reject the new order
        // request".
        if (now > Date.parse(params['deadline'] ?? '')) return { error: ['EService:Deadline elapsed'] };
        return this.book(params['cl_ord_id'] ?? '', 'EOrder:Insufficient funds', (id) => ({ txid: [id] }));
      case '/0/private/GetApiKeyInfo':
        return { error: [], result: KEY_INFO };
      case '/0/private/OpenOrders':
        return { error: [], result: { open: this.orders(params['cl_ord_id']) } };
      case '/0/private/ClosedOrders':
        return { error: [], result: { closed: {} } };
      default:
        return { error: ['EGeneral:Unknown method'] };
    }
  }

  private book(marker: string, refusal: string, result: (id: string) => object): Body {
    if (this.refused.has(marker)) return { error: [refusal] };
    const id = `BOOKED-${this.bookings.length + 1}`;
    this.bookings.push({ id, marker });
    return { error: [], result: result(id) };
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
