import { AsyncLocalStorage } from 'node:async_hooks';
import type { buildConnector } from 'undici';
import type { Random } from '../processes/random.js';
import type { ExchangeModel } from './exchange-model.js';
import { RequestReader, responseText, type RequestText } from './http-text.js';
import { SimulatedSocket } from './simulated-socket.js';
import type { Submission } from './submissions.js';
import type { VirtualTime } from './virtual-time.js';
import { earlyRefusals, executedRefusals, gatewayAnswers, HONEST, wrongResponses, type WirePlan } from './wire-plan.js';

const CONNECT_TIMEOUT_MS = 10_000;
/** Range of the delays of late requests: longer than a submission waits for its response. */
const LATE_MS = [16_000, 40_000] as const;

const READ_TROUBLE = [
  ...(['slow', 'html', 'bad_gateway', 'empty', 'lost', 'reset', 'half', 'reoffered', 'busy', 'rate_limit'] as const),
] as const;

/** A response that belongs to no request: no booking has these ids. */
const STALE = '{"error":[],"result":{"refid":"STALE","txid":["STALE"]}}';

export interface NetworkParts {
  time: VirtualTime;
  random: Random;
  model: ExchangeModel;
  /** The submissions by their markers. */
  submissions: ReadonlyMap<string, Submission>;
  /** How far the exchange's clock is ahead of the true time. */
  exchangeClockMs: number;
  /** Whether reads have faults, too, and some responses arrive twice. */
  isFaulty: boolean;
  trace: (line: string) => void;
}

interface Connection {
  socket: SimulatedSocket;
  reader: RequestReader;
  requests: number;
  /** Whether the exchange has ended the connection. The client may not have noticed this yet. */
  isEnded: boolean;
  /** A response to an earlier request, which arrives a second time when the next request is written. */
  stale: string | null;
}

/** The submission on whose behalf the code runs; null = a read. */
export const currentSubmission = new AsyncLocalStorage<Submission | null>();

/** Everything between the HTTP library of our processes and the exchange. */
export class SimulatedNetwork {
  /** Number of events of the network that have not happened yet. */
  private underway = 0;
  private isCalm = false;
  /** API key and nonce of each read request that the client sent. */
  private readonly written = new Set<string>();
  /** The paths of the read requests that the client sent more than once with the same nonce. */
  readonly writtenAgain: string[] = [];
  private readonly sockets: SimulatedSocket[] = [];

  constructor(private readonly parts: NetworkParts) {}

  get isQuiet(): boolean {
    return this.underway === 0;
  }

  /** Ends all connections of the run. */
  close(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  /** Ends all faults of the network. */
  calm(): void {
    this.isCalm = true;
  }

  readonly connect: buildConnector.connector = (_target, callback) => {
    const { time, random } = this.parts;
    const submission = currentSubmission.getStore() ?? null;
    const kind = submission?.plan.connect ?? 'at_once';
    this.trace(`connects ${kind}`);
    const fail = (ms: number, code: string): void =>
      time.after(ms, () => callback(Object.assign(new Error(code), { code }), null));
    if (kind === 'refused') return fail(this.latency(), 'ECONNREFUSED');
    if (kind === 'never') return fail(CONNECT_TIMEOUT_MS, 'UND_ERR_CONNECT_TIMEOUT');
    time.after(kind === 'slowly' ? random.between(1_000, 8_000) : this.latency(), () => {
      const connection = this.open();
      const { socket } = connection;
      if (kind === 'ends_before') this.end(connection);
      if (kind === 'responds_first') socket.receive(this.response(200, STALE));
      callback(null, socket);
      if (kind === 'resets_before') socket.fail('ECONNRESET');
    });
  };

  private open(): Connection {
    const { time } = this.parts;
    const reader = new RequestReader();
    const socket = new SimulatedSocket({
      written: (bytes) => {
        time.touch();
        for (const request of reader.read(bytes)) this.arrived(connection, request);
      },
      closed: () => time.touch(),
    });
    this.sockets.push(socket);
    const connection: Connection = { socket, reader, requests: 0, isEnded: false, stale: null };
    return connection;
  }

  private arrived(connection: Connection, request: RequestText): void {
    connection.requests += 1;
    const submission = this.submissionOf(request);
    this.trace(`${request.path} ${submission?.marker ?? ''} is written`);
    if (submission === null) this.countRead(request);
    const plan = submission === null ? this.planOfRead() : this.planOf(submission, connection);
    // The exchange has ended the connection, so the request is lost.
    if (connection.isEnded) return this.later(() => connection.socket.fail('ECONNRESET'));
    this.deliverStale(connection);
    this.deliver(connection, request, plan);
  }

  private submissionOf({ path, params }: RequestText): Submission | null {
    if (path !== '/0/private/Withdraw' && path !== '/0/private/AddOrder') return null;
    return this.parts.submissions.get(params['key'] ?? params['cl_ord_id'] ?? '') ?? null;
  }

  /** Checks that a read is written once; submissions are counted in `planOf`. */
  private countRead({ path, headers, params }: RequestText): void {
    // A public read has no nonce.
    if (path.startsWith('/0/public/')) return;
    const name = `${headers.get('api-key') ?? ''} ${params['nonce'] ?? ''}`;
    if (this.written.has(name)) this.writtenAgain.push(path);
    this.written.add(name);
  }

  private planOf(submission: Submission, connection: Connection): WirePlan {
    submission.writes += 1;
    if (connection.requests > 1) submission.hasSharedConnection = true;
    return submission.writes === 1 ? submission.plan : HONEST;
  }

  private planOfRead(): WirePlan {
    const { random, isFaulty } = this.parts;
    if (this.isCalm || !isFaulty || random.chance(0.6)) return HONEST;
    const answer = random.pick(READ_TROUBLE);
    return { ...HONEST, delivery: random.pick(['once', 'once', 'twice']), answer };
  }

  private deliver(connection: Connection, request: RequestText, { delivery, answer }: WirePlan): void {
    const { random } = this.parts;
    const handled = (): string => JSON.stringify(this.handle(request));
    const isEarly = answer in earlyRefusals;
    if (delivery === 'twice') this.later(() => void this.handle(request));
    if (delivery === 'twice_late' || delivery === 'late') {
      this.later(() => void this.handle(request), random.between(...LATE_MS));
    }
    const isHandled = !isEarly && delivery !== 'late' && delivery !== 'never' && delivery !== 'in_part';
    // After two copies, the client gets the response to the second one.
    const arrival = this.latency() + (delivery === 'twice' ? 50 : 0);
    this.later(() => this.answer(connection, answer, isHandled ? handled() : null), arrival);
  }

  private handle(request: RequestText): object {
    const body = this.parts.model.handle(request, { exchangeMs: this.exchangeNow, trueMs: this.parts.time.now });
    this.trace(`the exchange: ${request.path} nonce ${request.params['nonce'] ?? ''} ${JSON.stringify(body)}`);
    return body;
  }

  private answer(connection: Connection, answer: WirePlan['answer'], handled: string | null): void {
    const { random } = this.parts;
    const { socket } = connection;
    this.trace(`is answered: ${answer}`);
    const honest = this.response(200, handled ?? '');
    if (answer in gatewayAnswers) {
      const [status, body] = gatewayAnswers[answer as keyof typeof gatewayAnswers];
      return this.respond(connection, this.response(status, body, status === 302 ? 'location: /elsewhere\r\n' : ''));
    }
    if (answer in earlyRefusals) {
      const error = [earlyRefusals[answer as keyof typeof earlyRefusals]];
      return this.respond(connection, this.response(200, JSON.stringify({ error })));
    }
    if (answer in executedRefusals) {
      return this.respond(connection, this.response(200, executedRefusals[answer as keyof typeof executedRefusals]));
    }
    if (answer in wrongResponses) {
      return this.respond(connection, this.response(200, wrongResponses[answer as keyof typeof wrongResponses]));
    }
    switch (answer) {
      case 'slow':
        return this.later(() => this.respond(connection, honest), random.between(500, 9_000));
      case 'in_pieces':
        return this.inPieces(connection, honest);
      case 'half':
        socket.receive(honest.slice(0, honest.length - 5));
        return this.later(() => this.end(connection));
      case 'lost':
        return this.end(connection);
      case 'reset':
        return socket.fail('ECONNRESET');
      case 'reoffered':
        return socket.fail('UND_ERR_INFO');
      case 'silence':
        return;
      default:
        return this.respond(connection, honest);
    }
  }

  private inPieces(connection: Connection, text: string): void {
    const [head, rest] = [text.slice(0, 20), text.slice(20)];
    connection.socket.receive(head);
    this.later(() => this.respond(connection, rest));
  }

  private respond(connection: Connection, text: string): void {
    const { random, isFaulty } = this.parts;
    connection.socket.receive(text);
    if (isFaulty && !this.isCalm && random.chance(0.1)) connection.stale = text;
    // Like a real server, the exchange may end an idle connection.
    if (random.chance(0.5)) this.idleEnd(connection, random.between(50, 2_000));
  }

  /**
   * Ends the connection after a pause without a request. The client notices the end later, and loses a request that it
   * writes in the meantime.
   */
  private idleEnd(connection: Connection, ms: number): void {
    const { requests } = connection;
    this.parts.time.after(ms, () => {
      if (connection.requests !== requests) return;
      connection.isEnded = true;
      this.parts.time.after(this.latency(), () => connection.socket.receiveEnd());
    });
  }

  private deliverStale(connection: Connection): void {
    const { stale, socket } = connection;
    connection.stale = null;
    if (stale !== null && !this.isCalm) socket.receive(stale);
  }

  private end(connection: Connection): void {
    connection.isEnded = true;
    connection.socket.receiveEnd();
  }

  private response(status: number, body: string, headers = ''): string {
    return responseText(status, body, this.exchangeNow, headers);
  }

  private later(work: () => void, ms = this.latency()): void {
    this.underway += 1;
    this.parts.time.after(ms, () => {
      this.underway -= 1;
      work();
    });
  }

  private latency(): number {
    const { random } = this.parts;
    return random.chance(0.8) ? random.between(1, 40) : random.between(40, 400);
  }

  private get exchangeNow(): number {
    return this.parts.time.now + this.parts.exchangeClockMs;
  }

  private trace(line: string): void {
    this.parts.trace(line);
  }
}
