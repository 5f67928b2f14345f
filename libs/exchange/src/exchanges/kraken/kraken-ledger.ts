import type { ExchangeClient } from '../../client/exchange-client.js';
import { ExchangeError } from '../../port/exchange-error.js';
import type { AccountMovement } from '../../port/exchange.port.js';
import { isHoldingOf } from '../../port/holdings.js';
import type { Cached } from '../../transport/cached.js';
import { holdingOf } from './kraken-balances.js';
import { coversPeriod, queryWindowOf } from './kraken-orders.js';
import { privateCall } from './kraken-key.js';
import { readLedgerEntry, readLedgerPage, type KrakenLedgerEntry, type QueryWindow } from './kraken-responses.js';

const LEDGERS = privateCall('Ledgers');

/** Maximum number of pages of 50 entries that we read for one list. Each counts twice in the account's rate limit. */
const PAGES_MAX = 20;

/**
 * Types of ledger entries that Kraken documents as something other than a withdrawal. `earn` is documented only in
 * https://support.kraken.com/hc/en-us/articles/360001169383, the other types also in the reference.
 */
const NO_WITHDRAWAL: ReadonlySet<string> = new Set([
  ...['trade', 'margin', 'rollover', 'settled', 'spend', 'receive', 'sale', 'conversion'],
  ...['deposit', 'staking', 'earn', 'reward', 'dividend', 'nfttrade', 'nftcreatorfee', 'nftrebate'],
]);

/**
 * Types whose debits may be withdrawals, because the documentation does not state where the asset goes. A `transfer`
 * may go to the OTC desk, Kraken itself makes an `adjustment`, and `credit` and `custodytransfer` are not explained.
 */
const PERHAPS_WITHDRAWAL: ReadonlySet<string> = new Set(['transfer', 'adjustment', 'credit', 'custodytransfer']);

/**
 * Subtypes of transfers within the account. Source:
 * https://support.kraken.com/hc/en-us/articles/360001169383
 */
const WITHIN_ACCOUNT: ReadonlySet<string> = new Set(['spottofutures', 'spottostaking', 'stakingtospot']);

/** Reads the movements of one Kraken account from its ledger. */
export class KrakenLedger {
  private readonly queryWindow: Cached<QueryWindow>;

  constructor(private readonly client: ExchangeClient) {
    this.queryWindow = queryWindowOf(client);
  }

  /**
   * Returns the movements of the asset, also of its holdings that earn interest (`XBT.M`, `USDC.F`), because a
   * withdrawal debits these holdings, too. Reads the entries of all assets: Kraken does not document whether its filter
   * by asset includes these holdings.
   * @throws ExchangeError when the list is incomplete.
   */
  async movements(asset: string, since: Date): Promise<AccountMovement[]> {
    const assets = await this.client.assets();
    const entries = await this.entriesSince(since);
    if (!coversPeriod(await this.queryWindow.get(), since, this.client.clock.now())) {
      throw this.incomplete('the API key may not read the whole ledger of the period');
    }
    return [...entries]
      .filter(([, entry]) => isHoldingOf(holdingOf(entry.asset, assets).asset, asset))
      .map(([id, entry]) => toMovement(id, entry, assets.codeOf(entry.asset)))
      .filter(({ at }) => at >= since);
  }

  /**
   * Reads all entries, by id. @throws ExchangeError when the count changes or an id is repeated: a new entry has then
   * moved other entries to a later page
   */
  private async entriesSince(since: Date): Promise<Map<string, KrakenLedgerEntry>> {
    // Kraken takes `start` in whole seconds and excludes entries of that second.
    const start = String(Math.floor(since.getTime() / 1000) - 1);
    const found = new Map<string, KrakenLedgerEntry>();
    /**
     * The count of the first page, and the time of its newest entry. Later pages are requested only up to this time, so
     * that newer entries cannot move entries to another page.
     */
    let first: { count: number; end: string } | null = null;
    for (let pages = 0; pages < PAGES_MAX; pages++) {
      const params: Record<string, string> = {
        start,
        ofs: String(found.size),
        ...(first !== null && { end: first.end }),
      };
      const page = await this.client.call(LEDGERS, params, readLedgerPage);
      const size = found.size;
      for (const [id, entry] of Object.entries(page.ledger)) found.set(id, this.recognised(entry));
      first ??= { count: page.count, end: newestSecond(found.values()) };
      const isWhole = found.size === page.count;
      const hasMoved = page.count !== first.count || found.size !== size + Object.keys(page.ledger).length;
      if (hasMoved || found.size > page.count || (!isWhole && found.size === size)) {
        throw this.incomplete('the ledger has changed while it was read');
      }
      if (isWhole) return found;
    }
    throw this.incomplete(`the ledger of the period has more than ${PAGES_MAX} pages`);
  }

  private recognised(entry: unknown): KrakenLedgerEntry {
    const read = readLedgerEntry(entry);
    if (read === null) throw this.incomplete('the ledger has an unreadable entry');
    return read;
  }

  private incomplete(what: string): ExchangeError {
    return new ExchangeError('unavailable', this.client.exchange, what);
  }
}

function newestSecond(entries: Iterable<KrakenLedgerEntry>): string {
  return String(Math.ceil(Math.max(0, ...[...entries].map(({ time }) => time))));
}

function toMovement(id: string, entry: KrakenLedgerEntry, holding: string): AccountMovement {
  const { refid, amount, fee, balance, time } = entry;
  return {
    id,
    kind: kindOf(entry),
    reference: refid,
    change: amount.minus(fee),
    ...(balance !== undefined && { after: { holding, total: balance } }),
    at: new Date(Math.round(time * 1000)),
  };
}

/**
 * The kind of an entry. A failed withdrawal has two `withdrawal` entries with the same reference, and the second one
 * reverses the signs of the first.
 */
function kindOf({ type, subtype, amount, fee }: KrakenLedgerEntry): AccountMovement['kind'] {
  if (type === 'withdrawal') return 'withdrawal';
  if (NO_WITHDRAWAL.has(type)) return 'other';
  if (!PERHAPS_WITHDRAWAL.has(type)) return 'unknown';
  if (!amount.minus(fee).isNegative()) return 'other';
  return type === 'transfer' && subtype !== null && WITHIN_ACCOUNT.has(subtype) ? 'other' : 'unknown';
}
