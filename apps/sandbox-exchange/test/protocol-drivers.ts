import { createHmac } from 'node:crypto';
import type { OpenedAccount } from './sandbox.js';

export interface SentCall {
  method: 'GET' | 'POST';
  /** Path and query. */
  target: string;
  body?: Record<string, unknown>;
}

interface SignedCall {
  target: string;
  headers: Record<string, string>;
  body?: string;
}

/** How the tests call the protocol of one exchange, and the codes that they expect in its responses. */
export interface ProtocolDriver {
  id: string;
  /** The heading of the protocol in docs/sandbox.md. */
  section: string;
  sign: (account: Pick<OpenedAccount, 'apiKey' | 'apiSecret'>, at: number, call: SentCall) => SignedCall;
  /** The code in a response; it equals `success` when the response is no error. */
  codeOf: (body: unknown) => string;
  success: string;
  account: SentCall;
  /** A withdrawal of 0.01 BTC to a saved address. */
  withdrawal: SentCall & { body: Record<string, unknown> };
  /** Name of the field with the id that the caller chose for the withdrawal. */
  reference: string;
  /** Whether the exchange refuses a second withdrawal with an id that the caller has already used. */
  refusesRepeats: boolean;
  /** How long an account must wait after a withdrawal for another one of the same asset and network; absent = 0. */
  apartMs?: number;
  /** The exchange refuses a timestamp that is this far behind its clock (`tooOldMs`) or ahead of its clock. */
  tooOldMs: number;
  tooFarAheadMs: number;
  codes: Record<'signature' | 'key' | 'time' | 'revoked' | 'ip' | 'permission' | 'repeated', string>;
  /** For each fault, the code and the HTTP status. */
  faults: Record<
    'rate_limit' | 'service_unavailable' | 'revoked_key' | 'ip_refused' | 'definite_refusal',
    [code: string, status: number]
  >;
}

const BTC = 'bc1pjgv68y0p8ln590tkgc6p2wmqxwqun9y79d6sle83cx0kwwwcttcqd3xcrp';
const hmac = (secret: string, text: string, encoding: 'base64' | 'hex'): string =>
  createHmac('sha256', secret).update(text).digest(encoding);
const textOf = ({ body }: SentCall): string => (body === undefined ? '' : JSON.stringify(body));
const JSON_TYPE = { 'content-type': 'application/json' };
const withBody = (call: SentCall) => (call.body === undefined ? {} : { body: textOf(call) });

const okx: ProtocolDriver = {
  id: 'okx',
  section: 'OKX',
  success: '0',
  reference: 'clientId',
  refusesRepeats: true,
  sign: ({ apiKey, apiSecret }, at, call) => {
    const { method, target } = call;
    const timestamp = new Date(at).toISOString();
    const sign = hmac(apiSecret, timestamp + method + target + textOf(call), 'base64');
    return {
      target,
      ...withBody(call),
      headers: {
        ...JSON_TYPE,
        'ok-access-key': apiKey,
        'ok-access-passphrase': 'sandbox',
        'ok-access-timestamp': timestamp,
        'ok-access-sign': sign,
      },
    };
  },
  codeOf: (body) => (body as { code: string }).code,
  account: { method: 'GET', target: '/api/v5/account/config' },
  withdrawal: {
    method: 'POST',
    target: '/api/v5/asset/withdrawal',
    body: { ccy: 'BTC', amt: '0.01', dest: '4', chain: 'BTC-Bitcoin', toAddr: BTC },
  },
  tooOldMs: 30_001,
  tooFarAheadMs: 30_001,
  codes: {
    signature: '50113',
    key: '50111',
    time: '50102',
    revoked: '50119',
    ip: '50110',
    permission: '50120',
    repeated: '58999',
  },
  faults: {
    rate_limit: ['50011', 429],
    service_unavailable: ['50001', 503],
    revoked_key: ['50119', 200],
    ip_refused: ['50110', 401],
    definite_refusal: ['58350', 200],
  },
};

const bybit: ProtocolDriver = {
  id: 'bybit',
  section: 'Bybit',
  success: '0',
  reference: 'requestId',
  refusesRepeats: true,
  apartMs: 10_000,
  sign: ({ apiKey, apiSecret }, at, call) => {
    const signed = call.method === 'GET' ? (call.target.split('?')[1] ?? '') : textOf(call);
    return {
      target: call.target,
      ...withBody(call),
      headers: {
        ...JSON_TYPE,
        'x-bapi-api-key': apiKey,
        'x-bapi-timestamp': String(at),
        'x-bapi-recv-window': '5000',
        'x-bapi-sign': hmac(apiSecret, `${at}${apiKey}5000${signed}`, 'hex'),
      },
    };
  },
  codeOf: (body) => String((body as { retCode: number }).retCode),
  account: { method: 'GET', target: '/v5/user/query-api' },
  withdrawal: {
    method: 'POST',
    target: '/v5/asset/withdraw/create',
    body: {
      coin: 'BTC',
      chain: 'BTC',
      address: BTC,
      amount: '0.01',
      timestamp: 1672196561407,
      forceChain: 1,
      accountType: 'FUND',
      feeType: 0,
    },
  },
  tooOldMs: 5001,
  tooFarAheadMs: 1000,
  codes: {
    signature: '10004',
    key: '10003',
    time: '10002',
    revoked: '10003',
    ip: '10010',
    permission: '10005',
    repeated: '10014',
  },
  faults: {
    rate_limit: ['10006', 200],
    service_unavailable: ['10016', 200],
    revoked_key: ['10003', 200],
    ip_refused: ['10010', 200],
    definite_refusal: ['131212', 200],
  },
};

const kucoin: ProtocolDriver = {
  id: 'kucoin',
  section: 'KuCoin',
  success: '200000',
  reference: 'remark',
  refusesRepeats: false,
  sign: ({ apiKey, apiSecret }, at, call) => {
    const { method, target } = call;
    return {
      target,
      ...withBody(call),
      headers: {
        ...JSON_TYPE,
        'kc-api-key': apiKey,
        'kc-api-key-version': '3',
        'kc-api-timestamp': String(at),
        'kc-api-passphrase': hmac(apiSecret, 'sandbox', 'base64'),
        'kc-api-sign': hmac(apiSecret, `${at}${method}${target}${textOf(call)}`, 'base64'),
      },
    };
  },
  codeOf: (body) => (body as { code: string }).code,
  account: { method: 'GET', target: '/api/v1/user/api-key' },
  withdrawal: {
    method: 'POST',
    target: '/api/v3/withdrawals',
    body: {
      currency: 'BTC',
      chain: 'btc',
      toAddress: BTC,
      amount: '0.01',
      withdrawType: 'ADDRESS',
      isInner: false,
      feeDeductType: 'EXTERNAL',
    },
  },
  tooOldMs: 5000,
  tooFarAheadMs: 5000,
  codes: {
    signature: '400005',
    key: '400003',
    time: '400002',
    revoked: '400003',
    ip: '400006',
    permission: '400007',
    repeated: '200000',
  },
  faults: {
    rate_limit: ['429000', 429],
    service_unavailable: ['500000', 503],
    revoked_key: ['400003', 401],
    ip_refused: ['400006', 200],
    definite_refusal: ['260100', 200],
  },
};

const binance: ProtocolDriver = {
  id: 'binance',
  section: 'Binance',
  success: 'ok',
  reference: 'withdrawOrderId',
  refusesRepeats: false,
  sign: ({ apiKey, apiSecret }, at, { method, target, body = {} }) => {
    const [path = '', query = ''] = target.split('?');
    const texts = Object.entries(body).map(([name, value]) => [name, String(value)] as [string, string]);
    const params = new URLSearchParams([...new URLSearchParams(query), ...texts, ['timestamp', String(at)]]).toString();
    const signed = `${params}&signature=${hmac(apiSecret, params, 'hex')}`;
    const headers = { 'x-mbx-apikey': apiKey, 'content-type': 'application/x-www-form-urlencoded' };
    return method === 'GET' ? { target: `${path}?${signed}`, headers } : { target: path, headers, body: signed };
  },
  codeOf: (body) => String((body as { code?: number }).code ?? 'ok'),
  account: { method: 'GET', target: '/sapi/v1/account/apiRestrictions' },
  withdrawal: {
    method: 'POST',
    target: '/sapi/v1/capital/withdraw/apply',
    body: { coin: 'BTC', network: 'BTC', address: BTC, amount: '0.01015', walletType: 0 },
  },
  tooOldMs: 5001,
  tooFarAheadMs: 1000,
  codes: {
    signature: '-1022',
    key: '-2008',
    time: '-1021',
    revoked: '-2015',
    ip: '-2015',
    permission: '-2015',
    repeated: 'ok',
  },
  faults: {
    rate_limit: ['-1003', 429],
    service_unavailable: ['-1008', 503],
    revoked_key: ['-2015', 401],
    ip_refused: ['-2015', 401],
    definite_refusal: ['-4026', 400],
  },
};

export const protocolDrivers: readonly ProtocolDriver[] = [okx, bybit, kucoin, binance];
