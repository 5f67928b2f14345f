import { Clock, DAY_MS } from '#platform/clock';
import { readEverything, type ReadingStep } from '../../check/reading-steps.js';
import { RecordingTransport } from '../../check/recording-transport.js';
import type { ReadingCalls } from '../../check/documented-forms.js';
import type { Recording } from '../../check/recording.js';
import { MemoryNonces } from '../../nonces/memory-nonces.js';
import { StubExchange } from '../stub-exchange.js';
import type { Subject } from './contract-subjects.js';
import { openOver } from './collect-forms.js';

/** The end of the day of a recording. */
class RecordedClock extends Clock {
  constructor(private readonly day: string) {
    super();
  }

  override now(): Date {
    return new Date(Date.parse(this.day) + DAY_MS - 1);
  }
}

const LIMITS = { connectTimeoutMs: 10_000, responseMaxBytes: 50_000_000 };

/**
 * Runs the reading methods of the connector at an exchange that sends the recorded responses, in the order in which
 * they were recorded. The last response of a route is repeated.
 * @returns the methods that failed although they did not fail when the recording was made, with their errors
 */
export async function replay(subject: Subject, recording: Recording, readings: ReadingCalls): Promise<string[]> {
  const stub = await StubExchange.start();
  const clock = new RecordedClock(recording.day);
  const transport = new RecordingTransport(LIMITS, readings, () => clock.now().getTime());
  try {
    serve(stub, recording);
    const session = await openOver(subject, { transport, url: stub.url, clock, nonces: new MemoryNonces(clock) });
    const { asset } = recording;
    const steps = await readEverything({
      session,
      transport,
      asset,
      now: clock.now(),
      pair: readings.pair,
      remark: () => undefined,
    });
    return steps.filter((step) => isUnreadable(step, recording)).map(({ name, error }) => `${name}: ${String(error)}`);
  } finally {
    await transport.close();
    await stub.close();
  }
}

/** Methods that add up amounts, or compare them with those of the request. Sums of stand-ins differ. */
const ADDS_UP: ReadonlySet<string> = new Set([
  'withdrawals as a search lists them',
  'a search for the last withdrawal',
  'movements',
]);

/** A refusal is about the stand-ins, such as an address with a wrong checksum. */
function isUnreadable({ name, error }: ReadingStep, { failed }: Recording): boolean {
  return error !== null && error.kind !== 'refused' && !failed.includes(name) && !ADDS_UP.has(name);
}

function serve(stub: StubExchange, { calls }: Recording): void {
  for (const route of new Set(calls.map((call) => call.route))) {
    const replies = calls.filter((call) => call.route === route);
    let next = 0;
    stub.on(route, (_call, response) => {
      const reply = replies[Math.min(next++, replies.length - 1)];
      response.writeHead(reply?.status ?? 500, { 'content-type': 'application/json' });
      response.end(reply?.body ?? '<html></html>');
    });
  }
}
