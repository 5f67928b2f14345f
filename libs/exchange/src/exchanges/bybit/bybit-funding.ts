import { z } from 'zod';
import { Amount } from '#money';
import { changeReader } from '../../capabilities/account-changes.js';
import { allPages, pagesBy } from '../../capabilities/cursor-pages.js';
import { fieldOf, readerOf } from '../../capabilities/entry-fields.js';
import { envelope } from '../../capabilities/envelope.js';
import { amount, epochTime, name, optionalText, statedList } from '../../capabilities/response-fields.js';
import type { Endpoint, ExchangeClient } from '../../client/exchange-client.js';
import type { PayingAccount } from '../../port/paying-account.js';

const get = (path: string): Endpoint => ({ method: 'GET', path: `/v5/${path}` });
const success = envelope({ code: 'retCode', success: '0', data: 'result' });

/** Bybit: "Limit for data size per page. [`1`, `100`]" */
const PAGE_SIZE = 100;

const signed = z
  .object({ ioDirection: z.enum(['I', 'O']), txnAmt: amount })
  .transform(({ ioDirection, txnAmt }) => (ioDirection === 'I' ? txnAmt : Amount.zero.minus(txnAmt)));

/**
 * Bybit's page asset/fund-history: `currcCursor`, "Unique id", and `afterAmt`, "Balance after transaction". The page
 * lists no kinds and no references, so each debit may be a withdrawal. An entry may be from any moment of the second in
 * `createTime`; the last one counts, so that no entry seems older than it is.
 */
const readChange = changeReader({
  id: 'currcCursor',
  change: signed,
  after: 'afterAmt',
  kind: z.unknown().transform(() => 'unknown' as const),
  at: fieldOf('createTime', epochTime).transform((second) => new Date(second.getTime() + 999)),
});

/** The list has the entries of all coins. */
const pageOf = readerOf(
  success(z.object({ list: statedList(z.looseObject({ currency: name })), nextPageCursor: optionalText })),
);

/** Bybit's page asset/balance/all-balance */
const balancesOf = readerOf(
  success(fieldOf('balance', statedList(z.object({ coin: name, walletBalance: amount, transferBalance: amount })))),
);

/**
 * Reads the funding account, from which our withdrawals are paid. The list of changes is read first: a change after
 * that reading then shows as a gap between the last change and the balance. No period is requested, so that Bybit's
 * clock decides what is listed: "If neither is provided, defaults to the last 7 days".
 */
export async function readFundingAccount(client: ExchangeClient, coin: string, since: Date): Promise<PayingAccount> {
  const list = { endpoint: get('asset/fundinghistory'), params: { limit: String(PAGE_SIZE) } };
  const pages = pagesBy(client, list, (body) => {
    const { list: listed, nextPageCursor } = pageOf(body);
    const entries = listed.filter(({ currency }) => currency === coin).map(readChange);
    const isLast = listed.length < PAGE_SIZE || entries.some(({ at }) => at < since);
    return { entries, nextCursor: isLast ? null : nextPageCursor };
  });
  const changes = await allPages(client.exchange, pages);
  const params = { accountType: 'FUND', coin };
  const balances = await client.call(get('asset/transfer/query-account-coins-balance'), params, balancesOf);
  const own = balances.find((balance) => balance.coin === coin);
  const total = own?.walletBalance ?? Amount.zero;
  // The part that cannot be transferred is reserved.
  return { changes, total, held: total.minus(own?.transferBalance ?? Amount.zero) };
}
