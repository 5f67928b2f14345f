import { Amount } from '#money';
import type {
  ExchangeWithdrawal,
  HistoryKind,
  HistoryRecord,
  ListedWithdrawal,
  SoughtWithdrawal,
} from '../../../port/exchange.port.js';
import { canonicalAddress } from '../../../networks/address-rule.js';
import type { KrakenRecord } from '../protocol/kraken-responses.js';
import { depositNetworkOf } from '../deposits/kraken-deposit-methods.js';
import { networkIdOf } from '../protocol/kraken-networks.js';

/** How well a record fits what was sent; null = it is another one. */
export type Fit = 'certain' | 'possible' | null;

/**
 * Whether a record is what was sent. With the exchange's id only that one; else the destination and the amount decide.
 * Too narrow a match would call a withdrawal "not executed" that was, too wide a one would take another's record: what
 * could be either is `possible`.
 */
export function whatFits(sought: SoughtWithdrawal): (record: KrakenRecord) => Fit {
  const { exchangeId, request } = sought;
  if (exchangeId !== null) return ({ refid }) => (refid === exchangeId ? 'certain' : null);
  const gross = Amount.of(request['amount'] ?? '');
  const net = gross.minus(Amount.of(request['max_fee'] ?? ''));
  return (record) => weaker(fitOfAmount(record, gross, net), fitOfDestination(record, request));
}

/** The documentation shows what arrives, with the fee beside it; a fee below the allowed one leaves their sum. */
function fitOfAmount({ amount, fee }: KrakenRecord, gross: Amount, net: Amount): Fit {
  if (amount.equals(net) || amount.plus(fee ?? Amount.zero).equals(gross)) return 'certain';
  return amount.equals(gross) ? 'possible' : null;
}

/** Another name of the same address may be an entry with another tag, or this one after it was renamed. */
function fitOfDestination({ key, info }: KrakenRecord, request: Record<string, string>): Fit {
  if (key !== null && key === request['key']) return 'certain';
  if (info === null) return key === null ? 'possible' : null;
  if (canonicalAddress(info) !== canonicalAddress(request['address'] ?? '')) return null;
  return key === null ? 'certain' : 'possible';
}

function weaker(a: Fit, b: Fit): Fit {
  if (a === null || b === null) return null;
  return a === 'possible' ? a : b;
}

/** A record in our words. `request` is what was sent; empty when nobody knows it any more. */
export function toWithdrawal(
  record: KrakenRecord,
  fit: Exclude<Fit, null>,
  request: Readonly<Record<string, string>>,
): ExchangeWithdrawal {
  return { ...toPlain(record), amountNoFee: arrivingOf(record, request['amount']), isCertain: fit === 'certain' };
}

/** Kraken debits the amount of the request, whatever the fee comes to: what is not the fee arrives. */
function arrivingOf({ amount, fee }: KrakenRecord, gross: string | undefined): Amount {
  return gross === undefined || fee === null ? amount : Amount.of(gross).minus(fee);
}

/** A record with what it moved. `asset` is our code. */
export function toListed(record: KrakenRecord, asset: string): ListedWithdrawal {
  return { ...toPlain(record), clientRef: null, asset, address: record.info, amountNoFee: record.amount };
}

/** A withdrawal or deposit as history. What Kraken says of a deposit's amount is taken for what has arrived. */
export function toHistory(record: KrakenRecord, kind: HistoryKind, asset: string): HistoryRecord {
  const { exchangeId, status, rawStatus, hash, fee, at } = toPlain(record);
  return {
    kind,
    exchangeId,
    status: status === 'completed' ? 'ok' : status,
    rawStatus,
    asset,
    amount: record.amount,
    fee,
    feeAsset: fee === null ? null : asset,
    network: networkOf(record, kind, asset),
    exchangeNetwork: record.network ?? record.method,
    address: record.info,
    tag: null,
    hash,
    at,
  };
}

/** Older answers name the method alone, and methods of receiving have names of their own. */
function networkOf({ network, method }: KrakenRecord, kind: HistoryKind, asset: string): string | null {
  if (network !== null) return networkIdOf({ network, method: method ?? '' });
  if (method === null) return null;
  return kind === 'deposit' ? depositNetworkOf(asset, method) : networkIdOf({ network, method });
}

function toPlain(record: KrakenRecord): Omit<ExchangeWithdrawal, 'isCertain' | 'amountNoFee'> {
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
 * Initial, Pending, EarlyConfirmed and Settled are on their way; only Success and Failure are final. `canceled` counts
 * once the record has failed with it; `return` (a transfer back, which Kraken initiated) is one like any other. A status
 * that is not known is on its way: final words are never guessed.
 */
function statusOf(status: string, property: string | null): ExchangeWithdrawal['status'] {
  if (property === 'onhold' || property === 'cancel-pending') return 'pending';
  if (status === 'Failure') return property === 'canceled' ? 'canceled' : 'failed';
  if (status === 'Success') return property === 'canceled' ? 'pending' : 'completed';
  return 'pending';
}
