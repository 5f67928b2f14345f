import type { Input, Output } from '#client';
import { contractSubjects, ContractStub, declaredExchanges, type Behaviour, type Reply } from '#exchange/testing';
import type { Secret } from '#platform/crypto';
import { PATIENT, TestApp, type TestProjectWithClient, type WalletClients } from './test-app.js';

export type ExchangeId = Input<'connectWallet'>['exchange'];
/** The responses of some routes: a body in JSON, a whole response, or a behaviour. */
export type LiveAnswers = Readonly<Record<string, object | Reply | Behaviour>>;
export type ShownBalance = Output<'getWithdrawalBalance'>['balances'][number];

const live = Object.values(declaredExchanges).filter(({ liveUrl }) => liveUrl !== undefined);
const subjects = await contractSubjects(live);
const subjectOf = (exchange: string) => {
  const found = subjects.find(({ name }) => name === exchange);
  if (found === undefined) throw new Error(`${exchange} has no contract`);
  return found;
};

/** A time that is longer than lists of an exchange are kept in memory. */
const FORGETS_LISTS_MS = 600_000;

/** A live project whose exchanges are servers that respond as documented, except where a test replaces responses. */
export class LiveExchanges {
  private count = 0;

  private constructor(
    readonly app: TestApp,
    private readonly project: TestProjectWithClient,
    private readonly stubs: ReadonlyMap<string, ContractStub>,
  ) {}

  /** @param worker whether the histories of wallets are read, which takes many calls for each wallet */
  static async start({ worker = false } = {}): Promise<LiveExchanges> {
    const started = live.map(
      async ({ spec: { id } }) => [id, await ContractStub.start(subjectOf(id).contract)] as const,
    );
    const stubs = new Map(await Promise.all(started));
    const urls = [...stubs].map(([id, { url }]) => [`EXCHANGE_${id.toUpperCase()}_URL`, url] as const);
    const app = await TestApp.create({
      worker,
      env: { ...PATIENT, CATALOGUE_EXCHANGES: '', ...Object.fromEntries(urls) },
      overrides: { TRANSACTION_SYNC_SWEEP_MS: 50, TRANSACTION_SYNC_PAGE_PAUSE_MS: 0, QUEUE_LEASE_MS: 500 },
    });
    return new LiveExchanges(app, await app.project({ mode: 'live' }), stubs);
  }

  /** Connects a new wallet at an exchange whose other responses are the documented ones. */
  async wallet(exchange: ExchangeId, answers: LiveAnswers = {}): Promise<WalletClients> {
    const { contract } = subjectOf(exchange);
    const usual = { ...contract.calls, ...contract.otherAccounts?.calls };
    this.app.clock.advance(FORGETS_LISTS_MS);
    for (const [route, { answer }] of Object.entries(usual)) this.stubOf(exchange).answer({ [route]: answer });
    this.answer(exchange, answers);
    const clients = this.app.clientsOf(this.project, `${exchange}-${++this.count}`);
    const secrets = Object.entries(contract.credentials[0]) as [string, Secret][];
    const key = Object.fromEntries(secrets.map(([field, secret]) => [field, secret.reveal()])) as { apiKey: string };
    await clients.causeway.connectWallet({ exchange, ...key });
    return clients;
  }

  answer(exchange: ExchangeId, answers: LiveAnswers): void {
    for (const [route, answer] of Object.entries(answers)) {
      const stub = this.stubOf(exchange);
      if (typeof answer === 'function') stub.on(route, answer as Behaviour);
      else stub.answer({ [route]: isReply(answer) ? answer : { status: 200, body: JSON.stringify(answer) } });
    }
  }

  /** Places an order, and returns it as the exchange shows it afterwards. */
  async order(exchange: ExchangeId, { answers, place, quote, shown }: OrderSituation): Promise<Output<'getOrder'>> {
    let clientId = '';
    const [route, field, accepted, status = 200] = place;
    const owner = await this.wallet(exchange, {
      ...answers,
      [route]: (call, response) => {
        clientId = { ...call.params, ...(call.json as Record<string, string> | undefined) }[field] ?? '';
        response.writeHead(status).end(JSON.stringify(accepted));
      },
    } satisfies LiveAnswers);
    const order = { routeId: `${exchange}:spot:BTC-${quote}`, volume: '10', price: '10', side: 'buy' } as const;
    const { orderId } = await owner.causeway.placeOrder(order);
    this.answer(exchange, shown(clientId));
    return owner.causeway.getOrder({ orderId });
  }

  async close(): Promise<void> {
    await this.app.close();
    for (const stub of this.stubs.values()) await stub.close();
  }

  private stubOf(exchange: string): ContractStub {
    const stub = this.stubs.get(exchange);
    if (stub === undefined) throw new Error(`${exchange} has no server`);
    return stub;
  }
}

/** An order for 10 BTC at 10 in the quote asset. */
export interface OrderSituation {
  /** The responses with the pairs and the balances. */
  answers: LiveAnswers;
  /** The route that places an order, its field for our id, and its response with the status. */
  place: readonly [route: string, field: string, accepted: object, status?: number];
  quote: string;
  /** The responses that show the order. */
  shown: (clientId: string) => LiveAnswers;
}

function isReply(answer: object): answer is Reply {
  return 'status' in answer && 'body' in answer && typeof answer.body === 'string';
}
