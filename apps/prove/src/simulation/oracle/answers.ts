import type { Withdrawal } from '#withdrawal';
import { isDenied } from '../exchange/account.js';
import { isFinalRefusal, isGone, textOf, type Answer, type Reply } from '../world/replies.js';
import type { Facts } from './facts.js';

/**
 * Checks that every call after a final response gets the same response, and that no failure is reported after money has
 * left.
 */
export function answersOf(quoteId: string, facts: Facts): string[] {
  const all = facts.answers.filter((answer) => answer.quoteId === quoteId && isRemembered(answer, facts));
  const answers = all.filter(({ isDryRun }) => !isDryRun);
  const withdrawal = facts.rows.withdrawals.find((each) => each.quoteId === quoteId);
  // The exchange denies the withdrawal, so the client first gets a refusal, and a success after the record appears.
  if (facts.ledger.some((record) => record.quoteId === quoteId && isDenied(record)))
    return answers.flatMap((answer) => helplessnessIn(answer, facts));
  return [
    ...all
      .filter(({ isDryRun, reply }) => isDryRun && reply.kind === 'ok')
      .map(({ client }) => `a dry run of ${client} has paid`),
    ...answers.flatMap((answer) => contradictionOf(answer, withdrawal)),
    ...changesIn(canPause(facts) ? answers.filter(({ reply }) => !isPause(reply)) : answers),
    ...answers.flatMap((answer) => falseWordIn(answer, facts)),
    ...answers.flatMap((answer) => helplessnessIn(answer, facts)),
  ];
}

/**
 * Whether a response is compared with others. After a restore of the database, three kinds are left out:
 * - responses from before the restore, because the restored database does not contain them;
 * - responses that name the restore (`database_restored`), because they leave open whether the quote was paid before;
 * - the success of an execution that was sent before the restore, if the restored database does not contain it.
 */
function isRemembered({ startedAt, quoteId, reply }: Answer, { restoredInStep, rows, ledger }: Facts): boolean {
  if (restoredInStep === null) return true;
  if (startedAt <= restoredInStep) return false;
  if (reply.kind === 'refused') return reply.result['reason'] !== 'database_restored';
  const isLost = reply.kind === 'ok' && rows.withdrawals.every(({ id }) => id !== reply.id);
  return !(isLost && ledger.some((record) => record.quoteId === quoteId && record.sentInStep < restoredInStep));
}

function contradictionOf({ reply, client, tag }: Answer, withdrawal: Withdrawal | undefined): string[] {
  if (reply.kind !== 'ok') return [];
  if (withdrawal?.id !== reply.id || withdrawal.transactionId !== reply.transactionId) {
    return [`${client} got the withdrawal ${reply.id}, which is not that of the quote`];
  }
  if (tag !== undefined && tag !== withdrawal.tag) {
    return [`${client} sent the tag ${tag} and got a success, but the tag is ${withdrawal.tag}`];
  }
  return ['created', 'verification_required', 'rejected'].includes(withdrawal.state)
    ? [`${client} got a success for a withdrawal that is ${withdrawal.state}`]
    : [];
}

/**
 * Whether the service may ask a client to repeat a call although the quote has a final response. It may when the clock
 * of a host is wrong, or when the database fails.
 */
function canPause({ isDatabaseWell, scenario }: Facts): boolean {
  return !isDatabaseWell || scenario.hostSkew > 0;
}

/** Whether the response is a refusal that only asks the client to repeat the call. */
function isPause(reply: Reply): boolean {
  return reply.kind === 'refused' && reply.isPause;
}

/** Finds calls whose response differs from an earlier success or final refusal of the same quote. */
function changesIn(answers: Answer[]): string[] {
  const firstOf = (isIt: (answer: Answer) => boolean): Answer | undefined =>
    answers.filter(isIt).sort((a, b) => a.endedAt - b.endedAt)[0];
  const success = firstOf(({ reply }) => reply.kind === 'ok');
  const refusal = firstOf(({ reply }) => isFinalRefusal(reply));
  const problems: string[] = [];
  for (const answer of answers) {
    if (!isAboutTheQuote(answer)) continue;
    for (const first of [success, refusal]) {
      if (first === undefined || answer.startedAt < first.endedAt) continue;
      if (textOf(answer.reply) !== textOf(first.reply) && !isSlowToExpire(first.reply, answer.reply)) {
        problems.push(`${answer.client} got ${textOf(answer.reply)}, but an earlier call got ${textOf(first.reply)}`);
      }
    }
  }
  return problems;
}

/**
 * Whether the responses may differ. After one process has reported the expiry of a quote, a process whose clock is
 * behind may still report another refusal.
 */
function isSlowToExpire(first: Reply, now: Reply): boolean {
  return first.kind === 'refused' && first.code === 'QUOTE_EXPIRED' && now.kind === 'refused';
}

/**
 * Whether the response is about the quote, and not about a fault of the service, an invalid request or a deleted
 * wallet.
 */
function isAboutTheQuote({ reply }: Answer): boolean {
  if (reply.kind === 'broken' || reply.kind === 'lost' || isGone(reply)) return false;
  return reply.kind === 'ok' || !(reply.status === 422 || reply.code === 'GENERIC_VALIDATION_ERROR');
}

function falseWordIn(answer: Answer, { ledger }: Facts): string[] {
  const { reply, quoteId, client } = answer;
  const record = ledger.find((each) => each.quoteId === quoteId);
  if (record === undefined || reply.kind !== 'refused' || reply.isPause || !isAboutTheQuote(answer)) return [];
  const word = `false failure: ${client} got ${textOf(reply)}`;
  // A response that asks for a repeat is false if the money had left before this call began. Any other refusal is false
  // if the money had left before the call ended.
  const since = saysTryAgain(answer) ? answer.startedAt : answer.endedAt;
  if (record.sentInStep < since) return [`${word} after ${record.exchangeId} had left`];
  // If the money left after the call, the refusal was about an earlier attempt and may be correct. Only a final refusal
  // is false then.
  return isFinalRefusal(reply) ? [`${word}, and then ${record.exchangeId} left`] : [];
}

/** Checks that only a failing database causes a response with an internal error. */
function helplessnessIn({ reply, client }: Answer, { isDatabaseWell }: Facts): string[] {
  return reply.kind === 'broken' && isDatabaseWell ? [`${client} got a 500, but nothing had failed`] : [];
}

function saysTryAgain({ reply }: Answer): boolean {
  if (reply.kind !== 'refused') return false;
  const { code, status } = reply;
  return code === 'WITHDRAWAL_PROVIDER_ERROR' || code.startsWith('WITHDRAWAL_2FA_') || status === 409 || status === 429;
}
