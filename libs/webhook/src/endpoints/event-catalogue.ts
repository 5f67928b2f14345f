import type { EventType } from '#platform/events';

/** The types of events that endpoints receive, with their meaning for the documentation. */
export const eventCatalogue: Readonly<Record<EventType, string>> = {
  'wallet.created': 'An account was connected for the first time under this `walletId`.',
  'wallet.deleted': 'The wallet was deleted, by request or because the exchange has refused its credentials.',
  'wallet.balance.updated': 'The balances that the exchange reports have changed. Read them with `getWallet`.',
  'wallet.credentials.invalid': 'The exchange refuses the credentials of the wallet. Its owner must connect it again.',
  'wallet.credentials.valid': 'The exchange accepts the credentials of the wallet again.',
  'quote.created': 'A withdrawal was quoted. No money moves before the quote is executed.',
  'withdrawal.submitted': 'The exchange has accepted the withdrawal.',
  'withdrawal.verification_required': 'The exchange requires a verification before it executes the withdrawal.',
  'withdrawal.completed': 'The exchange reports that the withdrawal is complete.',
  'withdrawal.failed': 'The withdrawal has ended and nothing has left: it was refused, canceled, or has failed.',
  'withdrawal.unknown':
    'The exchange gave no definite response, so the money may have left. Do not pay again: a later event reports the outcome.',
  'withdrawal.reopened':
    'The exchange shows a withdrawal that was reported as failed, so the money may have left. Do not pay again: a later event reports the outcome.',
  'transaction.created': 'A deposit or a withdrawal is new in the history of a wallet.',
  'transaction.updated': 'A deposit or a withdrawal in the history of a wallet has changed.',
  'order.updated': 'A spot order has changed.',
  'webhook_endpoint.disabled':
    'Another endpoint of this project was disabled, because every attempt of several days has failed, or because it has responded with 410.',
};

export const eventTypes = Object.keys(eventCatalogue) as EventType[];
