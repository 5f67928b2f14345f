import { createHmac } from 'node:crypto';
import { Amount } from '#money';
import {
  json,
  type DocumentedCall,
  type ExchangeContract,
  type Reply,
  type SignatureRule,
} from '../../testing/contract/exchange-contract.js';
import type { ReceivedCall } from '../../testing/stub-exchange.js';

/**
 * This file has the facts that hold for both of Bitget's APIs: v2 for classic accounts and v3 for unified accounts.
 * They come from www.bitget.com/api-doc (December 2025).
 */

export const ok = (data: unknown): Reply => json({ code: '00000', msg: 'success', requestTime: 1695808949356, data });

export function refusal(code: string, status = 400): Reply {
  return json({ code, msg: 'a text', requestTime: 1695808949356, data: null }, status);
}

/**
 * Bitget's page common/signature: "timestamp + method.toUpperCase() + requestPath + "?" + queryString + body" by HMAC
 * SHA256 with the secret key, in base64. Page common/signature-samaple/hmac: the query is sorted by its keys.
 */
function signatureProblem(
  { headers, route: called, target, body }: ReceivedCall,
  { apiSecret, apiPassphrase }: ExchangeContract['credentials'][number],
): string | null {
  const [method = ''] = called.split(' ');
  const timestamp = String(headers['access-timestamp']);
  const hmac = createHmac('sha256', apiSecret?.reveal() ?? '');
  const sign = hmac.update(timestamp + method + decodeURIComponent(target) + body).digest('base64');
  if (headers['access-sign'] !== sign) return 'the signature is wrong';
  if (headers['access-passphrase'] !== apiPassphrase?.reveal()) return 'the passphrase is wrong';
  if (headers['x-channel-api-code'] !== undefined) return 'a broker is named';
  const keys = [...new URLSearchParams(target.split('?')[1]).keys()];
  if (keys.join() !== [...keys].sort().join()) return 'the query is not sorted';
  return /^\d{13}$/.test(timestamp) ? null : 'the time is not in milliseconds';
}

/**
 * The same rule for both APIs: "The signature mechanism is identical between v2 and v3"
 * (docs/classic/uta-api-upgrade-guide).
 */
export const signature: SignatureRule = {
  keyOf: ({ headers }) => (headers['access-key'] as string | undefined) ?? null,
  check: () => signatureProblem,
};

/**
 * Bitget's page spot/market/Get-Coin-List. The documented sample shows the contract of USDT for BTC. The connector
 * ignores it, because a coin on its own chain has no contract.
 */
export const CHAIN = {
  chain: 'BTC',
  needTag: 'false',
  withdrawable: 'true',
  rechargeable: 'true',
  withdrawFee: '0.005',
  extraWithdrawFee: '0',
  depositConfirm: '1',
  withdrawConfirm: '1',
  minDepositAmount: '0.001',
  minWithdrawAmount: '0.001',
  browserUrl: 'https://blockchair.com/bitcoin/testnet/transaction/',
  contractAddress: '0xdac17f958d2ee523a2206206994597c13d831ec7',
  withdrawStep: '0',
  withdrawMinScale: '8',
  congestion: 'normal',
};
/** Recorded in github.com/ccxt/ccxt, ts/src/test/static/currencies/bitget.json at 06876cd. */
export const LIGHTNING = {
  ...CHAIN,
  chain: 'LIGHTNING',
  withdrawFee: '0.00001',
  withdrawConfirm: '5',
  minDepositAmount: '0.00000096',
  minWithdrawAmount: '0.00001997',
  browserUrl: '',
  contractAddress: null,
};
export const WRAPPED = { ...CHAIN, chain: 'BEP20', contractAddress: '0x7130d2a12b9bcbfae4f2634d864a1ee1ce3ead9c' };
export const coin = (name: string, ...chains: unknown[]) => ({ coinId: '1', coin: name, transfer: 'true', chains });
export const chainOf = (name: string, chain: string, contractAddress: unknown) =>
  coin(name, { ...LIGHTNING, chain, contractAddress });
export const BITCOIN = coin('BTC', LIGHTNING);
const COINS = [
  coin('BTC', CHAIN, LIGHTNING, WRAPPED),
  coin('USDT', { ...CHAIN, chain: 'ERC20' }),
  // Euros exist on no chain.
  coin('EUR'),
];

export const COINS_ROUTE = 'GET /api/v2/spot/public/coins';
export const coinsCall: Readonly<Record<string, DocumentedCall>> = {
  [COINS_ROUTE]: { parameters: { coin: 'text?' }, answer: ok(COINS), isPublic: true },
};

/** The networks of deposits of BTC in the list of coins. */
export const DEPOSIT_METHODS = [
  { exchangeMethodId: 'BTC', network: 'bitcoin' },
  { exchangeMethodId: 'LIGHTNING', network: 'lightning' },
];

/** The order of both APIs' documented samples. */
export const LIMIT_ORDER = {
  ...({ exchangeSymbol: 'BTCUSDT', side: 'buy', type: 'limit' } as const),
  volume: Amount.of('1'),
  price: Amount.of('23222.5'),
};
