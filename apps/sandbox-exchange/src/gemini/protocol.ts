import { takeNonce } from '../nonces.js';
import { checkSignature, keyOf, signatureOf, type RestRequest } from '../rest/authenticate.js';
import { endpointsUnder, type ErrorCodes, type RestProtocol } from '../rest/protocol.js';
import { Refusal } from '../rest/refusal.js';
import { parsed, textsOf } from '../rest/routes.js';
import * as gemini from './endpoints.js';

/** Sources: the pages of developer.gemini.com (September 2026). */

/** Docs: developer.gemini.com/errors. */
const errors: ErrorCodes = {
  key_unknown: ['InvalidApiKey'],
  key_revoked: ['InvalidApiKey'],
  signature_wrong: ['InvalidSignature'],
  nonce_used: ['InvalidNonce'],
  permission_missing: ['MissingRole', 403],
  ip_not_allowed: ['ApiKeyIpFilteringFailure', 403],
  rate_limited: ['RateLimit', 429],
  unavailable: ['Maintenance', 503],
  system_error: ['System', 500],
  parameter_invalid: ['InvalidQuantity'],
  network_unknown: ['UnsupportedNetwork'],
  pair_unknown: ['InvalidSymbol'],
  pair_closed: ['MarketNotOpen'],
  order_unknown: ['OrderNotFound', 404],
  order_funds: ['InsufficientFunds', 406],
  order_price: ['InvalidPrice'],
};

type Failure = { reason?: string };

/** The parameters are JSON in a header: developer.gemini.com/authentication/api-key. @throws Refusal */
function payloadOf({ header }: RestRequest): Record<string, string> {
  return textsOf(parsed(Buffer.from(header('x-gemini-payload'), 'base64').toString()));
}

const { get, read, trade } = endpointsUnder('');

/** The part of Gemini's REST API that Causeway uses. */
export const geminiProtocol: RestProtocol = {
  id: 'gemini',
  endpoints: {
    account: read('v1/roles', gemini.roles),
    balances: read('v1/balances', gemini.balances),
    'staking.balances': read('v1/balances/staking', gemini.stakingBalances),
    'network.assets': get('v2/networks/:network/assets', gemini.assets),
    'deposit.addresses': read('v1/addresses/:network', gemini.addresses, 'addresses'),
    'deposit.address.create': { ...read('v1/deposit/:network/newAddress', gemini.newAddress), needs: 'withdraw-funds' },
    transfers: read('v2/transfers', gemini.transfers, 'transfers'),
    order: read('v1/order/status', gemini.order, 'orders'),
    'order.place': trade('v1/order/new', gemini.placeOrder),
  },
  keyHeader: 'x-gemini-apikey',
  bodies: 'json',
  otherParams: payloadOf,
  errors,
  errorStatus: 400,
  nothing: {},
  success: (content) => content,
  failure: (reason, message) => ({ result: 'error', reason, message }),
  errorIn: (body) => (body as Failure).reason ?? null,
  contentOf: (body) => body,
  fields: {
    amount: 'amount',
    fee: 'feeAmount',
    address: 'address',
    tags: ['memo'],
    openedAt: 'timestampms',
    timeOf: ({ timestampms }) => Number(timestampms),
  },
  authenticate: (exchange, request, now) => {
    const { header, ip, target } = request;
    const key = keyOf(exchange, { apiKey: header('x-gemini-apikey'), ip }, now);
    checkSignature(header('x-gemini-signature'), signatureOf(key, header('x-gemini-payload'), 'hex', 'sha384'));
    const { request: path, nonce = '' } = payloadOf(request);
    if (path !== target) throw new Refusal('signature_wrong');
    if (!/^\d+$/.test(nonce) || !takeNonce(exchange, key, BigInt(nonce))) throw new Refusal('nonce_used');
    return key;
  },
};
