import type { Fields } from './with-fields.js';

/** The facts of a network for withdrawals. Amounts are decimal texts; the bounds are those of the debited amount. */
interface NetworkFacts {
  readonly displayName: string;
  readonly exchangeNetworkId: string;
  readonly decimals: number;
  readonly minWithdrawal: string | null;
  readonly maxWithdrawal: string | null;
  readonly fee: string | null;
}

/** The entry `good` of a list of networks, with values of which no two are equal. */
export interface DocumentedNetwork {
  /** The new values of fields of the entry. */
  readonly fields: Fields;
  readonly expected: NetworkFacts;
  /** Further values, and what becomes of the network; null = it is not offered for withdrawals. */
  readonly changes: readonly (readonly [fields: Fields, expected: Partial<NetworkFacts> | null])[];
  /** The least deposit on the network, and values with which deposits are closed; absent = another call lists them. */
  readonly deposits?: { readonly minimum: string | null; readonly closedBy: Fields };
  /** Whether the exchange lists that the tagged withdrawal of the contract needs its tag. */
  readonly needsTag: boolean;
}

/** By the name of the contract, from the pages on networks that the contract names. We chose the values. */
export const documentedNetworks: Readonly<Record<string, DocumentedNetwork>> = {
  binance: {
    fields: {
      withdrawIntegerMultiple: '0.0000001',
      withdrawFee: '0.0005',
      withdrawMin: '0.002',
      withdrawMax: '750',
      name: 'Bitcoin',
    },
    expected: {
      displayName: 'Bitcoin',
      exchangeNetworkId: 'BTC',
      decimals: 7,
      fee: '0.0005',
      minWithdrawal: '0.002',
      maxWithdrawal: '750',
    },
    changes: [[{ withdrawEnable: false }, null]],
    deposits: { minimum: null, closedBy: { depositEnable: false } },
    needsTag: true,
  },
  bitget: {
    fields: { withdrawMinScale: '7', minWithdrawAmount: '0.00002', withdrawFee: '0.00001' },
    expected: {
      displayName: 'LIGHTNING',
      exchangeNetworkId: 'LIGHTNING',
      decimals: 7,
      fee: '0.00001',
      minWithdrawal: '0.00003',
      maxWithdrawal: null,
    },
    changes: [
      [{ withdrawable: 'false' }, null],
      [{ extraWithdrawFee: '0.001' }, null],
    ],
    needsTag: false,
  },
  bybit: {
    fields: {
      withdrawFee: '0.0005',
      depositMin: '0.0001',
      withdrawMin: '0.002',
      minAccuracy: '7',
      withdrawMax: '300',
      chainType: 'Bitcoin',
    },
    expected: {
      displayName: 'Bitcoin',
      exchangeNetworkId: 'BTC',
      decimals: 7,
      fee: '0.0005',
      minWithdrawal: '0.0025',
      maxWithdrawal: '300.0005',
    },
    changes: [
      [{ withdrawMax: '-1' }, { maxWithdrawal: null }],
      [{ chainWithdraw: '0' }, null],
      [{ chainWithdraw: '' }, null],
      [{ withdrawPercentageFee: '0.01' }, null],
      [{ withdrawFee: '' }, null],
    ],
    deposits: { minimum: '0.0001', closedBy: { chainDeposit: '0' } },
    needsTag: false,
  },
  // The fee is an estimate of the operator.
  coinbase: {
    fields: { exponent: 7 },
    expected: {
      displayName: 'Bitcoin',
      exchangeNetworkId: 'bitcoin',
      decimals: 7,
      fee: '0.00033',
      minWithdrawal: null,
      maxWithdrawal: null,
    },
    changes: [
      [{ primary: false, type: 'vault' }, null],
      [{ primary: false, type: 'fiat' }, null],
    ],
    needsTag: false,
  },
  kraken: {
    fields: { minimum: '0.0004' },
    expected: {
      displayName: 'Bitcoin',
      exchangeNetworkId: 'Bitcoin',
      decimals: 8,
      fee: '0.000015',
      minWithdrawal: '0.000415',
      maxWithdrawal: null,
    },
    changes: [],
    needsTag: false,
  },
  kucoin: {
    fields: {
      withdrawalMinSize: '0.002',
      depositMinSize: '0.0003',
      withdrawalMinFee: '0.0005',
      withdrawPrecision: 7,
      maxWithdraw: '40',
    },
    expected: {
      displayName: 'BTC',
      exchangeNetworkId: 'btc',
      decimals: 7,
      fee: '0.0005',
      minWithdrawal: '0.0025',
      maxWithdrawal: '40.0005',
    },
    changes: [
      [{ isWithdrawEnabled: false }, null],
      [{ withdrawFeeRate: '0.01' }, null],
      [{ withdrawPrecision: null }, { decimals: 8 }],
      [{ maxWithdraw: null }, { maxWithdrawal: null }],
    ],
    deposits: { minimum: '0.0003', closedBy: { isDepositEnabled: false } },
    needsTag: true,
  },
  okx: {
    fields: { fee: '0.00005', maxWd: '500', minWd: '0.0006', wdTickSz: '7', minDep: '0.0004' },
    expected: {
      displayName: 'BTC-Bitcoin',
      exchangeNetworkId: 'BTC-Bitcoin',
      decimals: 7,
      fee: '0.00005',
      minWithdrawal: '0.00065',
      maxWithdrawal: '500.00005',
    },
    changes: [
      [{ canWd: false }, null],
      [{ burningFeeRate: '0.01' }, null],
    ],
    deposits: { minimum: '0.0004', closedBy: { canDep: false } },
    needsTag: true,
  },
  sandbox: {
    fields: { minimum: '0.0004' },
    expected: {
      displayName: 'Bitcoin',
      exchangeNetworkId: 'bitcoin',
      decimals: 8,
      fee: '0.00015',
      minWithdrawal: '0.00055',
      maxWithdrawal: '100.00015',
    },
    changes: [],
    needsTag: false,
  },
};
