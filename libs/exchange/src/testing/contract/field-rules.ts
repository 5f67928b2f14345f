import { Amount } from '#money';
import type { ExchangeSession, HistoryKind, HistoryRecord } from '../../port/exchange.port.js';
import type { ExchangeOrder } from '../../port/trading.port.js';
import { ContractBench } from './contract-bench.js';
import type { Subject } from './contract-subjects.js';
import type { ContractStub } from './contract-stub.js';
import { documentedOrderForms, type DocumentedOrderForm } from './documented-order-forms.js';
import { documentedOrders, type DocumentedOrder } from './documented-orders.js';
import type { DocumentedTransfer } from './documented-transfer.js';
import { documentedTransfers } from './documented-transfers.js';
import type { SampleOrder } from './exchange-contract.js';
import { answersWithFields } from './with-fields.js';
import { withOrder } from './order-rules.js';
import type { Check, Rule } from './rule.js';

export const HISTORY_KINDS: readonly HistoryKind[] = ['withdrawal', 'deposit'];
const HOUR_MS = 3_600_000;

/** The name of a contract in the tables of documented records, requests and orders. */
export function nameOf({ contract, declaration }: Subject): string {
  return contract.documentedAs ?? declaration.spec.id;
}

/** The documented record of a kind. */
export function transferOf(subject: Subject, kind: HistoryKind): DocumentedTransfer {
  const documented = documentedTransfers[nameOf(subject)];
  if (documented === undefined) throw new Error(`documented-transfers.ts has no ${nameOf(subject)}`);
  return documented[kind];
}

function plainRecord({ amount, fee, at, ...rest }: HistoryRecord): object {
  return { ...rest, amount: amount.toString(), fee: fee?.toString() ?? null, at: at.toISOString() };
}

/** Reads an entry in the history of an account that has only this entry; null = the entry is unreadable. */
export async function readEntry(
  { session, stub, subject }: { session: ExchangeSession; stub: ContractStub; subject: Subject },
  kind: HistoryKind,
  entry: unknown,
): Promise<object | null> {
  const { expected } = transferOf(subject, kind);
  const at = new Date(expected.at);
  const listed = [{ id: expected.exchangeId, at, entry }];
  stub.answer(subject.contract.history?.listing(kind, listed) ?? {});
  const range = { since: new Date(at.getTime() - HOUR_MS), until: new Date(at.getTime() + HOUR_MS) };
  const page = await session.history?.page(kind, range, null);
  const [record] = page?.records ?? [];
  return record === undefined ? null : plainRecord(record);
}

/** The fields that the documented entry means. */
export function fieldsOf(kind: HistoryKind, { expected }: DocumentedTransfer): object {
  return { kind, status: 'ok', ...expected };
}

function transferCheck(subject: Subject, kind: HistoryKind, documented: DocumentedTransfer): Check {
  const { entry, expected, statuses } = documented;
  const [field, known] = Object.entries(entry).find(([, value]) => String(value) === expected.rawStatus) ?? [];
  return {
    name: `a documented ${kind}, with each documented status`,
    run: () =>
      ContractBench.run(subject, async ({ open, stub }) => {
        const parts = { session: await open(), stub, subject };
        expect(await readEntry(parts, kind, entry)).toEqual(fieldsOf(kind, documented));
        for (const [rawStatus, status] of Object.entries(statuses)) {
          const changed = { ...entry, [field ?? '']: typeof known === 'number' ? Number(rawStatus) : rawStatus };
          expect(await readEntry(parts, kind, changed)).toEqual({ ...fieldsOf(kind, documented), rawStatus, status });
        }
      }),
  };
}

/** All fields of an order except the unconverted response. */
export function plainOrder({ raw: _raw, ...order }: ExchangeOrder): object {
  const texts = Object.entries(order).map(([name, value]) => [name, value instanceof Amount ? String(value) : value]);
  const fees = order.fees?.map(({ asset, amount }) => [asset, amount.toString()]) ?? null;
  return Object.assign({}, Object.fromEntries(texts) as object, { fees });
}

const STATUSES = { 'partly executed': 'open', filled: 'filled', canceled: 'canceled' } as const;
type State = keyof typeof STATUSES;

/** The fields that an order of the contract means. */
export function orderFieldsOf(subject: Subject, order: SampleOrder, state: State): object {
  const documented = orderOf(subject);
  const { exchangeId, clientOrderId, at, side, volume, limitPrice, executed, averagePrice, fee, feeAsset } = order;
  const { pair, sides, type, rawStatuses, endsAfterMs } = documented;
  const hasEnd = state !== 'partly executed' && endsAfterMs !== null;
  return {
    exchangeId,
    clientOrderId,
    status: STATUSES[state],
    rawStatus: rawStatuses[state],
    volume,
    limitPrice: subject.contract.orders?.hidesLimitPrice === true ? null : limitPrice,
    executedVolume: executed,
    averagePrice,
    cost: Amount.of(executed).times(Amount.of(averagePrice)).toString(),
    fees: [[feeAsset, fee]],
    openedAt: at,
    closedAt: hasEnd ? new Date(at.getTime() + endsAfterMs) : null,
    description: { pair, side: sides[side], type },
  };
}

function orderOf(subject: Subject): DocumentedOrder {
  const documented = documentedOrders[nameOf(subject)];
  if (documented === undefined) throw new Error(`documented-orders.ts has no ${nameOf(subject)}`);
  return documented;
}

/** Orders whose values all differ. */
export const SAMPLE_ORDERS: readonly (Pick<SampleOrder, 'side' | 'executed'> & { readonly state: State })[] = [
  { side: 'buy', state: 'filled', executed: '2.5' },
  { side: 'sell', state: 'partly executed', executed: '1.5' },
  { side: 'buy', state: 'canceled', executed: '1.5' },
];

function formCheck(subject: Subject, form: DocumentedOrderForm): Check {
  const sample = SAMPLE_ORDERS.find(({ state }) => state === form.of);
  if (sample === undefined) throw new Error(`there is no sample of an order that is ${form.of}`);
  return {
    name: `an order that is ${form.of}, with ${form.besidesIn === undefined ? '' : 'a further '}${JSON.stringify(form.fields)}`,
    run: () =>
      withOrder(
        subject,
        async ({ order, answer, read }) => {
          answer(answersWithFields(subject.contract.orders?.listing([order]) ?? {}, form.fields, form.besidesIn));
          if (form.expected === null) {
            await expect(read()).rejects.toMatchObject({ name: 'ExchangeError', kind: 'unavailable' });
            return;
          }
          expect(plainOrder(await read())).toEqual({
            ...orderFieldsOf(subject, order, sample.state),
            ...form.expected,
          });
        },
        sample,
      ),
  };
}

const fields: Rule = {
  id: 'EX-57',
  title: 'each field of a documented record or order is read as the documentation describes it',
  needs: ['history', 'trading'],
  checks: (subject) => {
    const { history, orders } = subject.contract;
    const kinds = history === undefined ? [] : HISTORY_KINDS;
    const samples = orders === undefined ? [] : SAMPLE_ORDERS;
    return [
      ...kinds.map((kind) => transferCheck(subject, kind, transferOf(subject, kind))),
      ...samples.map((sample) => ({
        name: `an order to ${sample.side} that is ${sample.state}`,
        run: () =>
          withOrder(
            subject,
            async ({ order, answer, find, read }) => {
              answer(orders?.listing([order]) ?? {});
              const expected = orderFieldsOf(subject, order, sample.state);
              for (const found of [await find(), await read()])
                expect(found === null ? null : plainOrder(found)).toEqual(expected);
            },
            sample,
          ),
      })),
      ...(orders === undefined ? [] : (documentedOrderForms[nameOf(subject)] ?? [])).map((form) =>
        formCheck(subject, form),
      ),
    ];
  },
};

export const fieldRules: readonly Rule[] = [fields];
