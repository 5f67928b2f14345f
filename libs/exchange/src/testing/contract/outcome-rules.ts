import { gzipSync } from 'node:zlib';
import type { Behaviour } from '../stub-exchange.js';
import { ContractBench, RawServer } from './contract-bench.js';
import type { Subject } from './contract-subjects.js';
import { answering, send } from './contract-stub.js';
import type { ExchangeContract, Reply } from './exchange-contract.js';
import { ofGateways, type Check, type Rule } from './rule.js';
import { sendOnce, submissionsOf, submitOne, type Outcome, type SubmissionKind } from './submissions.js';

const HTML: Reply = { status: 200, body: '<html>maintenance</html>', headers: { 'content-type': 'text/html' } };

/** Short time-outs, for checks in which the exchange does not respond. */
const IMPATIENT = { EXCHANGE_SUBMIT_TIMEOUT_MS: '300' };

/** Makes checks for each call of the exchange that moves money. */
function forSubmissions(checks: (subject: Subject, kind: SubmissionKind) => Check[]): Pick<Rule, 'needs' | 'checks'> {
  return {
    needs: ['withdrawals', 'trading'],
    checks: (subject) =>
      submissionsOf(subject.contract).flatMap((kind) =>
        checks(subject, kind).map(({ name, run }) => ({ name: `${kind.name}: ${name}`, run })),
      ),
  };
}

/**
 * Makes one check for each behaviour that `of` returns: when the exchange behaves in this way, a submission must end
 * with one of the allowed outcomes.
 */
function responses(
  allowed: readonly Outcome['kind'][],
  of: (kind: SubmissionKind, exchange: ExchangeContract) => Readonly<Record<string, Behaviour>>,
  settings?: Readonly<Record<string, string>>,
): Pick<Rule, 'needs' | 'checks'> {
  return forSubmissions((subject, kind) =>
    Object.entries(of(kind, subject.contract)).map(([name, behaviour]) => ({
      name,
      run: async () => {
        const arrange = ({ stub }: ContractBench): void => stub.on(kind.contract.route, behaviour);
        const outcome = await submitOne(subject, kind, arrange, settings);
        expect(allowed).toContain(outcome.kind);
        if (outcome.kind === 'accepted') expect(idsOf(outcome)).toEqual(kind.contract.exchangeIds);
      },
    })),
  );
}

function idsOf(outcome: Extract<Outcome, { kind: 'accepted' }>): readonly string[] {
  return 'exchangeIds' in outcome ? outcome.exchangeIds : [outcome.exchangeId];
}

const reply = (answer: Reply): Behaviour => answering(answer);

/** Writes exactly these bytes to the connection, instead of a response. */
const bytes =
  (text: string, isEnd = true): Behaviour =>
  (_call, { socket }) => {
    if (isEnd) socket?.end(text);
    else socket?.write(text);
  };

function head({ status, headers = {} }: Reply, more: Readonly<Record<string, string>>): string {
  const lines = Object.entries({ ...headers, ...more }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} Status\r\n${lines.join('')}\r\n`;
}

function whole(answer: Reply): string {
  return head(answer, { 'content-length': String(Buffer.byteLength(answer.body)) }) + answer.body;
}

function half(text: string): string {
  return text.slice(0, Math.ceil(text.length / 2));
}

const accepted: Rule = {
  id: 'EX-01',
  title: 'a submission is accepted when the response has the exchange’s id, in every form of HTTP',
  ...responses(['accepted'], ({ contract: { accepted: answer } }) => ({
    'a response as documented': reply(answer),
    'a chunked response': (_call, response) => {
      response.writeHead(answer.status, answer.headers);
      response.write(half(answer.body));
      response.end(answer.body.slice(half(answer.body).length));
    },
    'slow headers': (_call, response) => void setTimeout(() => send(response, answer), 150),
    'a body that comes byte by byte': (_call, { socket }) => {
      socket?.setNoDelay(true);
      for (const byte of whole(answer)) socket?.write(byte);
    },
    'the same response twice on one connection': bytes(whole(answer) + whole(answer)),
    'no content type': bytes(whole({ ...answer, headers: {} })),
    'another content type': reply({ ...answer, headers: { 'content-type': 'text/plain' } }),
  })),
};

const compressed: Rule = {
  id: 'EX-02',
  title:
    'a submission is accepted or unknown when the response is compressed, although the request forbids compression',
  ...forSubmissions((subject, kind) => [
    {
      name: 'gzip',
      run: async () => {
        const { accepted: answer, route, exchangeIds } = kind.contract;
        let asked: unknown;
        const outcome = await submitOne(subject, kind, ({ stub }) =>
          stub.on(route, ({ headers }, response) => {
            asked = headers['accept-encoding'];
            response.writeHead(answer.status, { ...answer.headers, 'content-encoding': 'gzip' });
            response.end(gzipSync(answer.body));
          }),
        );
        expect(asked).toBe('identity');
        expect(['accepted', 'unknown']).toContain(outcome.kind);
        if (outcome.kind === 'accepted') expect(idsOf(outcome)).toEqual(exchangeIds);
      },
    },
  ]),
};

const REDIRECTS: readonly number[] = [307, 301, 302, 303, 308];
const PROXIES: readonly number[] = [403, 400, 401, 404, 407, 408, 409, 413, 451];

/** Checks of the rule EX-03 whose responses the shared code interprets for every exchange, without its error map. */
const fromGateways = (contract: ExchangeContract): Readonly<Record<string, Behaviour>> =>
  Object.fromEntries([
    ...ofGateways(contract, REDIRECTS).map((status) => [`a redirect with ${status}`, redirect(status)]),
    ...ofGateways(contract, PROXIES).map((status) => [
      `a proxy’s ${status}`,
      reply({ status, body: `<html>${status}</html>` }),
    ]),
  ]) as Readonly<Record<string, Behaviour>>;

const withoutEvidence: Rule = {
  id: 'EX-03',
  title: 'a submission is unknown when the response has neither the exchange’s id nor a documented refusal',
  ...responses(['unknown'], ({ contract }, exchange) => ({
    'a page of HTML with 200': reply(HTML),
    'an empty body': reply({ status: 200, body: '' }),
    'an empty object': reply({ status: 200, body: '{}' }),
    'the body null': reply({ status: 200, body: 'null' }),
    'no content': reply({ status: 204, body: '' }),
    'half of the JSON': reply({ ...contract.accepted, body: half(contract.accepted.body) }),
    ...Object.fromEntries(
      contract.withoutId.map((answer) => [`success without an id: ${answer.body.slice(0, 80)}`, reply(answer)]),
    ),
    ...fromGateways(exchange),
    '429 without Retry-After': reply({ status: 429, body: 'slow down' }),
    '429 with Retry-After': reply({ status: 429, body: '', headers: { 'retry-after': '1' } }),
    '418 with Retry-After': reply({ status: 418, body: '', headers: { 'retry-after': '1' } }),
  })),
};

/** A redirect to the submission itself: a client that follows it sends a second request. */
function redirect(status: number): Behaviour {
  return ({ target }, response) => void response.writeHead(status, { location: target }).end();
}

const failedGateway: Rule = {
  id: 'EX-04',
  title: 'a submission is unknown when the response is a 5xx, even with an id or a documented refusal',
  needs: ['withdrawals', 'trading'],
  checks: (subject) => {
    const refusal = subject.contract.refusals.find(({ grade }) => grade === 'refused');
    if (refusal === undefined) throw new Error('the contract documents no definite refusal');
    const bodies = ({ contract }: SubmissionKind): [string, string][] => [
      ['HTML', HTML.body],
      ['nothing', ''],
      ['a documented refusal', refusal.reply.body],
      ['an id', contract.accepted.body],
    ];
    const statuses = ofGateways(subject.contract, [502, 500, 503, 504, 520, 522]);
    const of = (kind: SubmissionKind): Record<string, Behaviour> =>
      Object.fromEntries(
        bodies(kind).flatMap(([what, body]) =>
          statuses.map((status) => [`${status} with ${what}`, reply({ status, body })]),
        ),
      );
    return responses(['unknown'], of).checks(subject);
  },
};

const cutAfterwards: Rule = {
  id: 'EX-05',
  title: 'a submission is unknown when the connection ends after the request',
  ...responses(['unknown'], ({ contract: { accepted: answer } }) => ({
    'closed without a response': (_call, { socket }) => void socket?.end(),
    'dropped without a response': (_call, { socket }) => void socket?.destroy(),
    'reset without a response': (_call, { socket }) => void socket?.resetAndDestroy(),
    'closed in the middle of the headers': bytes(half(head(answer, { 'content-length': '9' }))),
    'closed in the middle of the body': bytes(half(whole(answer))),
    'closed before the last byte': bytes(whole(answer).slice(0, -1)),
    'closed in the middle of a chunked body': bytes(
      `${head(answer, { 'transfer-encoding': 'chunked' })}5\r\n${answer.body.slice(0, 5)}\r\n`,
    ),
    'closed after a response that is not HTTP': bytes('hello\r\n\r\n'),
  })),
};

const tooSlow: Rule = {
  id: 'EX-06',
  title: 'a submission is unknown when the exchange does not end its response in time',
  ...responses(
    ['unknown'],
    ({ contract: { accepted: answer } }) => ({
      'no response': () => undefined,
      'headers only': bytes(head(answer, { 'content-length': '9' }), false),
      'a response without an end': bytes(head(answer, { 'transfer-encoding': 'chunked' }), false),
      'an interim response only': bytes('HTTP/1.1 100 Continue\r\n\r\n', false),
    }),
    IMPATIENT,
  ),
};

/** Submits to an address other than the address at which the submission was prepared. */
async function submitTo(
  subject: Subject,
  kind: SubmissionKind,
  url: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<{ outcome: Outcome; begun: number }> {
  let sent = { outcome: { kind: 'not_sent', reason: 'not run' } as Outcome, begun: 0 };
  const check = async (bench: ContractBench): Promise<void> => {
    const ready = await kind.prepare(await bench.open());
    bench.stub.forget();
    sent = await sendOnce(ready, await bench.open({ url }));
    expect(bench.stub.calls()).toEqual([]);
  };
  await ContractBench.run(subject, check, settings);
  return sent;
}

/** No server listens on port 1 (tcpmux), and the system never assigns it as a free port. */
const REFUSING_URL = 'http://127.0.0.1:1';

const notSent: Rule = {
  id: 'EX-07',
  title: 'a submission is not_sent only when no byte was written',
  ...forSubmissions((subject, kind) => {
    const expectNotSent = async (url: string, settings?: Readonly<Record<string, string>>): Promise<void> => {
      const { outcome, begun } = await submitTo(subject, kind, url, settings);
      expect([outcome.kind, begun]).toEqual(['not_sent', 0]);
    };
    return [
      { name: 'the connection is refused', run: () => expectNotSent(REFUSING_URL) },
      { name: 'the host name does not resolve', run: () => expectNotSent('http://exchange.invalid') },
      {
        name: 'the server never ends the TLS handshake',
        run: async () => {
          const server = await RawServer.start(() => undefined);
          await expectNotSent(`https://127.0.0.1:${server.port}`, { EXCHANGE_TIMEOUT_MS: '300' });
          expect(server.received).not.toContain('HTTP/1.1');
          await server.close();
        },
      },
      { name: 'our check immediately before the first byte fails', run: () => stoppedBefore(subject, kind) },
      { name: 'our own limit of calls is reached', run: () => overOwnLimit(subject, kind) },
    ];
  }),
};

async function stoppedBefore(subject: Subject, kind: SubmissionKind): Promise<void> {
  await ContractBench.run(subject, async (bench) => {
    const session = await bench.open();
    const ready = await kind.prepare(session);
    bench.stub.forget();
    const tooLate = (): void => {
      throw new Error('too late');
    };
    expect((await ready.send(session, tooLate)).kind).toBe('not_sent');
    expect(bench.stub.calls()).toEqual([]);
  });
}

/** Expects that a submission is `not_sent` after another call has used up our own limit of calls. */
async function overOwnLimit(subject: Subject, kind: SubmissionKind): Promise<void> {
  await ContractBench.run(subject, async (bench) => {
    const ready = await kind.prepare(await bench.open());
    bench.stub.forget();
    await ContractBench.run(
      subject,
      async (slow) => {
        const session = await slow.open();
        await session.keyInfo();
        const { outcome, begun } = await sendOnce(ready, session);
        expect([outcome.kind, begun, slow.stub.calls(kind.contract.route).length]).toEqual(['not_sent', 0, 0]);
      },
      { EXCHANGE_CALLS_PER_SECOND: '1', EXCHANGE_CALLS_BURST: '1', EXCHANGE_TIMEOUT_MS: '300' },
    );
  });
}

const cutEarly: Rule = {
  id: 'EX-08',
  title: 'a submission whose connection ends early is not_sent exactly when no byte was written',
  ...forSubmissions((subject, kind) =>
    Object.entries(cuts).map(([name, treat]) => ({
      name,
      run: async () => {
        const server = await RawServer.start(treat);
        const { outcome, begun } = await submitTo(subject, kind, `http://127.0.0.1:${server.port}`);
        expect(outcome.kind).toBe(begun === 0 ? 'not_sent' : 'unknown');
        if (begun === 0) expect(server.received).toBe('');
        expect(server.received.split('HTTP/1.1').length).toBeLessThanOrEqual(2);
        await server.close();
      },
    })),
  ),
};

const cuts: Readonly<Record<string, Parameters<typeof RawServer.start>[0]>> = {
  'dropped as soon as it is open': (socket) => void socket.destroy(),
  'closed as soon as it is open': (socket) => void socket.end(),
  'a response before the request': (socket) => void socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'),
  'dropped at the first bytes': (socket) => void socket.once('data', () => socket.destroy()),
  'reset at the first bytes': (socket) => void socket.once('data', () => socket.resetAndDestroy()),
};

const deliveredTwice: Rule = {
  id: 'EX-09',
  title: 'a submission that the network delivers twice is never definitely refused',
  ...forSubmissions((subject, kind) => {
    const { route, accepted: answer, repeated, exchangeIds } = kind.contract;
    return [
      {
        name: 'the response to the first copy is lost, and that to the second copy arrives',
        run: async () => {
          const outcome = await submitOne(subject, kind, ({ stub }) => stub.on(route, reply(repeated)));
          expect(['accepted', 'unknown']).toContain(outcome.kind);
          if (outcome.kind === 'accepted') expect(idsOf(outcome)).toEqual(exchangeIds);
        },
      },
      {
        name: 'both responses arrive on one connection',
        run: async () => {
          const both = bytes(whole(answer) + whole(repeated));
          const outcome = await submitOne(subject, kind, ({ stub }) => stub.on(route, both));
          expect(outcome).toMatchObject({ kind: 'accepted' });
        },
      },
    ];
  }),
};

export const outcomeRules: readonly Rule[] = [
  accepted,
  compressed,
  withoutEvidence,
  failedGateway,
  cutAfterwards,
  tooSlow,
  notSent,
  cutEarly,
  deliveredTwice,
];
