import { Amount, InvalidAmount } from '#money';
import type { SandboxPair } from '../../data/pairs.js';
import type { Order } from '../../ledger/records.js';
import { KrakenError, required, type KeylessCall } from '../handler.js';

const DEADLINE_MIN_MS = 2000;
const DEADLINE_MAX_MS = 60_000;
const EXPIRY_MIN_SECONDS = 5;
/** Kraken: "Up to one month in future". */
const EXPIRY_MAX_SECONDS = 31 * 24 * 60 * 60;

const RFC3339 = /^[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt][0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{1,9})?([Zz]|[+-][0-9]{2}:[0-9]{2})$/;
/** UUIDs with and without dashes, or ASCII text of at most 18 characters. */
const CLIENT_ORDER_ID = /^([0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{32}|[\x20-\x7e]{1,18})$/i;

type Params = Record<string, string>;

const invalid = (name: string) => new KrakenError(`EGeneral:Invalid arguments:${name}`);

/** Treats an empty parameter as absent. */
const given = (params: Params, name: string): string | null => {
  const value = params[name];
  return value === undefined || value === '' ? null : value;
};

function oneOf<T extends string>(params: Params, name: string, allowed: readonly T[]): T {
  const value = required(params, name);
  const found = allowed.find((candidate) => candidate === value);
  if (found === undefined) throw invalid(name);
  return found;
}

function amountOf(params: Params, name: string): Amount {
  try {
    return Amount.parseInput(required(params, name));
  } catch (error) {
    throw error instanceof InvalidAmount ? invalid(name) : error;
  }
}

/** `userref` and `cl_ord_id` exclude each other. */
function readIds(params: Params): Pick<Order, 'userref' | 'clientOrderId'> {
  const [userref, clientOrderId] = [given(params, 'userref'), given(params, 'cl_ord_id')];
  if (userref !== null && !/^-?[0-9]{1,10}$/.test(userref)) throw invalid('userref');
  if (clientOrderId !== null && (userref !== null || !CLIENT_ORDER_ID.test(clientOrderId))) throw invalid('cl_ord_id');
  return { userref: userref === null ? null : Number(userref), clientOrderId };
}

/**
 * How long the order stays open. GTD requires `expiretm`. Other values exclude `expiretm`; Kraken does not document
 * that.
 */
function readLifetime(params: Params, now: Date): Pick<Order, 'timeInForce' | 'expiresAt'> {
  const timeInForce =
    given(params, 'timeinforce') === null ? 'GTC' : oneOf(params, 'timeinforce', ['GTC', 'IOC', 'GTD', 'FOK']);
  const expiry = given(params, 'expiretm') ?? '0';
  if (expiry === '0' && timeInForce !== 'GTD') return { timeInForce, expiresAt: null };
  if (timeInForce !== 'GTD' || !/^\+?[0-9]{1,11}$/.test(expiry)) throw invalid('expiretm');
  const seconds = Number(expiry.replace('+', ''));
  const ahead = expiry.startsWith('+') ? seconds : seconds - now.getTime() / 1000;
  const least = expiry.startsWith('+') ? EXPIRY_MIN_SECONDS : 0;
  if (ahead < least || ahead > EXPIRY_MAX_SECONDS) throw invalid('expiretm');
  return { timeInForce, expiresAt: Math.round(now.getTime() + ahead * 1000) };
}

function limitOf(params: Params, { info }: SandboxPair): Amount {
  const price = amountOf(params, 'price');
  if (price.decimalPlaces() > info.pair_decimals) {
    throw new KrakenError(
      `EOrder:Invalid price:${info.altname} price can only be specified up to ${info.pair_decimals} decimals.`,
    );
  }
  if (!price.isMultipleOf(Amount.of(info.tick_size))) throw new KrakenError('EOrder:Tick size check failed');
  return price;
}

/** Reads the requested order, before its funds and prices are checked. */
export function readOrder({ account, params, exchange, now }: KeylessCall, pair: SandboxPair): Order {
  const type = oneOf(params, 'ordertype', ['market', 'limit']);
  if ((given(params, 'leverage') ?? 'none') !== 'none') throw invalid('leverage');
  if ((given(params, 'starttm') ?? '0') !== '0') throw invalid('starttm');
  const oflags = given(params, 'oflags') ?? 'fciq';
  // `viqc` gives the volume in the quote asset; reading it as base asset would trade far too much.
  if (oflags.split(',').includes('viqc')) throw invalid('oflags');
  const volume = amountOf(params, 'volume');
  if (volume.decimalPlaces() > pair.info.lot_decimals) throw invalid('volume');
  return {
    id: exchange.newId('O'),
    accountId: account.id,
    pair: pair.id,
    type,
    status: 'open',
    oflags,
    side: oneOf(params, 'type', ['buy', 'sell']),
    ...readIds(params),
    limitPrice: type === 'limit' ? limitOf(params, pair).toString() : null,
    volume: volume.toString(),
    executedVolume: '0',
    cost: '0',
    fee: '0',
    turnover: '0',
    averagePrice: '0',
    ...readLifetime(params, now),
    hold: null,
    openedAt: now.getTime(),
    closedAt: null,
    reason: null,
  };
}

/**
 * The time after which the order is refused: 2 to 60 seconds after the arrival of the request, even when the request is
 * carried out later. Kraken's "default deadline" is not documented; without a deadline the sandbox applies none.
 * @throws KrakenError
 */
export function readDeadline({ params, receivedAt }: KeylessCall): Date | null {
  const text = given(params, 'deadline');
  if (text === null) return null;
  const at = RFC3339.test(text) ? Date.parse(text) : Number.NaN;
  const aheadMs = at - receivedAt.getTime();
  if (Number.isNaN(at) || aheadMs > DEADLINE_MAX_MS) throw invalid('deadline');
  if (aheadMs <= 0) throw new KrakenError('EService:Deadline elapsed');
  if (aheadMs < DEADLINE_MIN_MS) throw invalid('deadline');
  return new Date(at);
}
