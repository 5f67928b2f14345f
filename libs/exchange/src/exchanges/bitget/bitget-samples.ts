import { Amount } from '#money';
import { tether } from '../../testing/contract/documented.js';
import type { SampleOrder } from '../../testing/contract/exchange-contract.js';
import type { NetworkEvidence } from '../../testing/contract/network-names.js';

const statuses = {
  open: 'live',
  'partly executed': 'partially_filled',
  filled: 'filled',
  canceled: 'cancelled',
  'unheard of': 'never_seen',
} as const;

/** www.bitget.com/api-doc/spot/trade/Get-Order-Info. `feeDetail` is a text of JSON, in which fees are negative. */
export function bitgetOrder({ exchangeId, clientOrderId, at, state, volume, executed, ...rest }: SampleOrder): object {
  const { averagePrice, fee, feeAsset, limitPrice: price, side } = rest;
  const quoteVolume = Amount.of(executed).times(Amount.of(averagePrice)).toString();
  const taken = `"feeCoinCode":"${feeAsset}","totalDeductionFee":0,"totalFee":-${fee}`;
  return {
    userId: '1',
    symbol: 'BTCUSDT',
    orderId: exchangeId,
    clientOid: clientOrderId,
    price,
    size: volume,
    orderType: 'limit',
    side,
    status: statuses[state],
    priceAvg: averagePrice,
    baseVolume: executed,
    quoteVolume,
    enterPointSource: 'API',
    orderSource: 'normal',
    cancelReason: '',
    feeDetail: `{"${feeAsset}":{"deduction":false,${taken}},"newFees":{"c":0,"d":0,"deduction":false,"r":-${fee}}}`,
    cTime: String(at.getTime()),
    uTime: String(at.getTime() + 1),
  };
}

const unifiedStatuses = { ...statuses, open: 'new' } as const;

/** www.bitget.com/api-doc/uta/trade/Get-Order-Details. Fees are positive. */
export function bitgetUnifiedOrder({ exchangeId, clientOrderId, at, state, volume, executed, ...rest }: SampleOrder) {
  const { averagePrice, fee, feeAsset, limitPrice: price, side } = rest;
  const cumExecValue = Amount.of(executed).times(Amount.of(averagePrice)).toString();
  return {
    orderId: exchangeId,
    clientOid: clientOrderId,
    category: 'SPOT',
    symbol: 'BTCUSDT',
    orderType: 'limit',
    side,
    price,
    qty: volume,
    amount: '0',
    cumExecQty: executed,
    cumExecValue,
    avgPrice: averagePrice,
    timeInForce: 'gtc',
    orderStatus: unifiedStatuses[state],
    posSide: '',
    holdMode: '',
    tradeSide: 'open',
    reduceOnly: 'NO',
    feeDetail: [{ feeCoin: feeAsset, fee }],
    cancelReason: '',
    execType: '',
    createdTime: String(at.getTime()),
    updatedTime: String(at.getTime() + 1),
  };
}

/**
 * Bitget's page spot/market/Get-Coin-List: `browserUrl` and the contract of USDT beside each chain, as recorded in
 * github.com/ccxt/ccxt (ts/src/test/static/currencies/bitget.json at 06876cd).
 */
export const bitgetNetworkEvidence: Readonly<Record<string, NetworkEvidence>> = {
  erc20: { explorer: 'https://etherscan.io/tx/', ...tether('0xdac17f958d2ee523a2206206994597c13d831ec7') },
  arbitrumone: { explorer: 'https://arbiscan.io/tx/', ...tether('0xfd086bc7cd5c481dcc9c85ebe478a1c0b69fcbb9') },
  optimism: {
    explorer: 'https://optimistic.etherscan.io/tx/',
    ...tether('0x94b008aa00579c1307b0ef2c499ad98a8ce58e58'),
  },
  polygon: { explorer: 'https://polygonscan.com/tx/', ...tether('0xc2132d05d31c914a87c6611c10748aeb04b58e8f') },
  bep20: { explorer: 'https://bscscan.com/tx/', ...tether('0x55d398326f99059ff775485246999027b3197955') },
  'avaxc-chain': { explorer: 'https://snowtrace.io/tx/', ...tether('0x9702230a8ea53601f5cd2dc00fdbc13d4df4a8c7') },
  sol: { explorer: 'https://solscan.io/tx/', ...tether('Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB') },
  trc20: { explorer: 'https://tronscan.org/#/transaction/', ...tether('TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t') },
  ton: {
    explorer: 'https://tonviewer.com/transaction/',
    ...tether('EQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_sDs'),
  },
  'ton(ton)': { title: 'TON' },
  aptos: {
    explorer: 'https://aptoscan.com/transaction/',
    ...tether('0x357b0b74bc833e95a115ad22604854d6b0fca151cecd94111770e5d6ffc9dc2b'),
  },
};
