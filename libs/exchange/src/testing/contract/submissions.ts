import type { Amount } from '#money';
import type { ErrorCode } from '#platform/errors';
import type {
  ExchangeSession,
  PreparedWithdrawal,
  SubmitOutcome,
  WithdrawalInstruction,
} from '../../port/exchange.port.js';
import type { OrderOutcome, PreparedOrder } from '../../port/trading.port.js';
import { ContractBench } from './contract-bench.js';
import type { Subject } from './contract-subjects.js';
import type { ExchangeContract, SubmissionContract } from './exchange-contract.js';

export type Outcome = SubmitOutcome | OrderOutcome;

/** One submission that is ready to be sent. */
export interface ReadySubmission {
  readonly prepared: PreparedWithdrawal | PreparedOrder;
  /** Sends the submission through a session, at most once. */
  readonly send: (session: ExchangeSession, beforeSend: () => void) => Promise<Outcome>;
}

/** One of the two calls that move money. */
export interface SubmissionKind {
  readonly name: 'withdrawal' | 'order';
  readonly contract: SubmissionContract;
  /** Our error codes for refusals that have no specific code. */
  readonly codes: { readonly rateLimited: ErrorCode; readonly otherwise: ErrorCode };
  readonly prepare: (session: ExchangeSession) => Promise<ReadySubmission>;
}

/** The calls of an exchange that move money, from its contract. */
export function submissionsOf({ withdrawals, orders }: ExchangeContract): SubmissionKind[] {
  const kinds: SubmissionKind[] = [];
  if (withdrawals !== undefined) {
    kinds.push({
      name: 'withdrawal',
      contract: withdrawals,
      codes: { rateLimited: 'WITHDRAWAL_RATE_LIMIT_EXCEEDED', otherwise: 'WITHDRAWAL_PROVIDER_ERROR' },
      prepare: (session) => prepareWithdrawal(session, withdrawals.instruction),
    });
  }
  if (orders !== undefined) {
    kinds.push({
      name: 'order',
      contract: orders,
      codes: { rateLimited: 'GENERIC_RATE_LIMIT_EXCEEDED', otherwise: 'TRADING_PROVIDER_ERROR' },
      prepare: (session) => Promise.resolve(prepareOrder(session, orders.instruction)),
    });
  }
  return kinds;
}

export async function prepareWithdrawal(
  { withdrawals }: ExchangeSession,
  instruction: WithdrawalInstruction,
): Promise<ReadySubmission> {
  if (withdrawals === undefined) throw new Error('the session has no withdrawals');
  const prepared = await withdrawals.prepare(instruction);
  return {
    prepared,
    send: (session, beforeSend) =>
      session.withdrawals?.submit(prepared, { beforeSend }) ??
      Promise.reject(new Error('the session has no withdrawals')),
  };
}

export function prepareOrder(
  { trading }: ExchangeSession,
  {
    volume,
    price,
    ...rest
  }: { volume: Amount; price: Amount | null; exchangeSymbol: string; side: 'buy' | 'sell'; type: 'market' | 'limit' },
): ReadySubmission {
  if (trading === undefined) throw new Error('the session has no trading');
  const clientOrderId = trading.newClientOrderId();
  const submissionDeadline = new Date(Date.now() + 30_000);
  const prepared = trading.prepare({ ...rest, volume, price, clientOrderId, submissionDeadline });
  return {
    prepared,
    send: (session, beforeSend) =>
      session.trading?.place(prepared, { beforeSend }) ?? Promise.reject(new Error('the session has no trading')),
  };
}

/** The result of one submission that was sent. */
export interface Sent {
  readonly outcome: Outcome;
  /** How often `beforeSend` was called. */
  readonly begun: number;
}

/** Sends one submission, and counts the calls of `beforeSend`. */
export async function sendOnce(ready: ReadySubmission, session: ExchangeSession): Promise<Sent> {
  let begun = 0;
  const outcome = await ready.send(session, () => void begun++);
  return { outcome, begun };
}

/** Prepares and sends one submission while the stub behaves as `arrange` sets. Exactly one request is sent. */
export async function submitOne(
  subject: Subject,
  kind: SubmissionKind,
  arrange: (bench: ContractBench) => void,
  settings: Readonly<Record<string, string>> = {},
): Promise<Outcome> {
  let outcome: Outcome | undefined;
  await ContractBench.run(
    subject,
    async (bench) => {
      const session = await bench.open();
      const ready = await kind.prepare(session);
      bench.stub.forget();
      arrange(bench);
      const sent = await sendOnce(ready, session);
      outcome = sent.outcome;
      expect(bench.stub.calls().map(({ route }) => route)).toEqual([kind.contract.route]);
      expect(sent.begun).toBe(1);
    },
    settings,
  );
  if (outcome === undefined) throw new Error('nothing was sent');
  return outcome;
}
