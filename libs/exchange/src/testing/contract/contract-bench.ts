import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { pino } from 'pino';
import { Clock } from '#platform/clock';
import { loadConfig } from '#platform/config';
import { Metrics } from '#platform/metrics';
import type { Connector } from '../../declaration/exchange-declaration.js';
import type { ExchangeCredentials, ExchangeSession } from '../../port/exchange.port.js';
import { CallBudgets } from '../../transport/call-budget.js';
import { CallMeter } from '../../transport/call-meter.js';
import { UnreadableEntries } from '../../transport/list-reader.js';
import { Transport } from '../../transport/transport.js';
import { MemoryNonces } from '../../nonces/memory-nonces.js';
import type { Subject } from './contract-subjects.js';
import { ContractStub } from './contract-stub.js';

/**
 * A clock on which calls do not wait for our own limits: a sleep ends at once, and the monotonic time then is as if the
 * sleep had taken its time. For checks that send more calls than a documented limit allows.
 */
class UnwaitingClock extends Clock {
  private skippedMs = 0;

  override monotonicMs(): number {
    return super.monotonicMs() + this.skippedMs;
  }

  override sleep(ms: number): Promise<void> {
    this.skippedMs += ms;
    return Promise.resolve();
  }
}

/** The real connector of an exchange, over real sockets, with a stub as the exchange. Benches share nothing. */
export class ContractBench {
  readonly metrics = new Metrics();
  private readonly transport: Transport;
  private readonly context;
  private readonly connectors = new Map<string, Connector>();
  private opened = 0;

  private constructor(
    private readonly subject: Subject,
    readonly stub: ContractStub,
    settings: Readonly<Record<string, string>>,
    clock: Clock,
  ) {
    const config = loadConfig({
      EXCHANGE_CALLS_PER_SECOND: '1000',
      EXCHANGE_CALLS_BURST: '1000',
      ...subject.contract.settings,
      ...settings,
    });
    const { EXCHANGE_TIMEOUT_MS: connectTimeoutMs } = config.values;
    this.transport = new Transport({
      connectTimeoutMs,
      responseMaxBytes: config.constants.EXCHANGE_RESPONSE_MAX_BYTES,
    });
    this.context = {
      transport: this.transport,
      clock,
      config,
      meter: new CallMeter(this.metrics, pino({ level: 'silent' })),
      budgets: new CallBudgets(clock, config),
      nonces: new MemoryNonces(clock),
      unreadable: new UnreadableEntries(this.metrics, pino({ level: 'silent' })),
    };
  }

  /** Runs one check, and then checks that every request was as documented. */
  static async run(
    subject: Subject,
    check: (bench: ContractBench) => Promise<void>,
    settings: Readonly<Record<string, string>> = {},
    clock = new Clock(),
  ): Promise<void> {
    const stub = await ContractStub.start(subject.contract);
    const bench = new ContractBench(subject, stub, settings, clock);
    try {
      await check(bench);
      expect(stub.problems).toEqual([]);
    } finally {
      await bench.transport.close();
      await stub.close();
    }
  }

  /** Runs one check that sends more calls than the limits of the exchange allow at once. */
  static runManyCalls(subject: Subject, check: (bench: ContractBench) => Promise<void>): Promise<void> {
    return ContractBench.run(subject, check, {}, new UnwaitingClock());
  }

  /** Opens a session with one of the contract's two accounts. Each session has its own limit of calls. */
  readonly open = async ({ account = 0, url = '' } = {}): Promise<ExchangeSession> => {
    const connector = this.connectorAt(url === '' ? this.stub.url : url);
    return connector.open(this.credentials(account), `credential ${++this.opened}`);
  };

  /** All sessions with the same base URL share one connector, as in an API or worker process. */
  private connectorAt(url: string): Connector {
    const connector = this.connectors.get(url) ?? this.subject.declaration.load(url, this.context);
    this.connectors.set(url, connector);
    return connector;
  }

  private credentials(account: number): ExchangeCredentials {
    const credentials = this.subject.contract.credentials[account];
    if (credentials === undefined) throw new Error(`the contract has no account ${account}`);
    return credentials;
  }
}

/** A server that treats each connection as a test defines, without HTTP. */
export class RawServer {
  /** The bytes that have arrived. */
  received = '';
  private readonly sockets: Socket[] = [];

  private constructor(private readonly server: Server) {}

  static async start(treat: (socket: Socket) => void): Promise<RawServer> {
    const server = createServer();
    const raw = new RawServer(server);
    server.on('connection', (socket) => {
      raw.sockets.push(socket.on('error', () => undefined));
      socket.on('data', (chunk) => (raw.received += chunk.toString()));
      treat(socket);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return raw;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    if (this.server.listening) await new Promise((resolve) => this.server.close(resolve));
  }
}
