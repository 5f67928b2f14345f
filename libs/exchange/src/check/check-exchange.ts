import { pino, type Logger } from 'pino';
import type { Clock } from '#platform/clock';
import type { Config } from '#platform/config';
import { Metrics } from '#platform/metrics';
import type { ExchangeDeclaration } from '../declaration/exchange-declaration.js';
import { MemoryNonces } from '../nonces/memory-nonces.js';
import { ExchangeError } from '../port/exchange-error.js';
import type { ExchangeCredentials, ExchangeSession, KeyInfo } from '../port/exchange.port.js';
import { liveUrlOf } from '../registry/base-url.js';
import { findExchange, otherHosts } from '../registry/exchanges.js';
import { Exchanges } from '../registry/exchanges.service.js';
import { CallBudgets } from '../transport/call-budget.js';
import type { CheckedStep, CheckReport, Difference } from './check-report.js';
import { loadReadingCalls, type ReadingCalls } from './documented-forms.js';
import {
  clockDifferenceOf,
  differencesOfCall,
  limitHeadersOf,
  unmappedNetworks,
  wrongLimitHeaders,
} from './find-differences.js';
import { readEverything, type ReadingStep } from './reading-steps.js';
import { RecordingTransport, type ObservedCall } from './recording-transport.js';

export interface CheckedAccount {
  readonly exchange: string;
  readonly credentials: ExchangeCredentials;
  /** The asset whose deposit addresses are read. */
  readonly asset: string;
  /** Whether to go on with a key that can do more than read. */
  readonly acceptsAnyKey: boolean;
}

/** The report, and the calls that a recording is made of. */
export interface CheckResult {
  readonly report: CheckReport;
  readonly calls: readonly ObservedCall[];
  readonly readings: ReadingCalls;
  /** When the check began. */
  readonly now: Date;
  readonly asset: string;
}

/**
 * Compares an exchange with its documentation: calls every reading method of the connector with an owner's key, by the
 * same code as in production. Nothing is stored, and no request is sent that is not a reading call.
 * @throws ExchangeError when the exchange or its site does not exist, or when a credential is missing
 */
export async function checkExchange(config: Config, clock: Clock, account: CheckedAccount): Promise<CheckResult> {
  const { exchange: id, credentials, acceptsAnyKey, asset } = account;
  const declaration = findExchange(id);
  const host = declaration === null ? null : liveUrlOf(declaration, config, credentials.apiRegion?.reveal());
  if (declaration === null || host === null)
    throw new ExchangeError('unavailable', id, 'this exchange cannot be checked');
  const readings = await loadReadingCalls(id);
  const now = clock.now();
  const transport = new RecordingTransport(limitsOf(config), readings, () => clock.now().getTime());
  const unreadable: Difference[] = [];
  const remarks: string[] = [];
  try {
    const session = await openSession({ config, clock, transport, logger: reportingTo(unreadable) }, account);
    const more: string[] = [];
    const goesOn = (keyInfo: KeyInfo | null, { error, calls }: ReadingStep): boolean => {
      if (keyInfo === null)
        return !REFUSES_THE_KEY.has(error?.kind ?? '') && calls.some(({ status }) => status !== null);
      more.push(...judgePermissions(declaration, keyInfo, (remark) => remarks.push(remark)));
      return acceptsAnyKey || more.length === 0;
    };
    const pair = readings.pair;
    const remark = (text: string): void => void remarks.push(text);
    const steps = await readEverything({ session, transport, now, asset, pair, remark }, goesOn);
    const { calls } = transport;
    const limitHeaders = limitHeadersOf(calls, declaration.limits);
    const clockDifferenceMs = clockDifferenceOf(calls);
    const report: CheckReport = {
      exchange: id,
      connector: session.connectorVersion,
      host: new URL(host).host,
      morePermissions: more,
      remarks,
      outcome: outcomeOf(steps, more.length > 0 && !acceptsAnyKey),
      clockDifferenceMs,
      limitHeaders,
      steps: steps.map((step) => toChecked(step, declaration, readings)),
      general: [
        ...clockDifference(clockDifferenceMs, config.values.CLOCK_DIFFERENCE_MAX_MS),
        ...wrongLimitHeaders(limitHeaders, declaration.limits),
        ...steps.flatMap(failureOf),
        ...unreadable,
        ...unmappedNetworks(calls, declaration, readings),
      ],
    };
    return { report, calls, readings, now, asset };
  } finally {
    await transport.close();
  }
}

/** After these errors, every other call with the key would fail, too. */
const REFUSES_THE_KEY: ReadonlySet<string> = new Set(['credentials_invalid', 'ip_not_allowed']);

const limitsOf = ({ values, constants }: Config) => ({
  connectTimeoutMs: values.EXCHANGE_TIMEOUT_MS,
  responseMaxBytes: constants.EXCHANGE_RESPONSE_MAX_BYTES,
  otherHosts,
});

interface SessionParts {
  readonly config: Config;
  readonly clock: Clock;
  readonly transport: RecordingTransport;
  readonly logger: Logger;
}

/** Opens a session as the API and the worker do. Only the transport records, and nonces are in memory. */
function openSession(
  { config, clock, transport, logger }: SessionParts,
  { exchange, credentials }: CheckedAccount,
): Promise<ExchangeSession> {
  const nonces = new MemoryNonces(clock);
  const budgets = new CallBudgets(clock, config);
  const exchanges = new Exchanges(config, clock, new Metrics(), nonces, transport, budgets, logger);
  return exchanges.openFresh({ exchange, mode: 'live', credentials, credentialId: 'check' });
}

/** Returns a logger that collects the connector's warnings about unreadable entries as differences. */
function reportingTo(unreadable: Difference[]): Logger {
  return pino(
    { level: 'warn' },
    {
      write: (line: string) => {
        const { list, count, cause } = JSON.parse(line) as { list?: string; count?: number; cause?: string };
        if (list === undefined || count === undefined) return;
        const detail = `${count} entries could not be read and were left out; first problem: ${cause ?? 'not known'}`;
        unreadable.push({ kind: 'unreadable', where: list, detail, count });
      },
    },
  );
}

/** @returns the permissions of the key that allow more than reading */
function judgePermissions(
  { spec }: ExchangeDeclaration,
  { permissions }: KeyInfo,
  remark: (text: string) => void,
): string[] {
  const accessOf = (permission: string) =>
    Object.hasOwn(spec.permissionAccess, permission) ? spec.permissionAccess[permission] : undefined;
  const unknown = permissions.filter((permission) => accessOf(permission) === undefined);
  if (permissions.length === 0)
    remark('the exchange does not report what the key may do; use a key that can only read');
  if (unknown.length > 0)
    remark(`permissions of the key whose meaning the connector does not know: ${unknown.join(', ')}`);
  return permissions.filter(
    (permission) => accessOf(permission)?.some((access) => access === 'trade' || access === 'withdrawal') === true,
  );
}

function outcomeOf(steps: readonly ReadingStep[], movesMoney: boolean): CheckReport['outcome'] {
  if (movesMoney) return 'key_moves_money';
  const [key] = steps;
  return steps.length === 1 && key?.error !== null ? 'not_run' : 'checked';
}

function toChecked(
  { name, made, error, calls }: ReadingStep,
  declaration: ExchangeDeclaration,
  readings: ReadingCalls,
): CheckedStep {
  return {
    name,
    made,
    failure: error === null ? null : describe(error),
    calls: calls.map((call) => ({
      request: call.sentTo,
      parameters: Object.keys(call.parameters),
      status: call.status,
      tookMs: Math.round(call.tookMs),
      differences: differencesOfCall(call, declaration, readings),
    })),
  };
}

const describe = ({ kind, message, reason }: ExchangeError): string =>
  `${kind}${reason === undefined ? '' : ` (${reason})`}: ${message}`;

/** A refusal is about the request, such as a method that an account of this kind does not offer. */
function failureOf({ name, error }: ReadingStep): Difference[] {
  return error === null || error.kind === 'refused'
    ? []
    : [{ kind: 'failed', where: name, detail: describe(error), count: 1 }];
}

function clockDifference(differenceMs: number | null, maxMs: number): Difference[] {
  if (differenceMs === null || Math.abs(differenceMs) <= maxMs) return [];
  const detail = `our clock is ${Math.abs(differenceMs)} ms ${differenceMs > 0 ? 'ahead of' : 'behind'} the exchange's`;
  return [{ kind: 'clock', where: 'Date', detail, count: 1 }];
}
