import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import type { ConnectedWallet } from './connect-wallets.js';

/** Selects the calls to the exchange: those of a refresh of balances, of a quote, or of an execution. */
export type CcxtStep = 'balance' | 'quote' | 'execute';

export interface CcxtOrder {
  sandboxUrl: string;
  wallets: readonly ConnectedWallet[];
  step: CcxtStep;
  /** The withdrawal of a quote or an execution. */
  destination?: { address: string; amount: string };
  /** Wallets that are served in parallel. */
  concurrency: number;
}

/** The cost of the exchange calls of all wallets in this process. */
export interface CcxtCost {
  cpuMsPerWallet: number;
  walletsPerSecond: number;
  /** Milliseconds from the first call of a wallet until the response to its last one, for each wallet. */
  took: number[];
}

/**
 * Runs ccxt alone in its own process, for comparison. The program in that process answers each message with the cost of
 * the requested work.
 */
export class CcxtProcess {
  private readonly child: ChildProcess;
  private readonly ended: Promise<unknown>;

  constructor() {
    this.child = fork(path.join(import.meta.dirname, '../ccxt-cost.main.js'), { env: {}, execArgv: [] });
    this.ended = once(this.child, 'exit');
  }

  async run(order: CcxtOrder): Promise<CcxtCost> {
    const failed = this.ended.then(() =>
      Promise.reject(new Error('the ccxt process ended before it sent its figures; see its error output')),
    );
    const response = once(this.child, 'message');
    this.child.send(order);
    const [cost] = (await Promise.race([response, failed])) as [CcxtCost];
    return cost;
  }

  async stop(): Promise<void> {
    this.child.kill();
    await this.ended;
  }
}

/** Runs in the child process of `CcxtProcess`: answers each message with the result of `run`. */
export function answerOrders(run: (order: CcxtOrder) => Promise<CcxtCost>): void {
  process.on('message', (order: CcxtOrder) => {
    run(order).then(
      (cost) => process.send?.(cost),
      (error: unknown) => {
        process.stderr.write(`${String(error)}\n`);
        process.exit(1);
      },
    );
  });
}
