import { Amount } from '#money';
import { ExchangeError } from '../../port/exchange-error.js';
import type {
  ExchangeSession,
  ExchangeWithdrawal,
  HistoryKind,
  HistoryRecord,
  PreparedWithdrawal,
  SoughtWithdrawal,
} from '../../port/exchange.port.js';
import { documentedStatuses } from './documented-statuses.js';
import { ContractBench } from './contract-bench.js';
import type { Subject } from './contract-subjects.js';
import type {
  HistoryContract,
  HistorySample,
  ListedEntry,
  SampleRecord,
  WithdrawalsContract,
} from './exchange-contract.js';
import type { Check, Rule } from './rule.js';

const UNREADABLE = { name: 'ExchangeError', kind: 'unavailable' };
const DAY_MS = 86_400_000;
/** Maximum number of pages that a test reads. The test treats a longer history as endless and fails. */
const PAGES_MAX = 1_000;
/** Maximum number of requests of one search, so that an endless listing ends. */
const REQUESTS_MAX = 200;

/** The data for rules about histories. */
export interface HistoryParts {
  readonly history: HistoryContract;
  /** The values that all sample records share. */
  readonly sampled: HistorySample;
}

/** The data for rules about withdrawals. */
interface Parts extends HistoryParts {
  readonly withdrawals: WithdrawalsContract;
}

export function historyPartsOf({ contract: { withdrawals, history } }: Subject): HistoryParts {
  if (history === undefined) throw new Error('the contract has no history');
  const sampled = withdrawals === undefined ? history.sample : toSample(withdrawals.instruction);
  if (sampled === undefined) throw new Error('the contract has neither withdrawals nor a sample of its history');
  return { history, sampled };
}

function toSample({ amountNoFee: net, ...rest }: WithdrawalsContract['instruction']): HistorySample {
  const { asset, network, address, tag, fee, clientRef } = rest;
  return { asset, network, address, tag, net, fee, clientRef };
}

function partsOf(subject: Subject): Parts {
  const { withdrawals } = subject.contract;
  if (withdrawals === undefined) throw new Error('the contract has no withdrawals');
  return { ...historyPartsOf(subject), withdrawals };
}

/** The fee that the connector must report for a record; null = the exchange's records state no usable fee. */
export function feeOf({ history }: HistoryParts, fee: Amount): Amount | null {
  return history.reportsNoFees === true ? null : fee;
}

export const BEGIN = new Date('2026-10-01T12:00:00.000Z');

/** A record of the withdrawal that the contract describes. */
export function sample({ sampled }: HistoryParts, rest: Partial<SampleRecord> = {}): SampleRecord {
  return { id: 'first', at: BEGIN, state: 'completed', ...sampled, ...rest };
}

export function listed({ history }: HistoryParts, kind: HistoryKind, records: readonly SampleRecord[]): ListedEntry[] {
  return records.map((record) => ({ id: record.id, at: record.at, entry: history.entry(kind, record) }));
}

/** Prepares the contract's withdrawal, and searches a listing for it. */
async function finding(
  subject: Subject,
  records: readonly SampleRecord[],
  rest: Partial<SoughtWithdrawal> = {},
): Promise<ExchangeWithdrawal[]> {
  const parts = partsOf(subject);
  let found: ExchangeWithdrawal[] = [];
  await ContractBench.run(subject, async ({ open, stub }) => {
    const session = await open();
    stub.answer(parts.history.listing('withdrawal', listed(parts, 'withdrawal', records)));
    found = await find(session, await prepared(session, parts), parts, rest);
  });
  return found;
}

async function prepared({ withdrawals }: ExchangeSession, { withdrawals: data }: Parts): Promise<PreparedWithdrawal> {
  if (withdrawals === undefined) throw new Error('the session has no withdrawals');
  return withdrawals.prepare(data.instruction);
}

async function find(
  { withdrawals }: ExchangeSession,
  { request, clientRef }: PreparedWithdrawal,
  { withdrawals: { instruction } }: Parts,
  rest: Partial<SoughtWithdrawal>,
): Promise<ExchangeWithdrawal[]> {
  const notBefore = new Date(BEGIN.getTime() - 60_000);
  const { asset, network } = instruction;
  const sought = { asset, network, request, clientRef, exchangeId: null, notBefore, ...rest };
  return (await withdrawals?.find(sought)) ?? [];
}

const found: Rule = {
  id: 'EX-30',
  title: 'a withdrawal that was sent is found with certainty, and no other withdrawal is a certain match',
  needs: ['withdrawals'],
  checks: (subject) => {
    const parts = partsOf(subject);
    const { address, net } = sample(parts);
    const others: Readonly<Record<string, Partial<SampleRecord>>> = {
      'another amount': { net: net.plus(Amount.of('0.1')), clientRef: 'other' },
      'another amount under our reference': { net: net.plus(Amount.of('0.1')) },
      'another address': { address: `${address.slice(0, -4)}0000`, clientRef: 'other' },
      'another asset': { asset: parts.withdrawals.tagged?.asset ?? 'ETH', clientRef: 'other' },
    };
    const isCertain = ({ isCertain: certain }: ExchangeWithdrawal): boolean => certain;
    return [
      {
        name: 'among other withdrawals',
        run: async () => {
          const other = sample(parts, { id: 'second', net: net.plus(Amount.of('1')), clientRef: 'other' });
          const records = await finding(subject, [sample(parts), other]);
          const fee = feeOf(parts, sample(parts).fee);
          expect(records).toMatchObject([
            { exchangeId: 'first', isCertain: true, amountNoFee: net, fee, status: 'completed', at: BEGIN },
          ]);
        },
      },
      { name: 'nothing is found in an empty listing', run: async () => expect(await finding(subject, [])).toEqual([]) },
      ...Object.entries(others).map(([name, rest]) => ({
        name: `a record with ${name} is no certain match`,
        run: async () => expect((await finding(subject, [sample(parts, rest)])).filter(isCertain)).toEqual([]),
      })),
      {
        name: 'when it is listed with another form of its address',
        run: async () => {
          // Exchanges list some addresses in another form, which begins with another character.
          const other = { address: `1${address.slice(1)}` };
          expect(await finding(subject, [sample(parts, other)])).toMatchObject([{ exchangeId: 'first' }]);
          const records = [sample(parts, { ...other, id: 'second', clientRef: 'other' }), sample(parts)];
          expect(await finding(subject, records)).toMatchObject([{ exchangeId: 'first', isCertain: true }]);
        },
      },
      {
        name: 'by the exchange’s id',
        run: async () => {
          const records = [sample(parts), sample(parts, { id: 'second', clientRef: 'other' })];
          const byId = await finding(subject, records, { exchangeId: 'second' });
          expect(byId).toMatchObject([{ exchangeId: 'second', isCertain: true }]);
        },
      },
    ];
  },
};

const statuses: Rule = {
  id: 'EX-31',
  title: 'a withdrawal has its documented status; the status is unknown when the exchange documents no such status',
  needs: ['withdrawals'],
  checks: (subject) => {
    const documented = Object.entries(documentedStatuses[subject.declaration.spec.id] ?? {});
    const read = async (rest: Partial<SampleRecord>): Promise<unknown> =>
      (await finding(subject, [sample(partsOf(subject), rest)]))[0]?.status;
    return [
      { name: 'the statuses are listed', run: async () => expect(documented).not.toEqual([]) },
      { name: 'a status unheard of', run: async () => expect(await read({ state: 'unheard of' })).toBe('unknown') },
      ...documented.map(([status, meaning]) => ({
        name: `the status "${status}"`,
        run: async () => expect(await read({ status })).toBe(meaning),
      })),
    ];
  },
};

/** Records that fill two and a half pages, newest first. Groups of records with the same time cross the page ends. */
function manyRecords(parts: HistoryParts): SampleRecord[] {
  const { pageSize, unitMs } = parts.history;
  const count = Math.ceil(pageSize * 2.5);
  const ties = Math.max(2, Math.floor(pageSize / 3));
  return Array.from({ length: count }, (_, index) => {
    const at = new Date(BEGIN.getTime() - Math.floor(index / ties) * unitMs);
    return sample(parts, { id: `record-${index}`, at, clientRef: `ref-${index}` });
  });
}

/** Records of which the oldest have the same time, and are on two pages, newest first. */
function recordsOfTheFirstMoment(parts: HistoryParts): SampleRecord[] {
  const { pageSize, unitMs } = parts.history;
  const ties = Math.max(1, Math.floor(pageSize / 3));
  return Array.from({ length: pageSize + ties }, (_, index) => {
    const at = new Date(BEGIN.getTime() - Math.min(index, pageSize - ties) * unitMs);
    return sample(parts, { id: `record-${index}`, at, clientRef: `ref-${index}` });
  });
}

export async function readAll(
  { history }: ExchangeSession,
  kind: HistoryKind,
  range: { since: Date; until: Date },
): Promise<HistoryRecord[]> {
  const records: HistoryRecord[] = [];
  let cursor: string | null = null;
  for (let pages = 0; pages < PAGES_MAX; pages++) {
    const page: Awaited<ReturnType<NonNullable<typeof history>['page']>> | undefined = await history?.page(
      kind,
      range,
      cursor,
    );
    if (page === undefined) throw new Error('the session has no history');
    expect(page.unreadable).toBe(0);
    records.push(...page.records);
    cursor = page.nextCursor;
    if (cursor === null) return records;
  }
  throw new Error(`the history has more than ${PAGES_MAX} pages`);
}

/** Expects all records of a range, whether the range is read page by page or as a whole. */
async function expectAll(subject: Subject, kind: HistoryKind, records: readonly SampleRecord[]): Promise<void> {
  const parts = historyPartsOf(subject);
  const times = records.map(({ at }) => at.getTime());
  const since = new Date(Math.min(...times));
  const until = new Date(Math.max(...times));
  await ContractBench.run(subject, async ({ open, stub }) => {
    const session = await open();
    stub.answer(parts.history.listing(kind, listed(parts, kind, records)));
    const ids = records.map(({ id }) => id).sort();
    // A page may begin with records of the page before. Readers of the history recognize such records by their ids.
    const paged = await readAll(session, kind, { since, until });
    const byId = new Map(paged.map((record) => [record.exchangeId, record]));
    // A connector that goes on from a wrong record of a page reads most records many times.
    expect(paged.length).toBeLessThanOrEqual(2 * records.length + 2);
    const isByHash = kind === 'deposit' && parts.history.depositsHaveNoIds === true;
    const found = [...byId].map(([id, { hash }]) => (isByHash ? (hash ?? '') : id));
    expect(found.sort()).toEqual(ids);
    if (kind === 'deposit' || session.withdrawals === undefined) return;
    const whole = await session.withdrawals.list(since);
    expect(whole.isComplete).toBe(true);
    expect(whole.records.map(({ exchangeId }) => exchangeId).sort()).toEqual(ids);
  });
}

const pages: Rule = {
  id: 'EX-32',
  title: 'no record is lost at the end of a page, also when several records have the same time',
  needs: ['history'],
  checks: (subject) => {
    const parts = historyPartsOf(subject);
    return (['withdrawal', 'deposit'] as const).map((kind) => ({
      name: `${kind}s`,
      run: () => expectAll(subject, kind, manyRecords(parts)),
    }));
  },
};

const windows: Rule = {
  id: 'EX-33',
  title: 'a period that is longer than one request allows is read in full',
  needs: ['history'],
  checks: (subject) => {
    const parts = historyPartsOf(subject);
    const { windowDays } = parts.history;
    const name =
      windowDays === null
        ? 'the exchange documents no longest period'
        : `one request covers at most ${windowDays} days`;
    // The records are half of the longest period apart, so that each request has some at the ends and in the middle.
    const step = ((windowDays ?? 60) * DAY_MS) / 2;
    const records = Array.from({ length: 8 }, (_, index) =>
      sample(parts, { id: `record-${index}`, clientRef: `ref-${index}`, at: new Date(BEGIN.getTime() - index * step) }),
    );
    return [{ name, run: () => expectAll(subject, 'withdrawal', records) }];
  },
};

const ranges: Rule = {
  id: 'EX-34',
  title: 'both ends of a period are part of it',
  needs: ['history'],
  checks: (subject) => {
    const parts = historyPartsOf(subject);
    return [
      {
        name: 'records at both ends',
        run: () =>
          expectAll(
            subject,
            'withdrawal',
            [0, 1].map((index) =>
              sample(parts, { id: `record-${index}`, at: new Date(BEGIN.getTime() - index * 3_600_000) }),
            ),
          ),
      },
      {
        name: 'records at the beginning that are on two pages',
        run: () => expectAll(subject, 'withdrawal', recordsOfTheFirstMoment(parts)),
      },
    ];
  },
};

const complete: Rule = {
  id: 'EX-35',
  title: 'a listing of withdrawals that has an unreadable entry or never ends is not taken as complete',
  needs: ['withdrawals'],
  checks: (subject) => {
    const parts = partsOf(subject);
    const bad: ListedEntry = { id: 'bad', at: BEGIN, entry: unreadable(parts) };
    const fails = (name: string, look: (session: ExchangeSession) => Promise<unknown>, isEndless: boolean): Check => ({
      name,
      run: () =>
        ContractBench.runManyCalls(subject, async ({ open, stub }) => {
          const session = await open();
          const { history } = parts;
          const other = sample(parts, { net: Amount.of('7.7'), clientRef: 'other' });
          const entry = history.entry('withdrawal', other);
          const listing = isEndless ? history.endless('withdrawal', entry) : history.listing('withdrawal', [bad]);
          stub.answer(listing);
          await expect(look(session)).rejects.toMatchObject(UNREADABLE);
          expect(stub.calls().length).toBeLessThan(REQUESTS_MAX);
        }),
    });
    const list = async (session: ExchangeSession): Promise<unknown> => {
      const listed = await session.withdrawals?.list(new Date(BEGIN.getTime() - DAY_MS));
      if (listed?.isComplete === false) throw new ExchangeError('unavailable', session.exchange, 'incomplete');
      return listed;
    };
    const search = async (session: ExchangeSession): Promise<unknown> =>
      find(session, await prepared(session, parts), parts, {});
    const isByMatch = async (session: ExchangeSession): Promise<unknown> => {
      // Only a search by match reads pages. For other exchanges, the check reads the list instead.
      if (session.withdrawals?.class === 'by_match') return search(session);
      return list(session);
    };
    return [
      fails('list: an entry that cannot be read', list, false),
      fails('list: an endless listing of the same page', list, true),
      fails('find: an entry that cannot be read', search, false),
      fails('find by match: an endless listing of the same page', isByMatch, true),
    ];
  },
};

/** The entry of a record with an amount that is no number. */
export function unreadable(parts: HistoryParts): unknown {
  const { net } = sample(parts);
  return withoutAmount(parts.history.entry('withdrawal', sample(parts)), net);
}

/**
 * Returns the entry with the text "much" in place of the amount, which may be a text or a number, with or without a
 * minus sign. @throws when the entry does not contain the amount
 */
export function withoutAmount(entry: unknown, amount: Amount): unknown {
  const isAmount = (value: unknown): boolean =>
    (typeof value === 'string' || typeof value === 'number') && String(value).replace(/^-/, '') === amount.toString();
  const text = JSON.stringify(entry);
  const broken = JSON.stringify(JSON.parse(text, (_name, value: unknown) => (isAmount(value) ? 'much' : value)));
  if (broken === text) throw new Error('the entry of the contract does not contain the amount that arrives');
  return JSON.parse(broken);
}

export const historyRules: readonly Rule[] = [found, statuses, pages, windows, ranges, complete];
