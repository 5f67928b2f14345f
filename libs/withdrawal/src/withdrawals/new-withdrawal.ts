import type { Wallet } from '#wallet';
import type { Quote } from '../quote/quote.entity.js';
import { Withdrawal } from './withdrawal.entity.js';

/** The ids that the withdrawal and its transaction get when this call wins the claim. */
export interface ClaimDraft {
  withdrawalId: string;
  transactionId: string;
  tag: string | null;
  /** Id under which this call holds the quote's execution lock. */
  lockHolder: string;
}

/** A claim and the time at which it is made, by the database's clock. */
export type TimedClaim = ClaimDraft & { now: Date };

/** A withdrawal, and the function that stores its claim. */
export interface Claim {
  withdrawal: Withdrawal;
  store: () => Promise<unknown>;
}

/** Returns the withdrawal that the claim of a quote creates, before its first attempt. */
export function newWithdrawal(quote: Quote, wallet: Wallet, claim: TimedClaim): Withdrawal {
  return Object.assign(new Withdrawal(), {
    id: claim.withdrawalId,
    quoteId: quote.id,
    projectId: quote.projectId,
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

/** Our reference for the exchange: 32 characters of `0-9a-f`, which every exchange with references accepts. */
export function clientRefOf(quoteId: string): string {
  return quoteId.replaceAll('-', '');
}
