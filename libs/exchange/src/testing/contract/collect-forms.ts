import { pino } from 'pino';
import { Clock } from '#platform/clock';
import { loadConfig } from '#platform/config';
import { Metrics } from '#platform/metrics';
import type { ReadingCall, ReadingCalls } from '../../check/documented-forms.js';
import { FormBuilder } from '../../check/json-form.js';
import { readEverything } from '../../check/reading-steps.js';
import { toRecording, type Recording } from '../../check/recording.js';
import { RecordingTransport } from '../../check/recording-transport.js';
import { MemoryNonces } from '../../nonces/memory-nonces.js';
import type { Nonces } from '../../nonces/nonces.js';
import type { ExchangeSession, HistoryKind } from '../../port/exchange.port.js';
import { CallBudgets } from '../../transport/call-budget.js';
import { CallMeter } from '../../transport/call-meter.js';
import { parseBody, refusalsIn } from '../../transport/error-map.js';
import { UnreadableEntries } from '../../transport/list-reader.js';
import type { Subject } from './contract-subjects.js';
import { ContractStub } from './contract-stub.js';
import { documentedStatuses } from './documented-statuses.js';
import type { ExchangeContract, SampleOrder, SampleRecord } from './exchange-contract.js';
import { historyPartsOf, listed, sample } from './history-rules.js';

/** Collects the documented forms of the reading calls of exchanges from the data of the contract suite. */
export async function collectForms(subjects: readonly Subject[]): Promise<Record<string, ReadingCalls>> {
  const collected: Record<string, ReadingCalls> = {};
  for (const subject of subjects) {
    const { id } = subject.declaration.spec;
    const before = collected[id];
    const { pair, codes, calls } = await collectFrom(subject);
    collected[id] = {
      pair: before?.pair ?? pair,
      codes: [...new Set([...(before?.codes ?? []), ...codes])],
      calls: { ...calls, ...before?.calls },
    };
  }
  return collected;
}

/**
 * Runs every reading method of a connector at an exchange that responds as documented. The calls that arrive are the
 * reading calls: the transport sends no submission, and no reading method creates anything.
 */
async function collectFrom(subject: Subject): Promise<ReadingCalls> {
  const { contract } = subject;
  const stub = await ContractStub.start(contract);
  const clock = new Clock();
  const pair = contract.orders?.instruction.exchangeSymbol ?? null;
  const transport = new RecordingTransport(LIMITS, { calls: documentedCalls(contract), codes: [], pair }, Date.now);
  const opening = { transport, url: stub.url, clock, nonces: new MemoryNonces(clock) };
  try {
    const asset = contract.deposits?.asset ?? 'BTC';
    const parts = { transport, now: clock.now(), asset, pair, remark: () => undefined };
    await readEverything({ ...parts, session: await openOver(subject, opening) });
    // Listings of records may leave out assets without records, and a connector keeps lists for some minutes.
    for (const kind of ['deposit', 'withdrawal'] as const) {
      answerRecords(subject, kind, stub);
      await readEverything({ ...parts, session: await openOver(subject, opening) });
    }
    const session = await openOver(subject, opening);
    if (contract.withdrawals?.tagged != null) await session.withdrawals?.prepare(contract.withdrawals.tagged);
    await readOrders(session, contract, stub);
    if (stub.problems.length > 0) throw new Error(`${subject.declaration.spec.id}: ${stub.problems.join('; ')}`);
    return { pair, codes: codesOf(subject, transport), calls: formsOf(subject, transport) };
  } finally {
    await transport.close();
    await stub.close();
  }
}

const LIMITS = { connectTimeoutMs: 10_000, responseMaxBytes: 10_000_000 };

/** All documented calls. The transport still refuses submissions, and parameters that create something. */
function documentedCalls({ calls }: ExchangeContract): Record<string, ReadingCall> {
  return Object.fromEntries(
    Object.entries(calls).map(([route, { parameters, createsBy, isPublic }]) => [
      route,
      {
        parameters: Object.keys(parameters).filter((name) => name !== createsBy),
        ...(isPublic === true && { isPublic }),
        form: {},
        values: {},
      },
    ]),
  );
}

interface Opening {
  readonly transport: RecordingTransport;
  readonly url: string;
  readonly clock: Clock;
  /** All sessions of one credential take their nonces here. */
  readonly nonces: Nonces;
}

/** Opens a session of the contract's first account, over a transport that sends only reading calls. */
export async function openOver({ declaration, contract }: Subject, opening: Opening): Promise<ExchangeSession> {
  const { transport, url, clock, nonces } = opening;
  const fast = { EXCHANGE_CALLS_PER_SECOND: '1000', EXCHANGE_CALLS_BURST: '1000' };
  const config = loadConfig({ ...fast, ...contract.settings });
  const metrics = new Metrics();
  const silent = pino({ level: 'silent' });
  const connector = declaration.load(url, {
    transport,
    clock,
    config,
    meter: new CallMeter(metrics, silent),
    budgets: new CallBudgets(clock, config),
    nonces,
    unreadable: new UnreadableEntries(metrics, silent),
  });
  return connector.open(contract.credentials[0], 'forms');
}

/** The redacted recording of a check at an exchange that responds as documented. */
export async function recordDocumented(subject: Subject, readings: ReadingCalls): Promise<Recording> {
  const stub = await ContractStub.start(subject.contract);
  const clock = new Clock();
  const transport = new RecordingTransport(LIMITS, readings, Date.now);
  try {
    if (subject.contract.history !== undefined) answerRecords(subject, 'withdrawal', stub);
    const asset = subject.contract.deposits?.asset ?? 'BTC';
    const session = await openOver(subject, { transport, url: stub.url, clock, nonces: new MemoryNonces(clock) });
    const { pair } = readings;
    const steps = await readEverything({ session, transport, now: clock.now(), asset, pair, remark: () => undefined });
    const report = {
      exchange: subject.declaration.spec.id,
      connector: session.connectorVersion,
      steps: steps.map(({ name, error }) => ({ name, failure: error === null ? null : error.message })),
    };
    return toRecording({ report, calls: transport.calls, readings, now: clock.now(), asset });
  } finally {
    await transport.close();
    await stub.close();
  }
}

const HOUR_MS = 3_600_000;

/** Makes the stub list a record of each state and of each documented status. */
function answerRecords(subject: Subject, kind: HistoryKind, stub: ContractStub): void {
  const { history } = subject.contract;
  // Some exchanges count in whole seconds.
  const now = Math.floor(Date.now() / 1_000) * 1_000;
  if (history === undefined) return;
  const parts = historyPartsOf(subject);
  const statuses = Object.keys(documentedStatuses[subject.declaration.spec.id] ?? {});
  const variants: Partial<SampleRecord>[] = [
    ...(['completed', 'pending', 'failed'] as const).map((state) => ({ state })),
    ...(kind === 'withdrawal' ? statuses.map((status) => ({ status })) : []),
  ];
  const records = variants.map((variant, at) =>
    sample(parts, { ...variant, id: String(1_000 + at), at: new Date(now - (at + 1) * HOUR_MS) }),
  );
  stub.answer(history.listing(kind, listed(parts, kind, records)));
}

const EXECUTED = { open: '0', 'partly executed': '1.5', filled: '2.5', canceled: '1.5' } as const;

/** Finds and reads an order of each state. */
async function readOrders(
  { trading }: ExchangeSession,
  { orders }: ExchangeContract,
  stub: ContractStub,
): Promise<void> {
  if (trading === undefined || orders === undefined) return;
  const now = Date.now();
  for (const state of ['open', 'partly executed', 'filled', 'canceled'] as const) {
    const order: SampleOrder = {
      exchangeId: orders.exchangeIds[0] ?? '',
      clientOrderId: trading.newClientOrderId('ours'),
      state,
      at: new Date(now - 30_000),
      side: 'buy',
      volume: '2.5',
      executed: EXECUTED[state],
      averagePrice: state === 'open' ? '0' : '2',
      limitPrice: '2.15',
      fee: state === 'open' ? '0' : '0.003',
      feeAsset: orders.feeAsset,
    };
    stub.answer(orders.listing([order]));
    const { exchangeId, clientOrderId } = order;
    const instruction = { ...orders.instruction, clientOrderId, submissionDeadline: new Date(now) };
    const { request } = trading.prepare(instruction);
    const notBefore = new Date(now - 60_000);
    await trading.find({ clientOrderId, request, notBefore });
    await trading.read({ exchangeId, request, notBefore });
  }
}

/** An id of the documented account in a route. */
const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/;

/** The calls that arrived, with the form of the successful responses. */
function formsOf({ contract, declaration }: Subject, { calls }: RecordingTransport): Record<string, ReadingCall> {
  const documented = documentedCalls(contract);
  const names = [...new Set(calls.map(({ route }) => route.replace(UUID, '{id}')))].sort();
  return Object.fromEntries(
    names.map((name) => {
      const builder = new FormBuilder();
      const own = calls.filter(({ route }) => route.replace(UUID, '{id}') === name);
      for (const { status, body } of own) {
        const isAnswer =
          status !== null && status < 300 && refusalsIn(declaration.errors, { status, body }).length === 0;
        if (isAnswer) builder.add(parseBody(body));
      }
      for (const route of new Set(own.map((call) => call.route))) {
        for (const [path, values] of Object.entries(contract.calls[route]?.also ?? {}))
          for (const value of values) builder.addAt(path, value);
      }
      const [first] = own;
      const { parameters = [], isPublic } = documented[first?.route ?? ''] ?? {};
      const forms = { form: builder.form(), values: builder.fixedValues() };
      return [name, { parameters, ...(isPublic === true && { isPublic }), ...forms }];
    }),
  );
}

const REFUSAL_TEXT_MAX = 80;

/** The codes, the names of fields and the short texts of all documented refusals. */
function codesOf({ contract, declaration }: Subject, { calls }: RecordingTransport): string[] {
  const answered = calls.flatMap(({ status, body }) => (status === null ? [] : [{ status, body }]));
  const refused = answered.filter((reply) => reply.status >= 300 || refusalsIn(declaration.errors, reply).length > 0);
  const bodies = [...contract.refusals.map(({ reply }) => reply), ...refused].map(({ body }) => parseBody(body));
  const codes = bodies.flatMap((body) => declaration.errors.errorsIn(body).map(({ code }) => code));
  const texts = bodies.flatMap(textsIn).filter((text) => text.length <= REFUSAL_TEXT_MAX && /[A-Za-z]/.test(text));
  return [...new Set([...codes, ...texts])].sort();
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return [...(Array.isArray(value) ? [] : Object.keys(value)), ...Object.values(value).flatMap(textsIn)];
}
