import { isDeepStrictEqual } from 'node:util';
import { contractSubjects, type Subject } from '../testing/contract/contract-subjects.js';
import { ContractBench } from '../testing/contract/contract-bench.js';
import type { Answers, Reply } from '../testing/contract/exchange-contract.js';
import { tryFieldMutants, type FieldMutant } from '../testing/contract/field-mutants.js';
import {
  HISTORY_KINDS,
  SAMPLE_ORDERS,
  fieldsOf,
  orderFieldsOf,
  plainOrder,
  readEntry,
  transferOf,
} from '../testing/contract/field-rules.js';
import { withOrder } from '../testing/contract/order-rules.js';
import type { ReceivedCall } from '../testing/stub-exchange.js';
import { exchanges } from './exchanges.js';

const subjects = await contractSubjects(Object.values(exchanges));

/** Faults that no sample can show, or that other tests find, each with the reason. */
const EXCLUDED: readonly { readonly pattern: RegExp; readonly reason: string }[] = [
  {
    pattern:
      /^(feeCcy|feeCurrency|network.transaction_(fee|amount).currency) in place of (ccy|currency|amount.currency)$/,
    reason: 'A fee that counts is in the asset of the record; EX-37 has a record whose fee is in another asset.',
  },
  {
    pattern:
      /^(ccy|currency|amount.currency|network.transaction_amount.currency) in place of (feeCcy|feeCurrency|network.transaction_fee.currency)$/,
    reason: 'As above.',
  },
  {
    pattern: /in place of network.transaction_amount.currency$/,
    reason: 'The reader only compares the amount in this currency with the debit.',
  },
  { pattern: /in place of eid$/, reason: 'A withdrawal of Gemini has its id in another field.' },
  { pattern: /in place of 0.id$/, reason: 'The id of a trade requests the next page (binance.spec.ts).' },
  {
    pattern:
      /^(trades.0.(price|amount) in place of (avg_execution_price|executed_amount)|(avg_execution_price|executed_amount) in place of trades.0.(price|amount))$/,
    reason: 'An order with one trade has the price and the volume of this trade.',
  },
  {
    pattern: /^(point_fee|gt_fee) in place of (avg_deal_price|point_fee|gt_fee)$/,
    reason: 'They are zero in the sample; gate.spec.ts has an order with both.',
  },
];

const namesOf = (missed: readonly FieldMutant[]): string[] =>
  missed.map(({ name }) => name).filter((name) => !EXCLUDED.some(({ pattern }) => pattern.test(name)));

interface Verdict {
  readonly missed: readonly string[];
  readonly total: number;
}

async function ofTransfers(subject: Subject): Promise<Verdict> {
  const missed: string[] = [];
  let total = 0;
  await ContractBench.run(subject, async ({ open, stub }) => {
    const parts = { session: await open(), stub, subject };
    for (const kind of HISTORY_KINDS) {
      const documented = transferOf(subject, kind);
      const { entry: sample } = documented;
      const expected = fieldsOf(kind, documented);
      const tried = await tryFieldMutants({
        sample,
        isFound: async (change) =>
          !isDeepStrictEqual(withoutAbsent(await readEntry(parts, kind, change(sample)).catch(() => null)), expected),
      });
      total += tried.total;
      missed.push(...namesOf(tried.missed).map((name) => `${kind}: ${name}`));
    }
  });
  return { missed, total };
}

function withoutAbsent(record: object | null): object | null {
  return record === null ? null : Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined));
}

/** Answers in which a function changes the body of each response of one route. */
function changed(answers: Answers, changedRoute: string, change: (body: unknown) => unknown): Answers {
  return Object.fromEntries(
    Object.entries(answers).map(([route, answer]) => [
      route,
      (call: ReceivedCall): Reply => {
        const reply = typeof answer === 'function' ? answer(call) : answer;
        if (route !== changedRoute) return reply;
        return { ...reply, body: JSON.stringify(change(JSON.parse(reply.body))) };
      },
    ]),
  );
}

/** Tries mutants of the responses that contain an order. @param only the names of the mutants; absent = all */
async function ofOrder(subject: Subject, sample: (typeof SAMPLE_ORDERS)[number], only?: string[]): Promise<Verdict> {
  const missed: string[] = [];
  let total = 0;
  const check = async ({ order, answer, read }: Parameters<Parameters<typeof withOrder>[1]>[0]): Promise<void> => {
    const answers = subject.contract.orders?.listing([order]) ?? {};
    const expected = orderFieldsOf(subject, order, sample.state);
    for (const route of Object.keys(answers)) {
      let body: unknown = null;
      answer(changed(answers, route, (own) => (body = own)));
      await read();
      if (body === null) continue;
      const tried = await tryFieldMutants({
        sample: body,
        isFound: async (change) => {
          answer(changed(answers, route, (own) => (isDeepStrictEqual(own, body) ? change(own) : own)));
          return !isDeepStrictEqual(await read().then(plainOrder, () => null), expected);
        },
      });
      total += tried.total;
      missed.push(...namesOf(tried.missed));
    }
  };
  await withOrder(subject, check, sample);
  return { missed: only === undefined ? missed : missed.filter((name) => only.includes(name)), total };
}

/** Tries the mutants with one order, and those that it misses with the other orders. */
async function ofOrders(subject: Subject): Promise<Verdict> {
  const [first, ...others] = [...SAMPLE_ORDERS].reverse();
  if (subject.contract.orders === undefined || first === undefined) return { missed: [], total: 0 };
  let verdict = await ofOrder(subject, first);
  for (const other of others) {
    if (verdict.missed.length === 0) break;
    const again = await ofOrder(subject, other, [...verdict.missed]);
    verdict = { missed: again.missed, total: verdict.total };
  }
  return verdict;
}

describe('the documented records and orders', () => {
  it.each(subjects.map((subject) => [subject.name, subject] as const))(
    'of %s detect a reader that leaves out, changes or exchanges any field',
    async (_name, subject) => {
      const [transfers, orders] = [await ofTransfers(subject), await ofOrders(subject)];
      expect([...transfers.missed, ...orders.missed]).toEqual([]);
      expect(transfers.total).toBeGreaterThan(100);
    },
  );
});
