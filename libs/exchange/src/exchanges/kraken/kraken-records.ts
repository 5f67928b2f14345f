import { Amount } from '#money';
import type { ExchangeWithdrawal, ListedWithdrawal, SoughtWithdrawal } from '../../exchange.port.js';
import { canonicalAddress } from '../../address-rule.js';
import type { KrakenWithdrawal } from './kraken-answers.js';

/** How well a record fits what was sent; null = it is another one. */
export type Fit = 'certain' | 'possible' | null;

/**
 * Whether a record is what was sent. With the exchange's id only that one; else the destination and the amount decide.
 * Too narrow a match would call a withdrawal "not executed" that was, too wide a one would take another's record: what
 * could be either is `possible`.
 */
export function whatFits(sought: SoughtWithdrawal): (record: KrakenWithdrawal) => Fit {
  const { exchangeId, request } = sought;
  if (exchangeId !== null) return ({ refid }) => (refid === exchangeId ? 'certain' : null);
  const gross = Amount.of(request['amount'] ?? '');
  const net = gross.minus(Amount.of(request['max_fee'] ?? ''));
  return (record) => weaker(fitOfAmount(record, gross, net), fitOfDestination(record, request));
}

/** The documentation shows what arrives, with the fee beside it; a fee below the allowed one leaves their sum. */
function fitOfAmount({ amount, fee }: KrakenWithdrawal, gross: Amount, net: Amount): Fit {
  if (amount.equals(net) || amount.plus(fee ?? Amount.zero).equals(gross)) return 'certain';
  return amount.equals(gross) ? 'possible' : null;
}

/** Another name of the same address may be an entry with another tag, or this one after it was renamed. */
function fitOfDestination({ key, info }: KrakenWithdrawal, request: Record<string, string>): Fit {
  if (key !== null && key === request['key']) return 'certain';
  if (info === null) return key === null ? 'possible' : null;
  if (canonicalAddress(info) !== canonicalAddress(request['address'] ?? '')) return null;
  return key === null ? 'certain' : 'possible';
}

function weaker(a: Fit, b: Fit): Fit {
  if (a === null || b === null) return null;
  return a === 'possible' ? a : b;
}

/** A record in our words. */
export function toWithdrawal(record: KrakenWithdrawal, fit: Exclude<Fit, null>): ExchangeWithdrawal {
  return { ...toPlain(record), isCertain: fit === 'certain' };
}

/** A record with what it moved. `asset` is our code. */
export function toListed(record: KrakenWithdrawal, asset: string): ListedWithdrawal {
  return { ...toPlain(record), clientRef: null, asset, address: record.info, amountNoFee: record.amount };
}

function toPlain(record: KrakenWithdrawal): Omit<ExchangeWithdrawal, 'isCertain'> {
  const property = record['status-prop'];
  return {
    exchangeId: record.refid,
    status: statusOf(record.status, property),
    rawStatus: property === null ? record.status : `${record.status} (${property})`,
    hash: record.txid,
    fee: record.fee,
    at: new Date(record.time * 1000),
  };
}

/**
 * Initial, Pending and Settled are on their way; only Success and Failure are final. `canceled` counts once the record
 * has failed with it. A status that is not known is on its way: final words are never guessed.
 */
function statusOf(status: string, property: string | null): ExchangeWithdrawal['status'] {
  if (property === 'onhold' || property === 'cancel-pending') return 'pending';
  if (status === 'Failure') return property === 'canceled' ? 'canceled' : 'failed';
  if (status === 'Success') return property === 'canceled' ? 'pending' : 'completed';
  return 'pending';
}
