import type { Amount } from '#money';
import type { ErrorCode } from '#platform/errors';
import type { Secret } from '#platform/crypto';
import type { DepositCapability } from './deposit.port.js';
import type { IdentityCapability } from './identity.port.js';
import type { TagType } from './tag-type.js';
import type { TradingCapability } from './trading.port.js';

export type { TagType } from './tag-type.js';

/** Wallets of `test` projects live at the sandbox exchange, those of `live` projects at the real one. */
export type ProjectMode = 'test' | 'live';

/** What a wallet's owner made at the exchange. Which of the optional ones are needed: `ExchangeSpec.credentialFields`. */
export interface ExchangeCredentials {
  /** Every exchange has one; where it is all there is, a bearer token. */
  readonly apiKey: Secret;
  readonly apiSecret?: Secret;
  readonly apiPassphrase?: Secret;
  readonly apiUid?: Secret;
}

/** Holdings of one asset. `total = free + used`; `used` is bound in orders or withdrawals. */
export interface AssetBalance {
  asset: string;
  free: Amount;
  used: Amount;
  total: Amount;
}

/** What the exchange tells about the stored API key. Times are epoch seconds; null = not told. */
export interface KeyInfo {
  permissions: string[];
  ipAllowlist: string[];
  validUntil: number | null;
  lastUsed: number | null;
  createdTime: number | null;
  modifiedTime: number | null;
}

/** One way of withdrawing one asset. */
export interface WithdrawalNetwork {
  asset: string;
  /** Our network id, e.g. `bitcoin`. */
  id: string;
  /** Our short name, e.g. `Bitcoin`. */
  name: string;
  /** How the exchange shows it to its users. */
  displayName: string;
  /** Name of the asset on this network, as the exchange writes it. */
  assetName: string;
  /** The exchange's own id of the method or network. */
  exchangeNetworkId: string;
  /** CAIP-2 id of the chain; null where none is established. */
  chainId: string | null;
  /** Contract of the asset on this network; null = not known, or the asset is the chain's own coin. */
  tokenAddress: string | null;
  /** Linear-time (RE2) expression that an address of the network matches as a whole. */
  addressRegex: string;
  /** What a tag is called here; null = addresses have none. */
  tagType: TagType | null;
  /** Most digits after the point of an amount. */
  decimals: number;
  /** Bounds of what is debited, null = not told. */
  minWithdrawal: Amount | null;
  maxWithdrawal: Amount | null;
  /** Null = depends on the amount or is not told without a quote. */
  fee: Amount | null;
  feeAsset: string;
}

/** What the caller of a quote wants. */
export interface WithdrawalIntent {
  asset: string;
  network: WithdrawalNetwork;
  address: string;
  tag: string | null;
  amount: Amount;
  /** true: the fee is inside `amount`; false: on top of it. */
  includeFee: boolean;
}

/** Something that the execution will still need, so that a client can ask before it tries. */
export interface WithdrawalRequirement {
  type: 'address_allowlist' | 'totp' | 'tag' | 'email' | 'sms' | 'face' | 'yubikey' | 'passphrase' | 'kyc';
  detail: string;
}

export interface FeeDetail {
  category: 'exchange_withdrawal_fee' | 'network_fee';
  currency: string;
  amount: Amount;
}

/** What a withdrawal would cost now. `amountWithFee = amountNoFee + fee`; nothing was moved. */
export interface WithdrawalEstimate {
  amountNoFee: Amount;
  fee: Amount;
  amountWithFee: Amount;
  feeDetails: FeeDetail[];
  /** Bounds of what is debited for this account and network, null = not told. */
  minWithdrawal: Amount | null;
  maxWithdrawal: Amount | null;
  requirements: WithdrawalRequirement[];
  /** How long the exchange itself grants the figures; null = does not say. */
  expiresAt: Date | null;
}

/** What a quote has fixed; `clientRef` is ours and unique within the wallet. */
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

/** Exactly what `submit` will send, without secrets; stored before it is sent, and what `find` looks for afterwards. */
export interface PreparedWithdrawal {
  request: Record<string, string>;
  /** The reference that the exchange keeps; null where it keeps none. */
  clientRef: string | null;
  /**
   * The submission deadline: the exchange promises to book nothing for this request after this moment of its own clock,
   * whenever the request arrived. null = the exchange makes no such promise.
   */
  submissionDeadline: Date | null;
}

/** A way for a person to prove that the withdrawal is meant. FACE has no code: it is done in the exchange's own app. */
export type VerificationMethod = 'GOOGLE' | 'EMAIL' | 'SMS' | 'FACE' | 'YUBIKEY' | 'PASSPHRASE';

/** Codes as a person gives them: of an authenticator (or a hardware key, or a passphrase), of an e-mail, of an SMS. */
export interface VerificationCodes {
  twofa?: Secret;
  emailCode?: Secret;
  smsCode?: Secret;
}

export interface VerificationStep {
  type: VerificationMethod;
  status: 'pending' | 'success' | 'failure';
  /** false: one of several that suffice (relation OR), or one that may be left out. */
  required: boolean;
  /** What helps the person: `email` (masked) and `emailSent`, `phone` (masked) and `smsSent`. */
  metadata?: Record<string, string | boolean>;
}

/** What the exchange wants verified before it lets one withdrawal out. */
export interface VerificationChallenge {
  /** The exchange's id of it, echoed by clients as `bizNo`. */
  id: string;
  /** AND: every required step; OR: any one. */
  relation: 'AND' | 'OR';
  /** `step_by_step`: each code by `verify`; `all_at_once`: all codes together with the submission. */
  mode: 'step_by_step' | 'all_at_once';
  steps: VerificationStep[];
  /** After it a new challenge is needed; null = does not say. */
  expiresAt: Date | null;
}

/** Challenges of an exchange that verifies before it takes the submission. None of these calls moves money. */
export interface VerificationCapability {
  /**
   * The challenge of this withdrawal; null = nothing has to be verified. Opens one where none is open, which sends e-mail
   * and SMS; for a withdrawal (`clientRef`) whose challenge is open it answers that one and sends nothing.
   */
  open(prepared: PreparedWithdrawal): Promise<VerificationChallenge | null>;
  /** Where it stands; null = the exchange knows it no more (expired). */
  read(challengeId: string): Promise<VerificationChallenge | null>;
  /** Tries one code; a wrong one is a step with `failure`, not an error. Only for `step_by_step`. */
  verify(challengeId: string, method: VerificationMethod, code: Secret): Promise<VerificationChallenge>;
}

export interface SubmitOptions {
  /**
   * Called synchronously, immediately before the bytes of the submitting request are written. When it throws, nothing
   * is sent and the outcome is `not_sent`.
   */
  beforeSend: () => void;
  /** What proves that a person means it, where the exchange asks. */
  proof?: { challengeId?: string; codes: VerificationCodes };
}

/** What is known after one submission. Only evidence counts: everything that proves neither is `unknown`. */
export type SubmitOutcome =
  | { kind: 'accepted'; exchangeId: string; answer: Record<string, unknown> }
  /** An allow-listed, definite refusal of the exchange: nothing moved. */
  | { kind: 'rejected'; code: ErrorCode; rawCode: string; reason?: string; answer: Record<string, unknown> }
  /** A definite refusal until a person has verified it; `challenge` where the exchange tells how it stands now. */
  | {
      kind: 'verification_required';
      code: ErrorCode;
      rawCode: string;
      challenge?: VerificationChallenge;
      answer: Record<string, unknown>;
    }
  /**
   * Provably not one byte of the request was written. The only outcome after which the same withdrawal may be submitted
   * again; no response of the exchange leads here.
   */
  | { kind: 'not_sent'; reason: string }
  | { kind: 'unknown'; reason: string; answer: Record<string, unknown> };

/** What was sent, from the attempt's row. */
export interface SoughtWithdrawal {
  asset: string;
  request: Record<string, string>;
  clientRef: string | null;
  /** Set once the exchange's id is known: then only that one is sought. */
  exchangeId: string | null;
  /** Records before this moment cannot be it. */
  notBefore: Date;
}

/** One withdrawal in the exchange's history. */
export interface ExchangeWithdrawal {
  exchangeId: string;
  status: 'pending' | 'completed' | 'failed' | 'canceled';
  rawStatus: string;
  /** Transaction hash on the chain, null until it is sent there. */
  hash: string | null;
  /** What arrives; with `fee`, what was debited. null = the exchange does not tell. */
  amountNoFee: Amount | null;
  fee: Amount | null;
  at: Date;
  /**
   * false: it may be what was sought, but another explanation is as good (the same address under another name or tag,
   * an amount in a form that is not documented). Such a record is never linked without an operator.
   */
  isCertain: boolean;
}

/** One withdrawal in the exchange's history, with what it moved. */
export interface ListedWithdrawal extends Omit<ExchangeWithdrawal, 'isCertain'> {
  clientRef: string | null;
  asset: string;
  /** null = the exchange does not tell. */
  address: string | null;
  /** What arrives. */
  amountNoFee: Amount;
}

/** One change of an account's holdings of one asset (`totalHeld`), as the exchange's own ledger lists it. */
export interface AccountMovement {
  /** The ledger's id of the entry. */
  id: string;
  /** `other`: a documented kind that is no withdrawal; `unknown`: a kind that the connector does not know. */
  kind: 'withdrawal' | 'other' | 'unknown';
  /** The exchange's id of what moved, for a withdrawal the same as `ExchangeWithdrawal.exchangeId`; null = not told. */
  reference: string | null;
  /** By how much the holdings changed, fee included; negative for what left them. */
  change: Amount;
  /** What the account held after it of one form of the asset (`AssetBalance.asset`), where the exchange tells it. */
  after?: { holding: string; total: Amount };
  at: Date;
}

/**
 * How an attempt with an unknown outcome can be found at the exchange. `idempotent`: the exchange executes one reference of
 * ours at most once. `by_reference`: the exchange keeps our reference, and its records can be searched for it.
 * `by_match`: the exchange takes no reference, so only the details and the time of a record can match.
 */
export type SubmissionClass = 'idempotent' | 'by_reference' | 'by_match';

export interface DatedNetworks {
  networks: WithdrawalNetwork[];
  readAt: Date;
}

export interface WithdrawalCapability {
  readonly class: SubmissionClass;
  /** Methods whose codes a submission can carry, or whose outcome the exchange looks at when it gets one. */
  readonly methods: readonly VerificationMethod[];
  /** Absent where the exchange asks for a code in response to the submission. */
  readonly verification?: VerificationCapability;
  /** Networks of one asset, or of all. Empty for an asset that the exchange does not let out. */
  networks(asset?: string): Promise<WithdrawalNetwork[]>;
  /** Those of all, and when the exchange was asked for them: a session may keep them for a while. */
  datedNetworks(): Promise<DatedNetworks>;
  /** Fee and bounds for one intent; converts between the exchange's gross or net amounts and ours. */
  estimate(intent: WithdrawalIntent): Promise<WithdrawalEstimate>;
  /** Everything that must be asked before sending (such as the saved address). @throws ExchangeError when refused. */
  prepare(instruction: WithdrawalInstruction): Promise<PreparedWithdrawal>;
  /** Sends one request, at most once, without retry. Never throws, but for `InsideTransaction` before anything else. */
  submit(prepared: PreparedWithdrawal, options: SubmitOptions): Promise<SubmitOutcome>;
  /** Everything in the exchange's history that can be what was sent; empty = a clean listing without it. */
  find(sought: SoughtWithdrawal): Promise<ExchangeWithdrawal[]>;
  /** Every withdrawal of the account since then, of all assets. @throws ExchangeError rather than an incomplete list. */
  list(since: Date): Promise<ListedWithdrawal[]>;
  /**
   * Every movement of one asset since then, in all of its forms (`totalHeld`), where the exchange lists the movements of
   * an account.
   * @throws ExchangeError rather than an incomplete list.
   */
  movements?(asset: string, since: Date): Promise<AccountMovement[]>;
}

export type HistoryKind = 'deposit' | 'withdrawal';

/** One deposit or withdrawal as the exchange's history shows it, in our words. */
export interface HistoryRecord {
  kind: HistoryKind;
  /** The exchange's own id, unique among all records of the account. */
  exchangeId: string;
  status: 'pending' | 'ok' | 'failed' | 'canceled';
  rawStatus: string;
  asset: string;
  /** What arrives: without the fee. */
  amount: Amount;
  /** null = the exchange does not tell. */
  fee: Amount | null;
  /** Asset of the fee; null exactly where `fee` is null. */
  feeAsset: string | null;
  /** Our network id; null = the exchange does not tell, or names one that we do not know. */
  network: string | null;
  /** The exchange's own name of the network, or of the method where it names no network; null = it names neither. */
  exchangeNetwork: string | null;
  /** Receiving address. */
  address: string | null;
  tag: string | null;
  hash: string | null;
  at: Date;
}

/** One page of a history, newest first. */
export interface HistoryPage {
  records: HistoryRecord[];
  /** Entries of the page in which no record could be recognised: they are told of, and stop nothing. */
  unreadable: number;
  /** What asks for the next, older page; null = this was the last. */
  nextCursor: string | null;
}

/** The deposits and withdrawals of one account, in pages. */
export interface HistoryCapability {
  readonly kinds: readonly HistoryKind[];
  /** Before this moment the exchange has no records of anybody. */
  readonly begins: Date;
  /**
   * The newest page between the two moments (both inclusive, seconds where the exchange counts in seconds), or the one
   * after `cursor`, which belongs to the same kind and range.
   * @throws ExchangeError; `refused` with reason `invalid_cursor` when the exchange knows the cursor no more.
   */
  page(kind: HistoryKind, range: { since: Date; until: Date }, cursor: string | null): Promise<HistoryPage>;
}

/** One credential at one exchange. Holds no state of a tenant but the credential; reads throw `ExchangeError`. */
export interface ExchangeSession {
  readonly exchange: string;
  /** Name and version of what speaks to the exchange; stored with each attempt. */
  readonly connectorVersion: string;
  balances(): Promise<AssetBalance[]>;
  keyInfo(): Promise<KeyInfo>;
  readonly withdrawals?: WithdrawalCapability;
  readonly history?: HistoryCapability;
  readonly deposits?: DepositCapability;
  readonly trading?: TradingCapability;
  readonly identity?: IdentityCapability;
}
