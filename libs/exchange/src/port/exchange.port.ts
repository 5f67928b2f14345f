import type { Amount } from '#money';
import type { ErrorCode } from '#platform/errors';
import type { Secret } from '#platform/crypto';
import type { AssetBalance, OtherAccount } from './balance.port.js';
import type { DepositCapability } from './deposit.port.js';
import type { AssetName } from './names.js';
import type { HistoryCapability } from './history.port.js';
import type { IdentityCapability } from './identity.port.js';
import type { PayingAccount } from './paying-account.js';
import type { NotSent, Rejected } from './submission-outcome.js';
import type { TagType } from './tag-type.js';
import type { TradingCapability } from './trading.port.js';

export {
  amountKinds,
  unreadReasons,
  type AccountAmount,
  type AmountKind,
  type AssetBalance,
  type OtherAccount,
  type UnreadAccount,
  type UnreadReason,
} from './balance.port.js';
export type { HistoryCapability, HistoryKind, HistoryPage, HistoryRecord, PageFacts } from './history.port.js';
export type { TagType } from './tag-type.js';

/** Wallets of `test` projects are at the sandbox exchange, wallets of `live` projects at the real exchange. */
export type ProjectMode = 'test' | 'live';

/**
 * Credentials that the wallet's owner created at the exchange. `ExchangeSpec.credentialFields` lists the required ones.
 */
export interface ExchangeCredentials {
  /** The API key, or a bearer token if there are no other credentials. */
  readonly apiKey: Secret;
  readonly apiSecret?: Secret;
  readonly apiPassphrase?: Secret;
  readonly apiUid?: Secret;
  /** Id of the regional site that issued the key, from `ExchangeSpec.regions`; absent = the first one. */
  readonly apiRegion?: Secret;
}

/**
 * A setting of a key that must keep its default (off):
 * - `second_factor`: with two-factor authentication of its own, the key would need a person with a code for every call.
 * - `nonce_window`: with a window, the exchange could execute a request twice that was delivered twice.
 * - `time_based_nonce`: with time-based nonces, the exchange refuses every call, because our nonces are no times in
 *   seconds.
 */
export type KeyDefault = 'second_factor' | 'nonce_window' | 'time_based_nonce';

/** The facts that the exchange reports about the stored API key. Times are epoch seconds; null = not reported. */
export interface KeyInfo {
  permissions: string[];
  ipAllowlist: string[];
  validUntil: number | null;
  lastUsed: number | null;
  createdTime: number | null;
  modifiedTime: number | null;
  /**
   * The settings of the key because of which nothing is submitted with it, such as a nonce window; absent = the
   * exchange reports no such settings.
   */
  unsafeSettings?: KeyDefault[];
}

/** One network on which one asset can be withdrawn. */
export interface WithdrawalNetwork {
  asset: string;
  /** Our network id, e.g. `bitcoin`. */
  id: string;
  /** Our short name, e.g. `Bitcoin`. */
  name: string;
  /** The name that the exchange shows to its users. */
  displayName: string;
  /** The exchange's name of the asset on this network. */
  assetName: string;
  /** The exchange's own id of the method or network. */
  exchangeNetworkId: string;
  /** CAIP-2 id of the chain; null = the chain has none. */
  chainId: string | null;
  /** Contract of the asset on this network; null = not known, or the asset is the chain's own coin. */
  tokenAddress: string | null;
  /** Our RE2 expression, matched in linear time, that every address of the network matches as a whole. */
  addressRegex: string;
  /** The exchange's own expression, which addresses must match, too; absent = it states none. See `acceptsAddress`. */
  exchangeAddressRegex?: string;
  /** The kind of tag that addresses have; null = they have none. */
  tagType: TagType | null;
  /** Maximum number of decimal places of an amount. */
  decimals: number;
  /** Bounds of the amount that is debited; null = not known. */
  minWithdrawal: Amount | null;
  maxWithdrawal: Amount | null;
  /** The fee; null = it depends on the amount, or only `estimate` returns it. */
  fee: Amount | null;
  feeAsset: string;
}

/** The withdrawal for which a caller requests a quote. */
export interface QuotedWithdrawal {
  asset: string;
  network: WithdrawalNetwork;
  address: string;
  tag: string | null;
  amount: Amount;
  /** true = the fee is deducted from `amount`; false = the fee is added to `amount`. */
  includeFee: boolean;
}

/** Something that the execution will need, such as a code. A client can ask the person for it in advance. */
export interface WithdrawalRequirement {
  type:
    'address_allowlist' | 'totp' | 'tag' | 'email' | 'sms' | 'face' | 'yubikey' | 'passphrase' | 'kyc' | 'travel_rule';
  detail: string;
}

export interface FeeDetail {
  category: 'exchange_withdrawal_fee' | 'network_fee';
  currency: string;
  amount: Amount;
}

/** The present cost of a withdrawal, `amountWithFee = amountNoFee + fee`. An estimate moves no money. */
export interface WithdrawalEstimate {
  amountNoFee: Amount;
  fee: Amount;
  amountWithFee: Amount;
  feeDetails: FeeDetail[];
  /** Bounds of the amount that is debited, for this account and network; null = not known. */
  minWithdrawal: Amount | null;
  maxWithdrawal: Amount | null;
  requirements: WithdrawalRequirement[];
  /** The time until which the exchange guarantees the figures; null = it gives no guarantee. */
  expiresAt: Date | null;
}

/** The withdrawal that a quote describes. `clientRef` is our reference, unique within the wallet. */
export interface WithdrawalInstruction {
  asset: string;
  network: string;
  address: string;
  tag: string | null;
  amountNoFee: Amount;
  fee: Amount;
  amountWithFee: Amount;
  clientRef: string;
}

/**
 * The parameters that `submit` will send, without secrets. They are stored before sending, and `find` searches by them.
 */
export interface PreparedWithdrawal {
  request: Record<string, string>;
  /** Our reference, which the exchange stores; null = the exchange stores none. */
  clientRef: string | null;
  /**
   * The submission deadline: the exchange promises to book nothing for this request after this moment of its own clock,
   * however late the request arrives. null = the exchange makes no such promise.
   */
  submissionDeadline: Date | null;
  /**
   * The exchange's id of the account, where the exchange limits how soon a withdrawal may follow another one of the
   * account; null = the exchange reports no id; absent = it has no such limit.
   */
  account?: string | null | undefined;
}

/** How a person confirms a withdrawal. FACE has no code: the person confirms in the exchange's own app. */
export type VerificationMethod = 'GOOGLE' | 'EMAIL' | 'SMS' | 'FACE' | 'YUBIKEY' | 'PASSPHRASE';

/** Codes that a person enters. `twofa` is the code of an authenticator or hardware key, or a passphrase. */
export interface VerificationCodes {
  twofa?: Secret;
  emailCode?: Secret;
  smsCode?: Secret;
}

export interface VerificationStep {
  type: VerificationMethod;
  status: 'pending' | 'success' | 'failure';
  /** false = one of several alternatives (relation OR), or an optional step. */
  required: boolean;
  /** Hints for the person: masked `email` and `emailSent`, masked `phone` and `smsSent`. */
  metadata?: Record<string, string | boolean>;
}

/** The verification that the exchange requires for one withdrawal. */
export interface VerificationChallenge {
  /** The exchange's id of the challenge; clients return it as `bizNo`. */
  id: string;
  /** AND: every required step; OR: any one step. */
  relation: 'AND' | 'OR';
  /** `step_by_step`: each code is sent by `verify`; `all_at_once`: all codes are sent with the submission. */
  mode: 'step_by_step' | 'all_at_once';
  steps: VerificationStep[];
  /** After this time a new challenge is needed; null = not known. */
  expiresAt: Date | null;
}

/** The challenges of an exchange that requires verification before a submission. None of these calls moves money. */
export interface VerificationCapability {
  /**
   * Returns the challenge for this withdrawal; null = no verification is required. If a challenge is open for the same
   * `clientRef`, returns that challenge and sends nothing. Otherwise opens one, which sends email and SMS.
   */
  open(prepared: PreparedWithdrawal): Promise<VerificationChallenge | null>;
  /** The challenge's current state; null = it has expired at the exchange. */
  read(challengeId: string): Promise<VerificationChallenge | null>;
  /** Submits one code. A wrong code gives a step with `failure`, not an error. Only for `step_by_step`. */
  verify(challengeId: string, method: VerificationMethod, code: Secret): Promise<VerificationChallenge>;
}

export interface SubmitOptions {
  /**
   * Called synchronously, immediately before the request's bytes are written. When it throws, nothing is sent and the
   * outcome is `not_sent`.
   */
  beforeSend: () => void;
  /** Proof that a person confirmed the withdrawal, where the exchange requires it. */
  proof?: { challengeId?: string; codes: VerificationCodes };
}

/** The outcome of one submission. It is `unknown` unless the evidence is definite. */
export type SubmitOutcome =
  | { kind: 'accepted'; exchangeId: string; answer: Record<string, unknown> }
  | Rejected
  /**
   * A definite refusal, because a person must first verify the withdrawal. `challenge` is present if the exchange
   * reports which verifications it requires.
   */
  | {
      kind: 'verification_required';
      code: ErrorCode;
      rawCode: string;
      challenge?: VerificationChallenge;
      answer: Record<string, unknown>;
    }
  | NotSent
  | { kind: 'unknown'; reason: string; answer: Record<string, unknown> };

/** A submitted withdrawal, from the stored attempt. */
export interface SoughtWithdrawal {
  asset: string;
  /** Our id of the network on which it was sent. */
  network: string;
  request: Record<string, string>;
  clientRef: string | null;
  /** Once the exchange's id is known, the search is for this id only. */
  exchangeId: string | null;
  /** Records before this moment cannot match. */
  notBefore: Date;
}

/** A withdrawal in the exchange's history. */
export interface ExchangeWithdrawal {
  exchangeId: string;
  /** `unknown`: the exchange documents no such status, so the withdrawal has neither ended nor is it under way. */
  status: 'pending' | 'completed' | 'failed' | 'canceled' | 'unknown';
  rawStatus: string;
  /** Transaction hash on the chain; null until the exchange has broadcast the transaction. */
  hash: string | null;
  /** The amount that arrives; null = not reported. `amountNoFee + fee` was debited. */
  amountNoFee: Amount | null;
  fee: Amount | null;
  at: Date;
  /**
   * false = the record may be this withdrawal or another one. For example, its address is the same but is saved under
   * another name or with another tag, or it does not show whether its amount includes the fee. Only an operator may
   * link such a record.
   */
  isCertain: boolean;
  /**
   * The exchange may change references, and the record has another one than ours, or none. It matches only by its
   * values, so it is never certain.
   */
  isOnlyAlike?: true;
}

/** A withdrawal in the exchange's history, with its asset and destination. */
export interface ListedWithdrawal extends Omit<ExchangeWithdrawal, 'isCertain' | 'isOnlyAlike'> {
  clientRef: string | null;
  asset: string;
  /** The destination; null = not reported. */
  address: string | null;
  /** The amount that arrives. */
  amountNoFee: Amount;
}

export interface WithdrawalList {
  records: ListedWithdrawal[];
  /** false = the exchange has more records than were read. The records prove what happened, but no absence. */
  isComplete: boolean;
}

/** An entry of the exchange's ledger: one change of the account's holdings of one asset. */
export interface AccountMovement {
  /** The ledger's id of the entry. */
  id: string;
  /** `other`: a documented kind that is not a withdrawal; `unknown`: a kind that the connector does not know. */
  kind: 'withdrawal' | 'other' | 'unknown';
  /**
   * The exchange's id of the deposit, withdrawal or order that caused the change; null = not reported. The id of a
   * withdrawal equals its `ExchangeWithdrawal.exchangeId`.
   */
  reference: string | null;
  /** The change of the holdings, fee included; negative for what left the account. */
  change: Amount;
  /**
   * The code of the changed holding, such as `USDC` or `USDC.F` (`AssetBalance.asset`), and its total after the change;
   * absent = not reported.
   */
  after?: { holding: string; total: Amount };
  at: Date;
}

/**
 * How an attempt with an unknown outcome can be found at the exchange. `idempotent`: the exchange executes at most one
 * submission with the same reference. `by_reference`: the exchange keeps our reference, and its records can be searched
 * for it. `by_match`: records show no reference of ours, so only the details and the time of a record can match.
 */
export type SubmissionClass = 'idempotent' | 'by_reference' | 'by_match';

export interface DatedNetworks {
  networks: WithdrawalNetwork[];
  readAt: Date;
}

export interface WithdrawalCapability {
  readonly class: SubmissionClass;
  /** See `WithdrawalFacts`. If true, `find` may return other withdrawals of the owner as possible matches. */
  readonly mayChangeReference?: true;
  /** Methods whose codes a submission can carry, or whose outcome the exchange checks when it receives a submission. */
  readonly methods: readonly VerificationMethod[];
  /** Verification before the submission; absent if the exchange demands codes only in its response to a submission. */
  readonly verification?: VerificationCapability;
  /** Networks of one asset, or of all assets. Empty for an asset that cannot be withdrawn. */
  networks(asset?: string): Promise<WithdrawalNetwork[]>;
  /** Networks of all assets, and when they were read. A session may cache them. */
  datedNetworks(): Promise<DatedNetworks>;
  /** Reads the fee and the bounds of one withdrawal, whose amount contains the fee or not (`includeFee`). */
  estimate(quoted: QuotedWithdrawal): Promise<WithdrawalEstimate>;
  /** Reads everything that the submission needs, such as the saved address. @throws ExchangeError */
  prepare(instruction: WithdrawalInstruction): Promise<PreparedWithdrawal>;
  /** Sends one request, at most once, without retries. Throws only `InsideTransaction`, before anything else. */
  submit(prepared: PreparedWithdrawal, options: SubmitOptions): Promise<SubmitOutcome>;
  /** All records of the exchange's history that may be this withdrawal; empty = the complete history has none. */
  find(sought: SoughtWithdrawal): Promise<ExchangeWithdrawal[]>;
  /**
   * The withdrawals of the account since `since`, of all assets, in at most `pagesMax` pages of the exchange.
   * @throws ExchangeError when one of them cannot be read
   */
  list(since: Date, pagesMax?: number): Promise<WithdrawalList>;
  /**
   * All movements of one asset since `since`, also of holdings that earn interest; absent if the
   * exchange does not list movements.
   * @throws ExchangeError when the list is incomplete.
   */
  movements?(asset: string, since: Date): Promise<AccountMovement[]>;
  /** Absent if the exchange does not list the balance after each change. @throws ExchangeError */
  payingAccount?(asset: string, since: Date): Promise<PayingAccount>;
}

/**
 * A connection to one account with one set of credentials. It has no other state than facts that later reads correct,
 * such as a list of networks. Reads throw `ExchangeError`.
 */
export interface ExchangeSession {
  readonly exchange: string;
  /** Name and version of the connector; stored with each attempt. */
  readonly connectorVersion: string;
  /**
   * Whether calls may run at the same time. Otherwise each call waits for the previous one, for example because nonces
   * must rise.
   */
  readonly asksInParallel: boolean;
  /** See `ExchangeSpec.lagMs`. */
  readonly lagMs?: number;
  /**
   * The balances of the accounts on which withdrawals and orders rest. It fails when one of these accounts cannot be
   * read.
   */
  balances(): Promise<AssetBalance[]>;
  /**
   * The balances of the owner’s other accounts; absent = there are none. Nothing rests on them, so an account that
   * cannot be read is only named.
   * @param own the result of `balances`, which may already contain some of these accounts
   */
  otherAccounts?(own: readonly AssetBalance[]): Promise<OtherAccount[]>;
  /** All assets that the exchange lists for the account. A session may cache them. */
  assetNames(): Promise<readonly AssetName[]>;
  keyInfo(): Promise<KeyInfo>;
  readonly withdrawals?: WithdrawalCapability;
  readonly history?: HistoryCapability;
  readonly deposits?: DepositCapability;
  readonly trading?: TradingCapability;
  readonly identity?: IdentityCapability;
}
