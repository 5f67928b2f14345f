import { setTimeout as sleep } from 'node:timers/promises';
import { execute, type Headers, type Reply } from './api-client.js';
import type { Random } from './random.js';
import type { ServiceProcess } from './installation/service-process.js';

/** On a busy machine, the restart of killed processes alone may take half a minute. */
const ANSWER_TIMEOUT_MS = 120_000;
export const CONFLICT = 409;

/** A quote, and all responses that its clients got. */
export interface AskedQuote {
  id: string;
  asset: string;
  address: string;
  amountNoFee: string;
  replies: Reply[];
  /** Reads the newest verification code of the withdrawal; absent = the exchange requires no code. */
  readCode?: () => Promise<string | null>;
}

/** Whether the response is final. After any other response, a client repeats the call. */
export function isFinal(reply: Reply): reply is Extract<Reply, { status: number }> {
  return 'status' in reply && reply.status < 500 && reply.status !== 429 && !needsCode(reply);
}

/** Whether the response asks for a code: the first one, or a new one. */
export function needsCode(reply: Reply): boolean {
  return 'body' in reply && (reply.body as { type?: string } | null)?.type === 'WITHDRAWAL_2FA_REQUIRED_TOTP';
}

/**
 * Whether every final response refused the quote as a duplicate of an unresolved withdrawal. Such a quote may still be
 * executed later.
 */
export function hasGivenWay({ replies }: AskedQuote): boolean {
  const final = replies.filter(isFinal);
  return final.length > 0 && final.every(({ status }) => status === CONFLICT);
}

/** Acts as one client, which executes the quote until it has a final response. */
export function executeUntilAnswered(
  quote: AskedQuote,
  wallet: Headers,
  apis: readonly ServiceProcess[],
  random: Random,
): Promise<void> {
  return callUntilAnswered(apis, random, async (address) => {
    const reply = await execute(address, wallet, quote.id, (await quote.readCode?.()) ?? null);
    quote.replies.push(reply);
    return isFinal(reply);
  });
}

/**
 * Makes a call at the API processes in turn until its response is final. A few callers repeat it all the same.
 * @param callOnce returns whether the response was final
 */
export async function callUntilAnswered(
  apis: readonly ServiceProcess[],
  random: Random,
  callOnce: (address: string) => Promise<boolean>,
): Promise<void> {
  const deadline = Date.now() + ANSWER_TIMEOUT_MS;
  for (let turn = 0; Date.now() < deadline; turn++) {
    const address = apis[turn % apis.length]?.address ?? null;
    if (address !== null && (await callOnce(address)) && random.chance(0.7)) return;
    await sleep(random.between(20, 150));
  }
}
