import { setTimeout as sleep } from 'node:timers/promises';
import { execute, type Headers, type Reply } from './api-client.js';
import type { Random } from './random.js';
import type { ServiceProcess } from './service-process.js';

const ANSWER_TIMEOUT_MS = 30_000;
export const CONFLICT = 409;

/** A quote, and everything that its clients were told. */
export interface AskedQuote {
  id: string;
  asset: string;
  address: string;
  amountNoFee: string;
  replies: Reply[];
}

/** Whether a client with this reply knows where it stands. What it is told to repeat, it repeats. */
export function isFinal(reply: Reply): reply is Extract<Reply, { status: number }> {
  return 'status' in reply && reply.status < 500 && reply.status !== 429;
}

/** Whether all that its clients know is that an equal withdrawal is under way: it is theirs to execute it later, or not. */
export function hasGivenWay({ replies }: AskedQuote): boolean {
  const final = replies.filter(isFinal);
  return final.length > 0 && final.every(({ status }) => status === CONFLICT);
}

/** One client: it begins at one API process, and goes on at the others until it has an answer. */
export async function executeUntilAnswered(
  quote: AskedQuote,
  wallet: Headers,
  apis: readonly ServiceProcess[],
  random: Random,
): Promise<void> {
  const deadline = Date.now() + ANSWER_TIMEOUT_MS;
  for (let turn = 0; Date.now() < deadline; turn++) {
    const address = apis[turn % apis.length]?.address ?? null;
    if (address !== null) {
      const reply = await execute(address, wallet, quote.id);
      quote.replies.push(reply);
      if (isFinal(reply) && random.chance(0.7)) return;
    }
    await sleep(random.between(20, 150));
  }
}
