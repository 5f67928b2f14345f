import { openSync, readFileSync, closeSync, writeSync } from 'node:fs';
import { z } from 'zod';
import { VERSION } from '#platform/config';
import { listTokenContracts } from '../networks/token-contracts.js';
import { findExchange } from '../registry/exchanges.js';
import { parseBody } from '../transport/error-map.js';
import type { CheckResult } from './check-exchange.js';
import type { CheckedStep, CheckReport } from './check-report.js';
import type { ReadingCalls } from './documented-forms.js';
import type { ObservedCall } from './recording-transport.js';
import { Redactor } from './redact.js';

/** Only the owner of the file may read it. */
const MODE = 0o600;
/** Parameters that are a part of the signature. */
const SIGNING = /^(signature|sign|nonce|tonce|timestamp|recv_?window|request|account)$/i;
const PUBLISHED_TEXT_MAX = 60;

const recordingSchema = z.strictObject({
  /** Version of this format. */
  format: z.literal(1),
  exchange: z.string().regex(/^[a-z][a-z0-9-]{1,39}$/),
  /** Version of Causeway, and the name and version of the connector. */
  causeway: z.string(),
  connector: z.string(),
  /** The day of the check, in UTC. */
  day: z.iso.date(),
  /** The asset whose deposit addresses were read. */
  asset: z.string(),
  /** The reading methods that failed. */
  failed: z.array(z.string()),
  calls: z.array(
    z.strictObject({
      route: z.string(),
      parameters: z.record(z.string(), z.string()),
      status: z.number().int(),
      /** The body as JSON; null = it was no JSON. */
      body: z.string().nullable(),
    }),
  ),
});

/** The responses of a real account, without anything that identifies the account, its owner or its transactions. */
export type Recording = z.infer<typeof recordingSchema>;

/** The parts of a check that its recording is made of. */
export interface Recorded extends Pick<CheckResult, 'calls' | 'readings' | 'now' | 'asset'> {
  readonly report: Pick<CheckReport, 'exchange' | 'connector'> & {
    readonly steps: readonly Pick<CheckedStep, 'name' | 'failure'>[];
  };
}

/** Makes the recording of a check. It contains no host, no header, and no part of a signature. */
export function toRecording({ report, calls, readings, now, asset }: Recorded): Recording {
  const redactor = new Redactor({ readings, texts: publishedTexts(report.exchange, calls, readings) });
  const answered = calls.filter(({ status }) => status !== null);
  redactor.learn(answered.flatMap(({ body }) => (parseBody(body) === undefined ? [] : [body])));
  return {
    format: 1,
    exchange: report.exchange,
    causeway: VERSION,
    connector: report.connector,
    asset,
    day: now.toISOString().slice(0, 10),
    failed: report.steps.flatMap(({ name, failure }) => (failure === null ? [] : [name])),
    calls: answered.map(({ route, parameters, status, body }) => ({
      route,
      parameters: Object.fromEntries(
        Object.entries(parameters)
          .filter(([name]) => !SIGNING.test(name))
          .map(([name, text]) => [name, redactor.parameter(name, text)]),
      ),
      status: status ?? 0,
      body: parseBody(body) === undefined ? null : redactor.body(body, route),
    })),
  };
}

/** Texts that are published: our own tables, the documentation, and the responses to calls without a key. */
function publishedTexts(exchange: string, calls: readonly ObservedCall[], readings: ReadingCalls): Set<string> {
  const { networkNames = [] } = findExchange(exchange) ?? {};
  const contracts = listTokenContracts().flatMap(({ asset, address }) => [asset, address, address.toLowerCase()]);
  const documented = Object.values(readings.calls).flatMap(({ values }) => Object.values(values).flat());
  const isPublic = (route: string): boolean => readings.calls[route]?.isPublic === true;
  const answers = calls.filter(({ route }) => isPublic(route)).flatMap(({ body }) => textsIn(parseBody(body)));
  const all = [...networkNames.flatMap((table) => Object.keys(table)), ...contracts, ...documented, ...answers];
  return new Set(all.filter((text) => /\D/.test(text) && !/^-?[\d.]+$/.test(text)));
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return value.length <= PUBLISHED_TEXT_MAX ? [value] : [];
  if (typeof value !== 'object' || value === null) return [];
  return [...(Array.isArray(value) ? [] : Object.keys(value)), ...Object.values(value).flatMap(textsIn)];
}

/** Writes a recording to a new file that only its owner may read. @throws when the file exists */
export function writeRecording(file: string, recording: Recording): void {
  const handle = openSync(file, 'wx', MODE);
  try {
    writeSync(handle, `${JSON.stringify(recording, null, 2)}\n`);
  } finally {
    closeSync(handle);
  }
}

/** Reads a recording. @throws when the file is no recording, or has anything that recordings do not have */
export function readRecording(file: string): Recording {
  return recordingSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
}
