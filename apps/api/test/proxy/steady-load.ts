import type { TestWallet } from '../support/test-app.js';
import { savedAddress } from '../support/withdrawal-client.js';

/** Time between two requests, independent of their results. */
const PERIOD_MS = 100;
/** One of this many requests is a quote that is then executed. The others are reads. */
const WITHDRAWAL_EACH = 4;

interface Failure {
  wallet: TestWallet;
  request: string;
  problem: string;
}

/** A withdrawal with a unique amount, by which the test finds it at the exchange. */
interface Executed {
  wallet: TestWallet;
  amount: string;
  transactionId: string;
}

interface Execution {
  wallet: TestWallet;
  amount: string;
  path: string;
}

interface LoadOptions {
  url: string;
  headers: Record<string, string>;
  /** The load uses them in turn, because an exchange executes one withdrawal of an account at a time. */
  wallets: TestWallet[];
}

/** Sends requests at a steady rate, without retries. */
export class SteadyLoad {
  readonly failures: Failure[] = [];
  readonly executed: Executed[] = [];
  /** Executions whose outcome the client does not know. */
  readonly unanswered: Execution[] = [];
  sent = 0;
  private ticks = 0;
  /** Number of withdrawals that were begun, with any outcome. */
  begun = 0;
  private timer: NodeJS.Timeout | null = null;
  private readonly inFlight = new Set<Promise<void>>();

  constructor(private readonly options: LoadOptions) {}

  start(): void {
    this.timer = setInterval(() => {
      const work = this.next().finally(() => this.inFlight.delete(work));
      this.inFlight.add(work);
    }, PERIOD_MS);
  }

  /** Resolves when every request has its response. */
  async stop(): Promise<void> {
    if (this.timer !== null) clearInterval(this.timer);
    await Promise.all(this.inFlight);
  }

  private async next(): Promise<void> {
    this.ticks += 1;
    const { wallets } = this.options;
    const wallet = wallets[this.ticks % wallets.length];
    if (wallet === undefined) throw new Error('there is no wallet');
    if (this.ticks % WITHDRAWAL_EACH === 0) return this.withdraw(wallet);
    await this.send(wallet, 'GET', this.ticks % 2 === 0 ? '/v0/wallet/withdraw/balance' : '/v0/wallet/list');
  }

  private async withdraw(wallet: TestWallet): Promise<void> {
    this.begun += 1;
    const amount = `0.001${String(this.begun).padStart(5, '0')}`;
    const address = savedAddress(wallet, 'BTC', 'Bitcoin');
    const order = { asset: 'BTC', network: 'bitcoin', amount, address };
    const quote = await this.send<{ id: string }>(wallet, 'POST', '/v0/wallet/withdraw/quote', order);
    if (quote === null) return;
    const execution = { wallet, amount, path: `/v0/wallet/withdraw/${quote.id}/execute` };
    if (!(await this.execute(execution))) this.unanswered.push(execution);
  }

  /** Sends each unanswered execution once more, as a client does. */
  async repeatUnanswered(): Promise<void> {
    const again = this.unanswered.splice(0);
    for (const execution of again) if (!(await this.execute(execution))) this.unanswered.push(execution);
  }

  private async execute({ wallet, amount, path }: Execution): Promise<boolean> {
    const answer = await this.send<{ result: { transactionId: string } }>(wallet, 'PUT', path, {});
    if (answer !== null) this.executed.push({ wallet, amount, transactionId: answer.result.transactionId });
    return answer !== null;
  }

  /** @returns null after a failure, which is recorded */
  private async send<Body>(wallet: TestWallet, method: string, path: string, body?: object): Promise<Body | null> {
    this.sent += 1;
    const { url, headers } = this.options;
    try {
      const response = await fetch(`${url}${path}`, {
        method,
        headers: { ...headers, 'x-svc-wallet-id': wallet.walletId, 'content-type': 'application/json' },
        body: body === undefined ? undefined : JSON.stringify(body),
      });
      const text = await response.text();
      if (response.ok) return JSON.parse(text) as Body;
      this.failures.push({ wallet, request: `${method} ${path}`, problem: `${response.status} ${text}` });
    } catch (error) {
      this.failures.push({ wallet, request: `${method} ${path}`, problem: String(error) });
    }
    return null;
  }
}
