import { Amount } from '#money';
import type { ExchangeWithdrawal, SoughtWithdrawal } from '../../exchange.port.js';
import { isSameAddress } from './kraken-addresses.js';
import type { KrakenWithdrawal } from './kraken-answers.js';

/**
 * Whether a record can be what was sent. With the exchange's id only that one; else the same destination and the same
 * amount, in any way in which Kraken can show it. Too narrow a match would call a withdrawal "not executed" that was.
 */
export function whatFits(sought: SoughtWithdrawal): (record: KrakenWithdrawal) => boolean {
  const { exchangeId, request } = sought;
  if (exchangeId !== null) return ({ refid }) => refid === exchangeId;
  const gross = Amount.of(request['amount'] ?? '');
  const net = gross.minus(Amount.of(request['max_fee'] ?? ''));
  return (record) => {
    const { amount, fee } = record;
    // The documentation shows what arrives, with the fee beside it; a lower fee than allowed leaves their sum.
    const isAmount = [gross, net].some((each) => each.equals(amount)) || gross.equals(amount.plus(fee ?? Amount.zero));
    return isAmount && isDestination(record, request);
  };
}

function isDestination({ key, info }: KrakenWithdrawal, request: Record<string, string>): boolean {
  if (key === null && info === null) return true;
  // A key can be renamed and an address can be saved twice: either is enough.
  return key === request['key'] || (info !== null && isSameAddress(info, request['address'] ?? ''));
}

/** A record in our words. */
export function toWithdrawal(record: KrakenWithdrawal): ExchangeWithdrawal {
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
