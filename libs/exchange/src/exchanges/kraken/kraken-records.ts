import { Amount } from '#money';
import { fitOfDestination as fitOfAddress, type RecordFit } from '../../capabilities/record-fit.js';
import { toHistory, type TransferRecord } from '../../capabilities/transfer-record.js';
import type { Endpoint, ExchangeClient } from '../../client/exchange-client.js';
import { networkById } from '../../networks/networks.js';
import { ExchangeError } from '../../port/exchange-error.js';
import type {
  ExchangeWithdrawal,
  HistoryCapability,
  HistoryKind,
  HistoryPage,
  SoughtWithdrawal,
} from '../../port/exchange.port.js';
import { depositNetworkOf, krakenCode, networkIdOf } from './kraken-assets.js';
import { privateCall } from './kraken-key.js';
import { readListing, readRecord, type KrakenListing, type KrakenRecord } from './kraken-responses.js';

/**
 * Returns a function that matches records with the sent request: by the exchange's id if it is known, else by
 * destination and amount. Too strict a match would call an executed withdrawal "not executed"; too loose a match would
 * take another withdrawal's record. Ambiguous records are `possible`.
 */
export function matcherOf(sought: SoughtWithdrawal): (record: KrakenRecord) => RecordFit {
  const { exchangeId, request, network } = sought;
  if (exchangeId !== null) return ({ refid }) => (refid === exchangeId ? 'certain' : null);
  const gross = Amount.of(request['amount'] ?? '');
  const net = gross.minus(Amount.of(request['max_fee'] ?? ''));
  const sent = { key: request['key'], address: request['address'] ?? '', network };
  return (record) => weaker(fitOfAmount(record, gross, net), fitOfDestination(record, sent));
}

/**
 * Compares a record's arriving amount with the request. `gross` is the requested amount; `net` is `gross` less the
 * maximum fee of the request. The charged fee may be below this maximum, but the arriving amount and the charged fee
 * always add up to `gross`.
 */
function fitOfAmount({ amount, fee }: KrakenRecord, gross: Amount, net: Amount): RecordFit {
  if (amount.equals(net) || amount.plus(fee ?? Amount.zero).equals(gross)) return 'certain';
  return amount.equals(gross) ? 'possible' : null;
}

/**
 * Compares a record's destination with the request. The same address under a different key is only a possible match:
 * the key may name the address with another tag, or the owner may have renamed the saved address. Without a key, the
 * same address is only a possible match on a network with tags, because records do not show tags. A key belongs to one
 * network, so the network of a record with the sent key is not compared.
 */
function fitOfDestination(
  record: Pick<KrakenRecord, 'key' | 'info' | 'network' | 'method'>,
  sent: { key: string | undefined; address: string; network: string },
): RecordFit {
  const { key, info, network, method } = record;
  if (key !== null && key === sent.key) return 'certain';
  if (info === null) return key === null ? 'possible' : null;
  const fit = fitOfAddress({ address: info, network: networkIdOf({ network, method: method ?? '' }) }, sent);
  const mayHaveTag = key !== null || networkById(sent.network)?.tagType !== null;
  return fit === 'certain' && mayHaveTag ? 'possible' : fit;
}

function weaker(a: RecordFit, b: RecordFit): RecordFit {
  if (a === null || b === null) return null;
  return a === 'certain' ? b : a;
}

/** Converts a record. `request` contains the parameters that were sent; it is empty if they are unknown. */
export function toWithdrawal(
  record: KrakenRecord,
  isCertain: boolean,
  request: Readonly<Record<string, string>>,
): ExchangeWithdrawal {
  return { ...toPlain(record), amountNoFee: arrivingOf(record, request['amount']), isCertain };
}

/** The arriving amount: Kraken debits the requested gross amount, and the amount without the fee arrives. */
function arrivingOf({ amount, fee }: KrakenRecord, gross: string | undefined): Amount {
  return gross === undefined || fee === null ? amount : Amount.of(gross).minus(fee);
}

/** Converts a record of a listing. `asset` is our code. The amount is taken as the arriving amount. */
export function toTransfer(record: KrakenRecord, kind: HistoryKind, asset: string): TransferRecord {
  return {
    ...toPlain(record),
    asset,
    // The prefix of older ids is not a renaming.
    assetId: krakenCode(record.asset),
    amountNoFee: record.amount,
    network: networkOf(record, kind, asset),
    exchangeNetwork: record.network ?? record.method,
    address: record.info,
    tag: null,
    clientRef: null,
  };
}

/**
 * Our id of a record's network. Older records contain no network, so the name of the method identifies the network.
 * Kraken's methods of deposits and of withdrawals have different names.
 */
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
 * Properties of a record whose status is not final. Kraken documents "onhold"; a response in ccxt's issue 11914 has
 * "on-hold".
 */
const NOT_SETTLED: ReadonlySet<string> = new Set(['onhold', 'on-hold', 'cancel-pending']);

const UNDERWAY: ReadonlySet<string> = new Set(['Initial', 'Pending', 'EarlyConfirmed', 'Settled']);

/**
 * Only Success and Failure are final. With the property `canceled`, Failure becomes canceled, and Success becomes
 * unknown, because the two contradict each other. The property `return` (a transfer back by Kraken) does not change the
 * status. A final status is never guessed.
 */
function statusOf(status: string, property: string | null): ExchangeWithdrawal['status'] {
  if (property !== null && NOT_SETTLED.has(property)) return 'pending';
  if (status === 'Failure') return property === 'canceled' ? 'canceled' : 'failed';
  if (status === 'Success') return property === 'canceled' ? 'unknown' : 'completed';
  return UNDERWAY.has(status) ? 'pending' : 'unknown';
}

export const WITHDRAW_STATUS = privateCall('WithdrawStatus');
const DEPOSIT_STATUS = privateCall('DepositStatus');

/** Records per page. */
const PAGE_SIZE = 500;

/**
 * Reads one page of WithdrawStatus or DepositStatus, newest first. @param cursor null = the first page. @throws
 * ExchangeError
 */
export async function fetchListing(
  client: ExchangeClient,
  endpoint: Endpoint,
  params: Record<string, string>,
  cursor: string | null,
): Promise<KrakenListing> {
  const paged = { ...params, cursor: cursor ?? 'true', limit: String(PAGE_SIZE) };
  const page = await client.call(endpoint, paged, readListing);
  return page.entries.length === 0 ? { entries: [], nextCursor: null } : page;
}

const endpoints = { deposit: DEPOSIT_STATUS, withdrawal: WITHDRAW_STATUS } as const;

/** The deposits and withdrawals of one Kraken account. Each listing contains all assets. */
export class KrakenHistory implements HistoryCapability {
  readonly kinds = ['deposit', 'withdrawal'] as const;
  /** Kraken was founded in July 2011, and opened two years later. */
  readonly begins = new Date(Date.UTC(2011, 6, 1));

  constructor(private readonly client: ExchangeClient) {}

  async page(kind: HistoryKind, range: { since: Date; until: Date }, cursor: string | null): Promise<HistoryPage> {
    const assets = await this.client.assets();
    const { entries, nextCursor } = await this.ask(kind, range, cursor);
    const known = entries.map(readRecord).filter((record) => record !== null);
    return {
      records: known.map((record) => toHistory(toTransfer(record, kind, assets.codeOf(record.asset)), kind)),
      unreadable: entries.length - known.length,
      nextCursor,
    };
  }

  private async ask(
    kind: HistoryKind,
    { since, until }: { since: Date; until: Date },
    cursor: string | null,
  ): Promise<KrakenListing> {
    const params = {
      start: String(Math.floor(since.getTime() / 1000)),
      // Kraken rounds the times of records down to seconds. It does not document whether `end` applies to the rounded
      // or to the exact time, so we add a second.
      end: String(Math.floor(until.getTime() / 1000) + 1),
    };
    try {
      return await fetchListing(this.client, endpoints[kind], params, cursor);
    } catch (error) {
      // Kraken does not document how it refuses a cursor, so any refusal of a later page counts as an invalid cursor.
      const isCursor = cursor !== null && error instanceof ExchangeError && error.kind === 'refused';
      if (!isCursor) throw error;
      throw new ExchangeError('refused', this.client.exchange, 'the cursor is no longer valid', {
        rawCode: error.rawCode,
        reason: 'invalid_cursor',
        cause: error,
      });
    }
  }
}
