import type { ExchangeSession, HistoryKind } from '../../port/exchange.port.js';
import type { ReceivedCall } from '../stub-exchange.js';
import { ContractBench } from './contract-bench.js';
import type { Subject } from './contract-subjects.js';
import {
  documentedHistories,
  undescribedHistories,
  type StatedPage,
  type StatedPeriod,
} from './documented-histories.js';
import type { SampleRecord } from './exchange-contract.js';
import { historyPartsOf, listed, sample } from './history-rules.js';
import type { Check, Rule } from './rule.js';

const DAY_MS = 86_400_000;
/** Maximum number of pages that a check reads. The requests of a longer reading differ from the expected ones. */
const PAGES_MAX = 10;
/** The length of a period, where the documentation names no longest one. */
const USUAL_PERIOD_MS = 30 * DAY_MS;
/** The longest period of a search by reference has passed since. */
const SEARCHED_BACK_MS = 100 * DAY_MS;
/** The parameters of signed requests, which other rules check. At Gemini, `timestamp` selects records instead. */
const SIGNING: ReadonlySet<string> = new Set(['nonce', 'recvWindow', 'request', 'signature', 'timestamp']);

/** The parameters of a request that select records. @param documented the expected parameters */
function statedIn({ params, json }: ReceivedCall, documented: StatedPage = {}): StatedPage {
  const members: Readonly<Record<string, unknown>> = { ...params, ...(json as object | undefined) };
  const own = Object.entries(members).filter(([name]) => !SIGNING.has(name) || Object.hasOwn(documented, name));
  return Object.fromEntries(own.map(([name, value]) => [name, String(value)]));
}

function documentedOf({ declaration, contract }: Subject) {
  const { id } = declaration.spec;
  const [route = ''] = Object.keys(contract.history?.listing('deposit', []) ?? {});
  return documentedHistories[route.includes('/v3/') && id === 'bitget' ? 'bitget-unified' : id];
}

async function readPages({ history }: ExchangeSession, kind: HistoryKind, { since, until }: StatedPeriod) {
  if (history === undefined) throw new Error('the session has no history');
  let cursor: string | null = null;
  for (let pages = 0; pages < PAGES_MAX; pages++) {
    ({ nextCursor: cursor } = await history.page(kind, { since: new Date(since), until: new Date(until) }, cursor));
    if (cursor === null) return;
  }
}

/** Reads two periods, the newer of which has more than one page of records. */
function pagesCheck(subject: Subject, kind: HistoryKind): Check {
  const run = async ({ open, stub }: ContractBench): Promise<void> => {
    const parts = historyPartsOf(subject);
    const documented = documentedOf(subject);
    if (documented === undefined) throw new Error('the requests are not described');
    const { period, pages, periodMs } = documented;
    // Neither end is a whole second.
    const until = Math.floor(Date.now() / 1_000) * 1_000 - DAY_MS + 700;
    const newer = { since: until - (periodMs ?? USUAL_PERIOD_MS) + 1, until };
    const older = { since: newer.since - 5 * DAY_MS, until: newer.since - 1 };
    const newest = Math.floor(until / 1_000) * 1_000 - 60_000;
    const records = Array.from({ length: Math.ceil(parts.history.pageSize * 1.2) }, (_, index): SampleRecord => {
      return sample(parts, { id: `record-${index}`, clientRef: `ref-${index}`, at: new Date(newest - index * 1_000) });
    });
    const requestsOf = (of: StatedPeriod, found: readonly SampleRecord[]): StatedPage[] =>
      pages(found, kind).map((page) => ({ ...period(of), ...page }));

    const session = await open();
    const answers = parts.history.listing(kind, listed(parts, kind, records));
    const expected = [...requestsOf(newer, records), ...requestsOf(older, [])];
    const stated = (): StatedPage[] =>
      stub.calls().flatMap((call) => (Object.hasOwn(answers, call.route) ? [statedIn(call, expected[0])] : []));
    stub.answer(answers);
    if (periodMs === null) {
      await readPages(session, kind, newer);
      stub.answer(parts.history.listing(kind, []));
      await readPages(session, kind, older);
    } else await readPages(session, kind, { since: older.since, until });
    expect(stated()).toEqual(expected);
  };
  return { name: `${kind}s on two pages and in two periods`, run: () => ContractBench.run(subject, run) };
}

function searchCheck(subject: Subject): Check[] {
  const search = documentedOf(subject)?.search;
  const { withdrawals: data, history } = subject.contract;
  if (search === undefined || data === undefined || history === undefined) return [];
  const run = async ({ open, stub }: ContractBench): Promise<void> => {
    const session = await open();
    const { withdrawals } = session;
    if (withdrawals === undefined) throw new Error('the session has no withdrawals');
    const { request, clientRef } = await withdrawals.prepare(data.instruction);
    if (clientRef === null) throw new Error('the withdrawal has no reference');
    const { asset, network } = data.instruction;
    const notBefore = new Date(Date.now() - SEARCHED_BACK_MS);
    const answers = history.listing('withdrawal', []);
    stub.forget();
    stub.answer(answers);
    await withdrawals.find({ asset, network, request, clientRef, exchangeId: null, notBefore });
    const [first] = stub.calls().filter(({ route }) => Object.hasOwn(answers, route));
    expect(first === undefined ? {} : statedIn(first)).toEqual(search(clientRef, notBefore.getTime()));
  };
  return [{ name: 'the search for a withdrawal by our reference', run: () => ContractBench.run(subject, run) }];
}

const bounds: Rule = {
  id: 'EX-58',
  title: 'the requests of a history state the period, the size of a page and its place as documented, and nothing else',
  needs: ['history'],
  checks: (subject) => {
    const { id } = subject.declaration.spec;
    const { [id]: reason } = undescribedHistories;
    if (reason === undefined)
      return [pagesCheck(subject, 'deposit'), pagesCheck(subject, 'withdrawal'), ...searchCheck(subject)];
    const run = async (): Promise<void> => expect(documentedHistories[id]).toBeUndefined();
    return [{ name: `the requests are not described: ${reason}`, run }];
  },
};

export const historyRequestRules: readonly Rule[] = [bounds];
