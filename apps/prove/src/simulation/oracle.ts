import type { Withdrawal } from '#withdrawal';
import type { LedgerRecord } from './exchange/ledger.js';
import { isAtRest } from './invariants.js';
import { isFinalRefusal, textOf, type Answer, type Reply } from './replies.js';
import type { Rows } from './store/simulated-store.js';

/** What is known when a run is over: what the exchange has done, what the service believes, and what it has told. */
export interface Facts {
  rows: Rows;
  ledger: readonly LedgerRecord[];
  quoteIds: readonly string[];
  answers: readonly Answer[];
  /** Why a withdrawal waits for an operator, as the log has it. */
  reviews: ReadonlyMap<string, string>;
  /** No call of the database failed. */
  isDatabaseWell: boolean;
  /** Somebody died, or the database failed: a log may lack its last words. */
  isLogComplete: boolean;
}

/** Everything that must not be, in words; an empty list is a good run. */
export function judge(facts: Facts): string[] {
  return [
    ...facts.quoteIds.flatMap((quoteId) => [...moneyOf(quoteId, facts), ...answersOf(quoteId, facts)]),
    ...facts.rows.withdrawals.flatMap((w) => [...restOf(w), ...reviewOf(w, facts), ...feeOf(w, facts)]),
  ];
}

/** 0 duplicate, 0 lost, 0 ghost. */
function moneyOf(quoteId: string, { rows, ledger }: Facts): string[] {
  const moved = ledger.filter((record) => record.quoteId === quoteId);
  const withdrawal = rows.withdrawals.find((w) => w.quoteId === quoteId);
  const name = `quote ${quoteId} (${withdrawal?.state ?? 'not executed'})`;
  const ids = moved.map(({ exchangeId }) => exchangeId).join(', ');
  const [record, second] = moved;
  if (second !== undefined) return [`duplicate: ${ids} left for ${name}`];
  if (withdrawal === undefined) return record === undefined ? [] : [`lost: ${ids} left for ${name}`];
  const { exchangeId } = withdrawal;
  if (exchangeId !== null && exchangeId !== record?.exchangeId) {
    if (isHarmless(withdrawal, record, ledger)) return [];
    return [`ghost: ${name} is linked to ${exchangeId}, which is not its own (${ids || 'it has none'})`];
  }
  return record === undefined ? endWithoutMoney(withdrawal, name) : endWithMoney(withdrawal, record, name);
}

function endWithoutMoney({ state }: Withdrawal, name: string): string[] {
  return ['submitted', 'completed', 'canceled'].includes(state) ? [`ghost: nothing left for ${name}`] : [];
}

function endWithMoney({ state, exchangeId }: Withdrawal, record: LedgerRecord, name: string): string[] {
  if (state === 'review') return [];
  // It came back, and the history never showed it in a form that could be recognized.
  const isBack = record.status === 'failed' || record.status === 'canceled';
  if (exchangeId === null && state === 'failed' && isBack) return [];
  if (exchangeId === null) return [`lost: ${record.exchangeId} left for ${name}, which does not know it`];
  return state === record.status ? [] : [`false end: ${record.exchangeId} is ${record.status}, ${name}`];
}

/** Nothing left, and it is called failed for the sake of an older record that has failed and that the history showed late. */
function isHarmless(w: Withdrawal, own: LedgerRecord | undefined, ledger: readonly LedgerRecord[]): boolean {
  const linked = ledger.find(({ exchangeId }) => exchangeId === w.exchangeId);
  return own === undefined && w.state === 'failed' && linked?.quoteId === null && linked.status === 'failed';
}

/** Equal answers for all calls once one was given, and no word of failure about money that left. */
function answersOf(quoteId: string, facts: Facts): string[] {
  const all = facts.answers.filter((answer) => answer.quoteId === quoteId);
  const answers = all.filter(({ isDryRun }) => !isDryRun);
  const withdrawal = facts.rows.withdrawals.find((w) => w.quoteId === quoteId);
  return [
    ...all
      .filter(({ isDryRun, reply }) => isDryRun && reply.kind === 'ok')
      .map(({ client }) => `a dry run of ${client} has paid`),
    ...answers.flatMap((answer) => contradictionOf(answer, withdrawal)),
    ...changesIn(answers),
    ...answers.flatMap((answer) => falseWordIn(answer, facts)),
    ...answers.flatMap((answer) => helplessnessIn(answer, facts)),
  ];
}

function contradictionOf({ reply, client, tag }: Answer, withdrawal: Withdrawal | undefined): string[] {
  if (reply.kind !== 'ok') return [];
  if (withdrawal?.id !== reply.id || withdrawal.transactionId !== reply.transactionId) {
    return [`${client} was told of withdrawal ${reply.id}, which is not that of the quote`];
  }
  if (tag !== undefined && tag !== withdrawal.tag) {
    return [`${client} sent the tag ${tag} and was told yes, but the tag is ${withdrawal.tag}`];
  }
  return ['created', 'verification_required', 'rejected'].includes(withdrawal.state)
    ? [`${client} was told yes of a withdrawal that is ${withdrawal.state}`]
    : [];
}

/** Once an answer is given that clients rely on, every later call gets it. */
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
        problems.push(`first ${textOf(first.reply)}, then ${textOf(answer.reply)} for ${answer.client}`);
      }
    }
  }
  return problems;
}

/** A process whose clock is behind learns late that a quote is over, and may complain of something else before. */
function isSlowToExpire(first: Reply, now: Reply): boolean {
  return first.kind === 'refused' && first.code === 'QUOTE_EXPIRED' && now.kind === 'refused';
}

/** Neither trouble of ours nor a question about something else, such as another tag. */
function isAboutTheQuote({ reply }: Answer): boolean {
  if (reply.kind === 'broken' || reply.kind === 'lost') return false;
  return reply.kind === 'ok' || !(reply.status === 422 || reply.code === 'GENERIC_VALIDATION_ERROR');
}

function falseWordIn(answer: Answer, { ledger }: Facts): string[] {
  const { reply, quoteId, client } = answer;
  const record = ledger.find((each) => each.quoteId === quoteId);
  if (record === undefined || reply.kind !== 'refused' || reply.isPause || !isAboutTheQuote(answer)) return [];
  const word = `false failure: ${client} was told ${textOf(reply)}`;
  // "Try again" is true of what this call has done, also when another one has sent meanwhile.
  const since = saysTryAgain(answer) ? answer.startedAt : answer.endedAt;
  if (record.sentInStep < since) return [`${word} after ${record.exchangeId} had left`];
  // What was told before can be true of an earlier attempt, unless it was said to be the end.
  return isFinalRefusal(reply) ? [`${word}, and then ${record.exchangeId} left`] : [];
}

/** An error that is not the client's business is one of the database. */
function helplessnessIn({ reply, client }: Answer, { isDatabaseWell }: Facts): string[] {
  return reply.kind === 'broken' && isDatabaseWell ? [`${client} was told 500, but nothing had failed`] : [];
}

function saysTryAgain({ reply }: Answer): boolean {
  if (reply.kind !== 'refused') return false;
  const { code, status } = reply;
  return code === 'WITHDRAWAL_PROVIDER_ERROR' || code.startsWith('WITHDRAWAL_2FA_') || status === 409 || status === 429;
}

/** 0 stuck. */
function restOf(w: Withdrawal): string[] {
  return isAtRest(w) ? [] : [`stuck: withdrawal ${w.id} is ${w.state}`];
}

/** An operator is asked only where docs/withdrawals.md says so, and where that can be in this run. */
function reviewOf(w: Withdrawal, { reviews, isLogComplete, ledger }: Facts): string[] {
  if (w.state !== 'review') return [];
  const reason = reviews.get(w.id);
  const own = ledger.find(({ quoteId }) => quoteId === w.quoteId);
  const others = ledger.filter((record) => record !== own);
  const allowed: Readonly<Record<string, boolean>> = {
    'several records at the exchange fit': others.length > 0,
    'a record at the exchange may or may not be this one': ledger.some(({ form }) => form === 'possible'),
    'not in the history, but the exchange lists no movements and the balance has changed':
      others.length > 0 || own?.form === 'strange',
  };
  const isAllowed = reason === undefined ? !isLogComplete : allowed[reason] === true;
  return isAllowed ? [] : [`withdrawal ${w.id} waits for an operator: ${reason ?? 'nobody said why'}`];
}

/** What the exchange really charged is in the history of the wallet, and beside it what arrives of the debit. */
function feeOf(w: Withdrawal, { rows, ledger }: Facts): string[] {
  const record = ledger.find(({ exchangeId }) => exchangeId === w.exchangeId);
  if (w.state !== 'completed' || record === undefined) return [];
  const transaction = rows.transactions.find(({ id }) => id === w.transactionId);
  const fee = transaction?.fee ?? null;
  if (fee === null || !fee.equals(record.fee))
    return [`the fee of withdrawal ${w.id} is ${fee?.toString() ?? 'not there'}`];
  const debit = transaction?.amount.plus(fee);
  return debit?.equals(record.debit) === true ? [] : [`withdrawal ${w.id} shows a debit of ${debit?.toString()}`];
}
