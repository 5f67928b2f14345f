import { Amount } from '#money';
import type { HistoryKind } from '../../port/exchange.port.js';
import { tether, sideIn, typeIn, UndocumentedRequest } from '../../testing/contract/documented.js';
import type {
  DocumentedLimit,
  ExpectedBalance,
  SampleOrder,
  SampleRecord,
  OrderMeaning,
} from '../../testing/contract/exchange-contract.js';
import type { NetworkEvidence } from '../../testing/contract/network-names.js';
import type { ReceivedCall } from '../../testing/stub-exchange.js';

/** Bybit's documentation: enum#withdrawstatus, enum#depositstatus */
const statuses = {
  withdrawal: { pending: 'Pending', completed: 'success', failed: 'Fail', 'unheard of': 'NeverSeen' },
  deposit: { pending: 2, completed: 3, failed: 4, 'unheard of': 99 },
} as const;
const chains: Readonly<Record<string, string>> = { USDT: 'ETH', XRP: 'XRP' };

/** Bybit's documentation: asset/withdraw/withdraw-record, asset/deposit/deposit-record */
export function bybitTransfer(
  kind: HistoryKind,
  { id, at, asset, address, tag, net, fee, state, status }: SampleRecord,
): object {
  return {
    coin: asset,
    chain: chains[asset],
    amount: net.toString(),
    txID: 'aa',
    status: status ?? statuses[kind][state],
    toAddress: address,
    tag: tag ?? '',
    ...(kind === 'deposit'
      ? { id, successAt: String(at.getTime()), depositFee: '', depositType: '0' }
      : { withdrawId: id, createTime: String(at.getTime()), withdrawFee: fee.toString(), withdrawType: 0 }),
  };
}

/** Bybit's documentation: bybit-exchange.github.io/docs/v5/enum#orderstatus */
const orderStatuses = {
  open: 'New',
  'partly executed': 'PartiallyFilled',
  filled: 'Filled',
  canceled: 'Cancelled',
  'unheard of': 'NeverSeen',
} as const;

/** Bybit's documentation: bybit-exchange.github.io/docs/v5/order/open-order */
export function bybitOrder({ exchangeId, clientOrderId, at, state, volume, executed, ...rest }: SampleOrder): object {
  const { averagePrice, fee, feeAsset, limitPrice: price } = rest;
  const side = rest.side === 'buy' ? 'Buy' : 'Sell';
  const cumExecValue = Amount.of(executed).times(Amount.of(averagePrice)).toString();
  return {
    orderId: exchangeId,
    orderLinkId: clientOrderId,
    symbol: 'BTCUSDT',
    price,
    qty: volume,
    side,
    orderStatus: orderStatuses[state],
    avgPrice: averagePrice,
    cumExecQty: executed,
    cumExecValue,
    orderType: 'Limit',
    timeInForce: 'GTC',
    cumFeeDetail: feeAsset === null ? {} : { [feeAsset]: fee },
    createdTime: String(at.getTime()),
    updatedTime: String(at.getTime() + 1),
  };
}

/** Bybit's page rate-limit: "If you encounter the error "403, access too frequent" … wait for at least 10 minutes." */
export const bybitLimits: readonly DocumentedLimit[] = [
  { headers: { 'X-Bapi-Limit': '10', 'X-Bapi-Limit-Status': '0' }, of: 'endpoint', pauseMs: 1_000 },
  { reply: { status: 403, body: '403, access too frequent' }, of: 'address', pauseMs: 600_000 },
  // "If you receive "retCode": 10006, "retMsg": "Too many visits!" in the JSON response"
  {
    reply: { status: 200, body: '{"retCode":10006,"retMsg":"Too many visits!","result":{}}' },
    of: 'endpoint',
    pauseMs: 1_000,
  },
];

/** Interprets a request for an order. */
export function bybitOrderMeaning({ json: sent }: ReceivedCall): OrderMeaning {
  const { symbol: pair = '', qty: volume = '', price = null, ...rest } = sent as Record<string, string>;
  const side = sideIn(rest['side'], { buy: 'Buy', sell: 'Sell' });
  const type = typeIn(rest['orderType'], { market: 'Market', limit: 'Limit' });
  if (rest['category'] !== 'spot' || Number(rest['isLeverage']) !== 0)
    throw new UndocumentedRequest('not a spot order');
  // Bybit: "Market Buy order by value by default", and `marketUnit` "baseCoin" changes this.
  const isValue = type === 'market' && side === 'buy' && rest['marketUnit'] !== 'baseCoin';
  if (isValue || rest['marketUnit'] === 'quoteCoin') throw new UndocumentedRequest('the volume is in the quote asset');
  return { pair, side, type, volume, price };
}

/**
 * Bybit's page asset/coin-info: `chainType` and the contract of USDT beside each chain, as recorded in
 * github.com/ccxt/ccxt (ts/src/test/static/currencies/bybit.json at 35f87a7). The recorded list calls ZKSYNC "zkSync
 * Lite". The explorer beside ZKV2 is that of a program that withdraws to this chain (github.com/uqlocofin/Unichain,
 * modules/config.py at 576e020).
 */
export const bybitNetworkEvidence: Readonly<Record<string, NetworkEvidence>> = {
  ETH: { title: 'Ethereum', ...tether('0xdac17f958d2ee523a2206206994597c13d831ec7') },
  ARBI: { title: 'Arbitrum One', ...tether('0xfd086bc7cd5c481dcc9c85ebe478a1c0b69fcbb9') },
  OP: { title: 'OP Mainnet', ...tether('0x94b008aa00579c1307b0ef2c499ad98a8ce58e58') },
  MATIC: { title: 'Polygon PoS', ...tether('0xc2132d05d31c914a87c6611c10748aeb04b58e8f') },
  BSC: { title: 'BNB Smart Chain', ...tether('0x55d398326f99059ff775485246999027b3197955') },
  CAVAX: { ...tether('0x9702230a8ea53601f5cd2dc00fdbc13d4df4a8c7') },
  SOL: { title: 'SOL', ...tether('Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB') },
  TRX: { title: 'TRC20', ...tether('TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t') },
  TON: { title: 'TON', ...tether('EQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_sDs') },
  APTOS: { title: 'Aptos', ...tether('0x357b0b74bc833e95a115ad22604854d6b0fca151cecd94111770e5d6ffc9dc2b') },
  ZKV2: { explorer: 'https://era.zksync.network/tx/' },
};

/** What the connector returns for the documented accounts: a debt is listed, and not subtracted. */
export const bybitBalances: readonly ExpectedBalance[] = [
  {
    asset: 'USDC',
    free: '12.31216591',
    used: '3',
    total: '15.31216591',
    withdrawable: '10.5',
    elsewhere: [{ account: 'UNIFIED', kind: 'free', amount: '1.81216591' }],
  },
  {
    asset: 'BTC',
    free: '0.5',
    used: '0',
    total: '0.5',
    withdrawable: '0',
    elsewhere: [
      { account: 'UNIFIED', kind: 'free', amount: '0.5' },
      { account: 'UNIFIED', kind: 'owed', amount: '0.7' },
    ],
  },
];

/** A deposit address. */
export const bybitAddress = {
  chainType: 'BTC',
  addressDeposit: '39XNxK1Ryqgg3Bsyn6HzoqV4Xji25pNkv6',
  tagDeposit: '',
  chain: 'BTC',
  batchReleaseLimit: '-1',
  contractAddress: '',
};

/** Bybit's documentation: asset/fund-history. `ioDirection`: "`I`: In, `O`: Out" */
export const bybitChanges = [
  ['O', 'NTg2MDQzMTI0OQ=='],
  ['I', 'NTg2MDQzMTI0OA=='],
].map(([ioDirection, currcCursor]) => ({
  memberId: '290118',
  currency: 'BTC',
  ioDirection,
  txnAmt: '0.00003561',
  afterAmt: '7.5547230662687035',
  createTime: '1772669763',
  showBusiType: 'fundingAccountRecordEarn',
  showBusiTypeEn: 'Earn',
  description: 'fundingAccountRecordFlexSavingInterestDistribution',
  descriptionEn: 'Easy Earn | Flexible Interest Distribution',
  currcCursor,
}));
