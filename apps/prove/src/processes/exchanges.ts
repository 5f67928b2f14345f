import { uuidOf } from '../../../sandbox-exchange/src/coinbase/wallets.js';

/** The network on which each asset is withdrawn, and the sandbox exchange's name of the network. */
export const places = {
  BTC: { network: 'bitcoin', method: 'Bitcoin' },
  ETH: { network: 'ethereum', method: 'Ether' },
  SOL: { network: 'solana', method: 'Solana' },
  LTC: { network: 'litecoin', method: 'Litecoin' },
  POL: { network: 'polygon', method: 'POL - Polygon' },
} as const;
export type ProvenAsset = keyof typeof places;

/** How schedules trade at an exchange. */
export interface ProvenTrading {
  /** The endpoint that places orders, and the one that lists orders that have ended. */
  readonly place: string;
  readonly list: string;
  /** The route of the orders. Its base asset is in no quote, so that orders change no balance of a withdrawal. */
  readonly routeId: string;
  readonly baseAsset: string;
  /** Limit prices of a sale that is executed at once, and of one that stays open. */
  readonly priceBelow: string;
  readonly priceAbove: string;
}

/** An exchange at which schedules withdraw, and how the sandbox exchange names its endpoints. */
export interface ProvenExchange {
  /** The value of the option --exchange. */
  readonly name: string;
  readonly id: string;
  readonly withdraw: string;
  readonly history: string;
  /** The control call that opens an account. */
  readonly accounts: string;
  /** `consent`: the owner signs in at the exchange, which then requires a code for each withdrawal. */
  readonly connectBy: 'key' | 'consent';
  /** The assets of the quotes of a schedule, in this order. */
  readonly assets: readonly [ProvenAsset, ...ProvenAsset[]];
  /** Returns the id that the exchange shows its clients for a withdrawal in its ledger. */
  readonly idOf: (refid: string) => string;
  /** The passphrase of API keys at the sandbox exchange. */
  readonly passphrase?: string;
  /** Whether the exchange books only one copy of a submission that the network delivers twice. */
  readonly refusesCopies: boolean;
  /** Whether the exchange refuses requests with a nonce that it has seen. */
  readonly hasNonces: boolean;
  /** null = schedules place no orders at this exchange. */
  readonly trading: ProvenTrading | null;
}

const PASSPHRASE = 'sandbox';

type Common = 'accounts' | 'connectBy' | 'assets' | 'idOf' | 'hasNonces' | 'trading';

const common: Pick<ProvenExchange, Common> = {
  accounts: 'accounts',
  connectBy: 'key',
  assets: ['BTC', 'ETH', 'SOL', 'LTC'],
  idOf: (refid) => refid,
  hasNonces: false,
  trading: null,
};

const signed = (id: string, more: { passphrase?: string; refusesCopies: boolean }): ProvenExchange => ({
  ...common,
  name: id,
  id,
  withdraw: `${id}.withdraw`,
  history: `${id}.withdrawals`,
  ...more,
});

/**
 * Coinbase shows another id for a withdrawal than the ledger of the sandbox exchange. Coinbase's documentation names no
 * network for LTC, so schedules use POL instead.
 */
const coinbase: ProvenExchange = {
  ...common,
  name: 'coinbase',
  id: 'coinbase',
  withdraw: 'coinbase.send',
  history: 'coinbase.transactions',
  accounts: 'coinbase/accounts',
  assets: ['BTC', 'ETH', 'SOL', 'POL'],
  idOf: (refid) => uuidOf('transaction', refid),
  refusesCopies: true,
};

export const kraken: ProvenExchange = {
  ...common,
  name: 'kraken',
  id: 'kraken',
  withdraw: 'Withdraw',
  history: 'WithdrawStatus',
  refusesCopies: true,
  hasNonces: true,
  trading: {
    place: 'AddOrder',
    list: 'ClosedOrders',
    routeId: 'kraken:spot:ADA-USD',
    baseAsset: 'ADA',
    priceBelow: '0.4',
    priceAbove: '1.6',
  },
};

/** The exchanges whose withdrawals the sandbox exchange simulates. */
export const provenExchanges: readonly ProvenExchange[] = [
  kraken,
  signed('okx', { passphrase: PASSPHRASE, refusesCopies: true }),
  signed('bybit', { refusesCopies: true }),
  // KuCoin executes a second copy of a request as another withdrawal. No client can prevent the network from delivering
  // a request twice.
  signed('kucoin', { passphrase: PASSPHRASE, refusesCopies: false }),
  signed('binance', { refusesCopies: false }),
  coinbase,
  { ...coinbase, name: 'coinbase-oauth', connectBy: 'consent' },
];
