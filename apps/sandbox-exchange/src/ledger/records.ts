/** The records of the journal: plain JSON, amounts as decimal strings. */
import type { DepositTerms } from '../data/deposit-methods.js';
import type { OAuthChange } from './oauth-records.js';
import type { Challenge, Message, PartnerBooking, PartnerProfile, PartnerToken } from './partner-records.js';

/** The names are those of https://docs.kraken.com/api-reference/account-data/get-api-key-info. */
export const permissions = [
  'query-funds',
  'add-funds',
  'withdraw-funds',
  'query-open-trades',
  'query-closed-trades',
  'modify-trades',
  'close-trades',
  'query-ledger',
] as const;
export type Permission = (typeof permissions)[number];

export interface Account {
  id: string;
  name: string;
  /** `manual`: a withdrawal stays `Initial` until the control API changes its status. */
  settle: 'auto' | 'manual';
  /** Whether the protocols of Bitget, Gate and KuCoin treat the account as a unified account. Others ignore this. */
  isUnified?: boolean;
  /** What the owner has in other accounts, by the exchange's name of the account and by asset code. */
  otherAccounts?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Epoch milliseconds, like all times in this file. */
  createdAt: number;
}

/** Two-factor settings of an API key. */
export interface OneTimePassword {
  scope: 'withdrawals' | 'all';
  /** The secret in base32. */
  secret: string;
  /** Error for a call without a valid code: `named` mentions the OTP, `signature` is `EAPI:Invalid signature`. */
  refusal: 'named' | 'signature';
}

export interface ApiKey {
  apiKey: string;
  apiSecret: string;
  accountId: string;
  permissions: Permission[];
  /** Empty allows every address. */
  ipAllowlist: string[];
  /** A nonce is accepted when it is greater than `lastNonce` minus this window. */
  nonceWindow: number;
  /** The highest accepted nonce as decimal digits; it can exceed the range of a number. */
  lastNonce: string;
  /** Absent when calls need no code. */
  otp?: OneTimePassword;
  /** Epoch milliseconds; absent when the key does not expire. */
  validUntil?: number;
  /** The grant that created the key; revoking the grant revokes the key. */
  grantId?: string;
  /** Name that the application gave to the key. */
  name?: string;
  revoked: boolean;
  createdAt: number;
  modifiedAt: number;
}

export interface SavedAddress {
  accountId: string;
  /** Asset id, such as `XXBT`. */
  asset: string;
  method: string;
  network: string;
  address: string;
  /** The name that withdrawals refer to; unique in the account. */
  key: string;
  memo: string | null;
  verified: boolean;
}

export type WithdrawalStatus = 'Initial' | 'Pending' | 'Settled' | 'Success' | 'Failure';

export interface Withdrawal {
  refid: string;
  accountId: string;
  asset: string;
  method: string;
  network: string;
  /** Key of the saved address. */
  key: string;
  address: string;
  memo: string | null;
  /** The amount that arrives; the account pays `amount` + `fee`. */
  amount: string;
  fee: string;
  status: WithdrawalStatus;
  canceled: boolean;
  txid: string | null;
  requestedAt: number;
  /**
   * The caller's own id of the withdrawal. At exchanges that accept a repeated id, several withdrawals may have
   * the same one. Absent in Kraken's protocol.
   */
  clientId?: string;
  partner?: PartnerBooking;
}

export interface Deposit {
  refid: string;
  accountId: string;
  asset: string;
  method: string;
  network: string;
  address: string;
  memo?: string | null;
  amount: string;
  txid: string;
  /** `Settled`: seen on the chain, but not yet in the balance. */
  status: 'Settled' | 'Success' | 'Failure';
  receivedAt: number;
}

export interface DepositAddress {
  accountId: string;
  asset: string;
  method: string;
  address: string;
  memo: string | null;
  memoKind: 'tag' | 'memo' | null;
  /** Null when the address does not expire; absent in ledgers of earlier versions. */
  expiresAt?: number | null;
}

/** An order with our own field names; `src/kraken/trading/orders.ts` translates them to Kraken's. */
export interface Order {
  id: string;
  accountId: string;
  /** Pair id, such as `XXBTZUSD`. */
  pair: string;
  side: 'buy' | 'sell';
  type: 'market' | 'limit';
  /** `pending`: accepted, but not yet in the order book. */
  status: 'pending' | 'open' | 'closed' | 'canceled' | 'expired';
  clientOrderId: string | null;
  userref: number | null;
  /** Null for a market order. */
  limitPrice: string | null;
  volume: string;
  executedVolume: string;
  /** In the quote asset. */
  cost: string;
  fee: string;
  /** Sum of price × volume before rounding to `cost`; absent in ledgers of earlier versions. */
  turnover?: string;
  averagePrice: string;
  /** Comma-separated, in the order of the request. */
  oflags: string;
  timeInForce: string;
  /** Expiry of a good-till-date order; absent in ledgers of earlier versions. */
  expiresAt?: number | null;
  /** Funds that the order holds while it is open. */
  hold: { asset: string; amount: string } | null;
  openedAt: number;
  closedAt: number | null;
  reason: string | null;
}

/** Returns whether the order can still trade. */
export const isLive = ({ status }: Pick<Order, 'status'>): boolean => status === 'open' || status === 'pending';

/** Price and volume of one level of the order book. */
export interface Level {
  price: string;
  volume: string;
}

/** The order book of one pair, best prices first. */
export interface Depth {
  bids: Level[];
  asks: Level[];
}

/**
 * The names are those of https://docs.kraken.com/api-reference/market-data/get-tradable-asset-pairs; `maintenance`
 * comes from the websocket's documentation.
 */
export const pairStatuses = ['online', 'cancel_only', 'post_only', 'limit_only', 'reduce_only', 'maintenance'] as const;
export type PairStatus = (typeof pairStatuses)[number];

export interface LedgerEntry {
  id: string;
  /** Id of the withdrawal, deposit or order that caused the entry. */
  refid: string;
  accountId: string;
  asset: string;
  type: 'deposit' | 'withdrawal' | 'trade' | 'transfer';
  /** Signed. The balance changes by `amount` − `fee`. */
  amount: string;
  fee: string;
  /** Balance after this entry. */
  balance: string;
  time: number;
}

/**
 * Settled deposits and withdrawals of an account, spread evenly between `from` and `to`. The journal contains only this
 * description; each replay of the journal makes the same records from it.
 */
export interface BulkHistory {
  accountId: string;
  /** The record ids derive from this. */
  seed: string;
  /** Asset ids. */
  assets: string[];
  deposits: number;
  withdrawals: number;
  from: number;
  to: number;
  /** Whether the account belongs to the partner API. */
  isPartner: boolean;
}

/** One line of the journal: the atomic change of one action. A record replaces the record of the same id. */
export interface Change extends OAuthChange {
  account?: Account;
  key?: ApiKey;
  /** The last nonce of a key; separate from the key because every call changes it. */
  nonce?: { apiKey: string; lastNonce: string };
  savedAddresses?: SavedAddress[];
  removedAddress?: { accountId: string; key: string };
  depositAddress?: DepositAddress;
  withdrawal?: Withdrawal;
  deposit?: Deposit;
  history?: BulkHistory;
  order?: Order;
  /** Last price of a pair, which the control API has set. */
  price?: { pair: string; last: string };
  /** Order book of a pair; null restores the default: any volume at the best prices. */
  depth?: { pair: string; offers: Depth | null };
  /** Fields of a deposit method that the control API has changed; `asset` is the common code. */
  depositTerms?: { asset: string; method: string; terms: Partial<DepositTerms> };
  pairStatus?: { pair: string; status: PairStatus };
  profile?: PartnerProfile;
  token?: PartnerToken;
  /** The time of the last use of a token; separate from the token because many calls change it. */
  tokenUse?: { token: string; at: number };
  challenge?: Challenge;
  messages?: Message[];
  /** A one-time code that was accepted and cannot be used again. */
  spentCode?: { accountId: string; code: string };
  entries?: LedgerEntry[];
  /** Deletes all earlier state. */
  reset?: true;
}
