import type { Causeway, ChallengeStep, Codes, RunResult } from '#client';

export interface Order {
  asset: string;
  network: string;
  amount: string;
  address: string;
}

/** What the page shows next: a form for the codes of `steps`, or the final status. */
export type Next =
  { state: 'codes'; steps: ChallengeStep[]; relation: 'AND' | 'OR' } | { state: 'ended'; status: RunResult['status'] };

/**
 * Handles one withdrawal at a time. While the withdrawal waits for codes, the page sends them with another request.
 * A real application stores the id of the quote. After a restart it runs the same quote again, which continues the
 * withdrawal.
 */
export class WithdrawalDesk {
  private answerCodes: ((codes: Codes) => void) | null = null;
  private next: Promise<Next> | null = null;

  constructor(
    private readonly causeway: Causeway,
    private readonly walletId: string,
  ) {}

  async begin({ asset, network, amount, address }: Order): Promise<Next> {
    const { causeway, walletId } = this;
    const quote = await causeway.createQuote({ walletId, asset, network, amount, address });
    let ask: (next: Next) => void = () => undefined;
    const question = (): Promise<Next> => new Promise((resolve) => (ask = resolve));
    const first = question();
    const run = causeway.withdrawals.run(quote, {
      walletId,
      onChallenge: ({ steps, relation }) => {
        ask({ state: 'codes', steps, relation });
        return new Promise((resolve) => {
          this.answerCodes = (codes) => {
            this.next = Promise.race([question(), ended]);
            resolve(codes);
          };
        });
      },
    });
    const ended = run.then(({ status }): Next => ({ state: 'ended', status }));
    this.next = Promise.race([first, ended]);
    return await this.next;
  }

  async answer(codes: Codes): Promise<Next> {
    const { answerCodes } = this;
    this.answerCodes = null;
    if (answerCodes === null) throw new Error('no code is asked for');
    answerCodes(codes);
    if (this.next === null) throw new Error('no withdrawal has begun');
    return await this.next;
  }
}
