import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

/**
 * Runs ccxt alone in its own process, for comparison. The program in that process answers each message with the cost of
 * the requested work.
 */
export class CcxtProcess<Order extends object, Cost> {
  private readonly child: ChildProcess;
  private readonly ended: Promise<unknown>;

  /** @param name the program `apps/bench/src/<name>.main.js` */
  constructor(name: string) {
    this.child = fork(path.join(import.meta.dirname, `../${name}.main.js`), { env: {}, execArgv: [] });
    this.ended = once(this.child, 'exit');
  }

  async run(order: Order): Promise<Cost> {
    const failed = this.ended.then(() =>
      Promise.reject(new Error('the ccxt process ended before it sent its figures; see its error output')),
    );
    const response = once(this.child, 'message');
    this.child.send(order);
    const [cost] = (await Promise.race([response, failed])) as [Cost];
    return cost;
  }

  async stop(): Promise<void> {
    this.child.kill();
    await this.ended;
  }
}

/** Runs in the child process of `CcxtProcess`: answers each message with the result of `run`. */
export function answerOrders<Order, Cost extends object>(run: (order: Order) => Promise<Cost>): void {
  process.on('message', (order: Order) => {
    run(order).then(
      (cost) => process.send?.(cost),
      (error: unknown) => {
        process.stderr.write(`${String(error)}\n`);
        process.exit(1);
      },
    );
  });
}
