import type { ProjectMode } from '#access';
import type { PreparedWithdrawal, SubmissionClass } from '#exchange';
import type { Amount } from '#money';
import type { Wallet } from '#wallet';
import type { Quote } from '../quote/quote.entity.js';
import type { DuplicateKeys } from './duplicate-keys.js';
import { WithdrawalAttempt } from './withdrawal-attempt.entity.js';
import { Withdrawal } from './withdrawal.entity.js';

/** The ids that the withdrawal and its transaction get when this call wins the claim. */
export interface ClaimDraft {
  withdrawalId: string;
  transactionId: string;
  tag: string | null;
  /** The mode of the quote's project. */
  mode: ProjectMode;
  /** Id under which this call holds the quote's execution lock. */
  lockHolder: string;
}

/** A claim and the time at which it is made, by the database's clock. */
export type TimedClaim = ClaimDraft & { now: Date };

/** The facts of an attempt that is about to be made, before its row is written. */
export interface AttemptDraft {
  id: string;
  connector: string;
  connectorVersion: string;
  class: SubmissionClass;
  prepared: PreparedWithdrawal;
  /** See `WithdrawalAttempt`. */
  totalBefore: Amount;
  freeBefore: Amount;
  /** Ids of the exchange's records that match already and so cannot be this attempt. */
  knownIds: string[];
  startedAt: Date;
  leaseUntil: Date;
}

/** Returns the withdrawal that the claim of a quote creates, before its first attempt. */
export function newWithdrawal(quote: Quote, wallet: Wallet, claim: TimedClaim): Withdrawal {
  return Object.assign(new Withdrawal(), {
    id: claim.withdrawalId,
    quoteId: quote.id,
    projectId: quote.projectId,
    mode: claim.mode,
    walletId: wallet.id,
    transactionId: claim.transactionId,
    credentialVersion: quote.credentialVersion,
    exchange: quote.exchange,
    asset: quote.asset,
    network: quote.network,
    address: quote.address,
    tag: claim.tag,
    amountNoFee: quote.amountNoFee,
    fee: quote.fee,
    amountWithFee: quote.amountWithFee,
    clientRef: clientRefOf(quote.id),
    exchangeId: null,
    state: 'created' as const,
    errorCode: null,
    errorMessage: null,
    errorResult: null,
    nextCheckAt: null,
    checkCount: 0,
    unconfirmedSince: null,
    unansweredSince: null,
    createdAt: claim.now,
    updatedAt: claim.now,
    stateChangedAt: claim.now,
  });
}

/** Returns the attempt to submit a withdrawal, before anything is sent. */
export function newAttempt(withdrawal: Withdrawal, draft: AttemptDraft, keys: DuplicateKeys): WithdrawalAttempt {
  const { prepared, ...given } = draft;
  return Object.assign(new WithdrawalAttempt(), {
    ...given,
    ...keys,
    projectId: withdrawal.projectId,
    withdrawalId: withdrawal.id,
    walletId: withdrawal.walletId,
    credentialVersion: withdrawal.credentialVersion,
    clientRef: prepared.clientRef,
    request: prepared.request,
    submissionDeadline: prepared.submissionDeadline,
    seenIds: null,
    seenAt: null,
    seenSince: null,
    sentAt: null,
    finishedAt: null,
    outcome: 'in_flight' as const,
    exchangeId: null,
    answer: null,
    cleanListings: 0,
    lastCleanListingAt: null,
  });
}

/** Our reference for the exchange: 32 characters of `0-9a-f`, which every exchange with references accepts. */
export function clientRefOf(quoteId: string): string {
  return quoteId.replaceAll('-', '');
}
