import type { ExchangeWithdrawal } from '../../port/exchange.port.js';

type Status = ExchangeWithdrawal['status'];

/**
 * What the exchanges document about each status of a withdrawal, so that a change in a connector does not go unnoticed.
 * The names at Binance, OKX, Bybit and Kraken were also found in other libraries: JKorf/Binance.Net and JKorf/Bybit.Net
 * (WithdrawalStatus.cs), burakoner/OKX.Api (OkxFundingWithdrawalState), yeikiu/ts-kraken (WithdrawStatus.ts). Those at
 * KuCoin, Bitget and Coinbase have no second source yet: they are the ones that the connectors quote.
 */
export const documentedStatuses: Readonly<Record<string, Readonly<Record<string, Status>>>> = {
  binance: { 0: 'pending', 1: 'canceled', 2: 'pending', 3: 'failed', 4: 'pending', 5: 'failed', 6: 'completed' },
  okx: {
    '19': 'pending',
    '17': 'pending',
    '10': 'pending',
    '0': 'pending',
    '4': 'pending',
    '5': 'pending',
    '6': 'pending',
    '8': 'pending',
    '9': 'pending',
    '12': 'pending',
    '7': 'pending',
    '1': 'pending',
    '15': 'pending',
    '16': 'pending',
    '-3': 'pending',
    '-2': 'canceled',
    '-1': 'failed',
    '2': 'completed',
  },
  bybit: {
    SecurityCheck: 'pending',
    Pending: 'pending',
    BlockchainConfirmed: 'pending',
    success: 'completed',
    MoreInformationRequired: 'pending',
    CancelByUser: 'canceled',
    Reject: 'failed',
    Fail: 'failed',
    Unknown: 'unknown',
  },
  kucoin: {
    REVIEW: 'pending',
    PROCESSING: 'pending',
    WALLET_PROCESSING: 'pending',
    SUCCESS: 'completed',
    FAILURE: 'failed',
  },
  coinbase: {
    pending: 'pending',
    completed: 'completed',
    failed: 'failed',
    expired: 'failed',
    canceled: 'canceled',
    waiting_for_signature: 'pending',
    waiting_for_clearing: 'pending',
  },
  bitget: { pending: 'pending', success: 'completed', fail: 'failed' },
  kraken: { Initial: 'pending', Pending: 'pending', Settled: 'pending', Success: 'completed', Failure: 'failed' },
  sandbox: { requested: 'pending', sent: 'pending', confirmed: 'completed', failed: 'failed', canceled: 'canceled' },
};
