import { kraken } from 'ccxt';
import { sign } from '../src/kraken/authenticate.js';
import { startSandboxExchange, type SandboxExchange, type SandboxExchangeOptions } from '../src/sandbox-exchange.js';

export interface OpenedAccount {
  accountId: string;
  apiKey: string;
  apiSecret: string;
  totpSecret: string | null;
  withdrawalAddresses: { asset: string; method: string; network: string; address: string; key: string }[];
}

interface Ledger {
  balances: Record<string, { total: string; held: string; free: string }>;
  entries: { refid: string; type: string; amount: string; fee: string; balance: string }[];
  withdrawals: { refid: string; status: string; amount: string; fee: string; txid: string | null }[];
  orders: { id: string; status: string; executedVolume: string; reason: string | null }[];
}

/** The sandbox exchange of one test, with a clock that the test moves. */
export class TestSandbox {
  private constructor(
    private readonly exchange: SandboxExchange,
    readonly clock: { now: Date },
  ) {}

  static async start(options: Partial<SandboxExchangeOptions> = {}): Promise<TestSandbox> {
    const clock = { now: new Date('2026-11-20T12:00:00Z') };
    return new TestSandbox(await startSandboxExchange({ port: 0, now: () => clock.now, ...options }), clock);
  }

  get url(): string {
    return this.exchange.url;
  }

  advance(ms: number): void {
    this.clock.now = new Date(this.clock.now.getTime() + ms);
  }

  close(): Promise<void> {
    return this.exchange.close();
  }

  async control(method: string, path: string, body?: unknown): Promise<{ status: number; body: unknown }> {
    const init =
      body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
    const response = await fetch(`${this.url}/control/${path}`, { method, ...init });
    return { status: response.status, body: await response.json() };
  }

  async open(
    input: Record<string, unknown> = { balances: { BTC: '5', ETH: '10', USD: '1000' } },
  ): Promise<OpenedAccount> {
    const { status, body } = await this.control('POST', 'accounts', input);
    if (status !== 200) throw new Error(JSON.stringify(body));
    return body as OpenedAccount;
  }

  async ledger({ apiKey }: OpenedAccount): Promise<Ledger> {
    return (await this.control('GET', `ledger?apiKey=${encodeURIComponent(apiKey)}`)).body as Ledger;
  }

  async arm(endpoint: string, fault: string, more: Record<string, unknown> = {}): Promise<void> {
    const { status, body } = await this.control('POST', 'faults', { endpoint, fault, ...more });
    if (status !== 200) throw new Error(JSON.stringify(body));
  }

  /** A client of ccxt's class for Kraken, with nonces that count from 1. */
  ccxt({ apiKey, apiSecret }: Pick<OpenedAccount, 'apiKey' | 'apiSecret'>): InstanceType<typeof kraken> {
    const client = new kraken({
      apiKey,
      secret: apiSecret,
      enableRateLimit: false,
      urls: { api: { public: this.url, private: this.url } },
    });
    let nonce = 1;
    client.nonce = () => nonce++;
    return client;
  }

  /** Sends a signed call without a library, so that the test controls every byte. */
  async call(
    { apiKey, apiSecret }: { apiKey: string; apiSecret: string },
    endpoint: string,
    params: Record<string, string>,
  ): Promise<Response> {
    const path = `/0/private/${endpoint}`;
    const rawBody = new URLSearchParams(params).toString();
    const signature = sign(apiSecret, { path, nonce: params.nonce ?? '', rawBody }).toString('base64');
    return fetch(this.url + path, {
      method: 'POST',
      headers: { 'api-key': apiKey, 'api-sign': signature, 'content-type': 'application/x-www-form-urlencoded' },
      body: rawBody,
    });
  }

  /** The errors in the response to a signed call. */
  async errorsOf(
    account: { apiKey: string; apiSecret: string },
    endpoint: string,
    params: Record<string, string>,
  ): Promise<string[]> {
    const response = await this.call(account, endpoint, params);
    return ((await response.json()) as { error: string[] }).error;
  }
}
