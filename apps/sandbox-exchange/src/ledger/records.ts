/** Everything the exchange remembers, as it is written to the journal: plain JSON, amounts as decimal strings. */
import type { DepositTerms } from '../data/deposit-methods.js';
import type { OAuthChange } from './oauth-records.js';
import type { Challenge, Message, PartnerBooking, PartnerProfile, PartnerToken } from './partner-records.js';

/** Names of https://docs.kraken.com/api-reference/account-data/get-api-key-info. */
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
  /** `manual`: a withdrawal stays `Initial` until the control API moves it. */
  settle: 'auto' | 'manual';
  /** Epoch milliseconds, like every time here. */
  createdAt: number;
}

/** Two-factor of an API key. */
export interface OneTimePassword {
  scope: 'withdrawals' | 'all';
  /** Base32. */
  secret: string;
  /** What a call without the right code is told: an error that names the OTP, or `EAPI:Invalid signature`. */
  refusal: 'named' | 'signature';
}

export interface ApiKey {
  apiKey: string;
  apiSecret: string;
  accountId: string;
  permissions: Permission[];
  /** Empty = from anywhere. */
  ipAllowlist: string[];
  /** A nonce is accepted when it is greater than the highest accepted one less this. */
  nonceWindow: number;
  /** The highest nonce that was accepted, in decimal digits; beyond what a number holds. */
  lastNonce: string;
  /** Absent = calls need no code. */
  otp?: OneTimePassword;
  /** Absent = never. */
  validUntil?: number;
  /** Of a key that an application made; ends with the grant. */
  grantId?: string;
  /** What the application calls it. */
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
  /** The name a withdrawal gives it by; unique in the account. */
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
  /** Of the saved address. */
  key: string;
  address: string;
  memo: string | null;
  /** What arrives; the account paid `amount` + `fee`. */
  amount: string;
  fee: string;
  status: WithdrawalStatus;
  canceled: boolean;
  txid: string | null;
  requestedAt: number;
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
  /** `Settled`: seen on the chain, and not in the balance yet. */
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
  /** null = never; absent in older ledgers. */
  expiresAt?: number | null;
}

/** An order; the names are ours, `src/kraken/trading.ts` writes Kraken's. */
export interface Order {
  id: string;
  accountId: string;
  /** Pair id, such as `XXBTZUSD`. */
  pair: string;
  side: 'buy' | 'sell';
  type: 'market' | 'limit';
  /** `pending`: known, and not in the market yet. */
  status: 'pending' | 'open' | 'closed' | 'canceled' | 'expired';
  clientOrderId: string | null;
  userref: number | null;
  /** Of a limit order. */
  limitPrice: string | null;
  volume: string;
  executedVolume: string;
  /** In the quote asset. */
  cost: string;
  fee: string;
  /** Price × volume of what was executed, before it is rounded to a cost; absent in older ledgers. */
  turnover?: string;
  averagePrice: string;
  /** Comma-separated, as they came. */
  oflags: string;
  timeInForce: string;
  /** Of an order that is good till a date; absent in older ledgers. */
  expiresAt?: number | null;
  /** What the order keeps from other uses while it is open. */
  hold: { asset: string; amount: string } | null;
  openedAt: number;
  closedAt: number | null;
  reason: string | null;
}

/** Whether it can still trade. */
export const isLive = ({ status }: Pick<Order, 'status'>): boolean => status === 'open' || status === 'pending';

/** What a market offers at one price. */
export interface Level {
  price: string;
  volume: string;
}

/** Offers of one pair, the best first. */
export interface Depth {
  bids: Level[];
  asks: Level[];
}

/** Names of https://docs.kraken.com/api-reference/market-data/get-tradable-asset-pairs; `maintenance` is one of the websocket's. */
export const pairStatuses = ['online', 'cancel_only', 'post_only', 'limit_only', 'reduce_only', 'maintenance'] as const;
export type PairStatus = (typeof pairStatuses)[number];

export interface LedgerEntry {
  id: string;
  /** Of the withdrawal, deposit or order that moved it. */
  refid: string;
  accountId: string;
  asset: string;
  type: 'deposit' | 'withdrawal' | 'trade' | 'transfer';
  /** Signed. The balance changes by `amount` − `fee`. */
  amount: string;
  fee: string;
  /** After this entry. */
  balance: string;
  time: number;
}

/** Settled deposits and withdrawals of an account, spread evenly from after `from` to `to`; its records are made anew at every replay. */
export interface BulkHistory {
  accountId: string;
  /** What the ids are drawn from. */
  seed: string;
  /** Asset ids. */
  assets: string[];
  deposits: number;
  withdrawals: number;
  from: number;
  to: number;
  /** Whether the account is one of the partner API. */
  isPartner: boolean;
}

/** One line of the journal: what one action changed, all of it or nothing. Records replace those of the same id. */
export interface Change extends OAuthChange {
  account?: Account;
  key?: ApiKey;
  /** The last nonce of a key, apart from it because every call changes it. */
  nonce?: { apiKey: string; lastNonce: string };
  savedAddresses?: SavedAddress[];
  removedAddress?: { accountId: string; key: string };
  depositAddress?: DepositAddress;
  withdrawal?: Withdrawal;
  deposit?: Deposit;
  history?: BulkHistory;
  order?: Order;
  /** Where a pair traded last. */
  price?: { pair: string; last: string };
  /** What a pair offers; null = any volume at the best prices, as at the start. */
  depth?: { pair: string; offers: Depth | null };
  /** Of a deposit method, `asset` being the common code: what the control API changed. */
  depositTerms?: { asset: string; method: string; terms: Partial<DepositTerms> };
  pairStatus?: { pair: string; status: PairStatus };
  profile?: PartnerProfile;
  token?: PartnerToken;
  /** Apart from the token, because many calls change it. */
  tokenUse?: { token: string; at: number };
  challenge?: Challenge;
  messages?: Message[];
  /** A one-time code that was accepted, and is never again. */
  spentCode?: { accountId: string; code: string };
  entries?: LedgerEntry[];
  /** Everything before is forgotten. */
  reset?: true;
}
