import type { StoreKind } from '../simulation/index.js';

/** A rule taken out of the compiled program. */
export interface Mutant {
  name: string;
  /** The rule that is gone. */
  removes: string;
  /** Compiled file, below `dist`. */
  file: string;
  /** Each is found exactly once. */
  edits: readonly { find: string; replace: string }[];
  /** The database of the simulation that shows it: SQL is only in the real one. */
  store: StoreKind;
  /** Seeds that are played to find it: about five times as many as it took. */
  seeds: number;
}

const EXECUTION = 'libs/withdrawal/src/execution';
const SUBMIT = `${EXECUTION}/submit-withdrawal.js`;
const EXECUTE = `${EXECUTION}/execute-quote.js`;
const RECONCILE = `${EXECUTION}/settlement.js`;
const STORE = `${EXECUTION}/withdrawal-store.js`;
const LEDGER = `${EXECUTION}/withdrawal-ledger.js`;
const SCHEMA = 'libs/platform/src/database/migrations/0001-initial.js';

const one = (find: string, replace: string): Mutant['edits'] => [{ find, replace }];

const SEND = 'const outcome = await this.send(capability, checked.prepared, attempt, quote, context);';
const BEGIN = 'const { withdrawal, attempt } = await this.store.begin(quote, wallet, claim, {';
const RECORD_UNKNOWN = 'return this.ledger.unknown(w, attempt, { reason: outcome.reason, ...outcome.answer }, now);';

/** Rules of the code, tried with the database in memory. */
const inCode: readonly Omit<Mutant, 'store'>[] = [
  {
    name: 'blind-retry',
    removes: 'a submission without an answer is never sent again',
    file: SUBMIT,
    edits: one(
      SEND,
      `${SEND.replace('const', 'let')} if (outcome.kind === 'unknown') outcome = await this.send(capability, checked.prepared, attempt, quote, context);`,
    ),
    seeds: 2_000,
  },
  {
    name: 'unknown-is-rejected',
    removes: 'only an allow-listed answer is a rejection',
    file: SUBMIT,
    edits: one(
      RECORD_UNKNOWN,
      `return this.ledger.rejected(w, attempt, { code: 'WITHDRAWAL_PROVIDER_ERROR', message: '', result: null }, {}, now);`,
    ),
    seeds: 2_000,
  },
  {
    name: 'unknown-is-not-sent',
    removes: 'an unknown outcome is not taken for one that was not sent',
    file: SUBMIT,
    edits: one(RECORD_UNKNOWN, 'return this.ledger.notSent(w, attempt, outcome.reason, now, until);'),
    seeds: 2_000,
  },
  {
    name: 'sent-before-intent',
    removes: 'the intent is committed before anything is sent',
    file: SUBMIT,
    edits: [
      {
        find: BEGIN,
        replace: `const early = attemptNumber === 1 ? await capability.submit(checked.prepared, { proof: context.proof, beforeSend: () => undefined }) : null; ${BEGIN}`,
      },
      { find: SEND, replace: SEND.replace('await this.send', 'early ?? await this.send') },
    ],
    seeds: 2_000,
  },
  {
    name: 'no-look-before-sending',
    removes: 'immediately before the bytes are written lease, deadline and quote are checked',
    file: SUBMIT,
    edits: one('if (now.getTime() >= sendBefore)', 'if (sendBefore === 0)'),
    seeds: 2_000,
  },
  {
    name: 'sent-after-the-quote',
    removes: 'nothing is sent after the end of the quote',
    file: SUBMIT,
    edits: one('Math.min(deadline, leaseEnds, quote.expiresAt.getTime())', 'Math.min(deadline, leaseEnds)'),
    seeds: 2_000,
  },
  {
    name: 'known-ids-ignored',
    removes: 'a record that was there before the attempt is not the attempt',
    file: SUBMIT,
    edits: one('return alike.map(({ exchangeId }) => exchangeId);', 'return alike.map(() => "");'),
    seeds: 2_000,
  },
  {
    name: 'lost-commit-is-unknown',
    removes: 'what is definite and may be written down is not told as unknown',
    file: SUBMIT,
    edits: [
      {
        find: 'const current = recorded ? null : await this.store.find(withdrawal.id).catch(() => null);',
        replace: 'const current = null;',
      },
      { find: 'if (!recorded && isDefinite(outcome))', replace: 'if (recorded === null)' },
    ],
    seeds: 2_000,
  },
  {
    name: 'lease-goes-back-to-created',
    removes: 'an expired lease never leads back to sending',
    file: RECONCILE,
    edits: one(
      `await this.ledger.unknown(w, sending, { reason: 'lease expired' }, now);`,
      `await this.ledger.notSent(w, sending, 'lease expired', now, await this.store.quoteExpiry(w.quoteId));`,
    ),
    seeds: 2_000,
  },
  {
    name: 'absence-counts-at-once',
    removes: 'absence counts only when the exchange can no longer accept the request',
    file: RECONCILE,
    edits: one('if (now < provableFrom) {', 'if (provableFrom === null) {'),
    seeds: 2_000,
  },
  {
    name: 'one-clean-listing',
    removes: 'absence counts only when it was seen twice',
    file: RECONCILE,
    edits: one('const CLEAN_LISTINGS = 2;', 'const CLEAN_LISTINGS = 1;'),
    seeds: 30_000,
  },
  {
    name: 'listings-without-a-gap',
    removes: 'two clean listings are at least a minute apart',
    file: RECONCILE,
    edits: [
      { find: 'if (lastAt !== null && now.getTime() - lastAt.getTime() < gapMs) {', replace: 'if (gapMs === 0) {' },
      {
        find: 'return this.ledger.absent(w, attempt, now, new Date(now.getTime() + gapMs));',
        replace: 'return this.ledger.absent(w, attempt, now, now);',
      },
    ],
    seeds: 30_000,
  },
  {
    name: 'evidence-is-not-asked',
    removes: 'without a fence absence counts only with evidence',
    file: RECONCILE,
    edits: one('if (!evidence.isProven) {', 'if (evidence === null) {'),
    seeds: 2_000,
  },
  {
    name: 'failed-record-believed-early',
    removes: 'a failed record counts only when ours can no longer come',
    file: RECONCILE,
    edits: one('if (hit !== undefined && !hasFailed)', 'if (hit !== undefined)'),
    seeds: 2_000,
  },
  {
    name: 'first-of-several',
    removes: 'several records that fit are an operator’s to tell apart',
    file: RECONCILE,
    edits: one('if (hit !== undefined && found.length > 1)', 'if (hit === null)'),
    seeds: 2_000,
  },
  {
    name: 'possible-is-certain',
    removes: 'a record that is only possibly ours is never linked without an operator',
    file: RECONCILE,
    edits: one('found.find(({ isCertain }) => isCertain)', 'found.find(() => true)'),
    seeds: 2_000,
  },
  {
    name: 'unknown-is-told-as-an-error',
    removes: 'unknown is answered like accepted',
    file: EXECUTE,
    edits: one(`if (current.state !== 'created')`, `if (current.state !== 'created' && current.state !== 'unknown')`),
    seeds: 2_000,
  },
  {
    name: 'expiry-told-but-not-written',
    removes: 'the end of a quote is written down before it is told',
    file: EXECUTE,
    edits: one('await this.ledger.expired(quote, EXPIRED, this.clock.now());', ''),
    seeds: 2_000,
  },
  {
    name: 'errors-beside-a-payment',
    removes: 'a call that fails beside one that has paid answers with the payment',
    file: EXECUTE,
    edits: one(
      'const executed = input.dryRun ? null : await this.store.findByQuote(quote.projectId, quote.id);',
      'const executed = null;',
    ),
    seeds: 2_000,
  },
  {
    name: 'other-tags-accepted',
    removes: 'a repeat with another tag is refused',
    file: EXECUTE,
    edits: one('if (given !== undefined && given !== earlier.tag)', 'if (given === 0)'),
    seeds: 2_000,
  },
  {
    name: 'dry-runs-pay',
    removes: 'a dry run never moves money',
    file: EXECUTE,
    edits: one('return input.dryRun ? this.tryDry(subject, input) : this.pay', 'return this.pay'),
    seeds: 2_000,
  },
];

/** Rules of the SQL. */
const inSql: readonly Omit<Mutant, 'store'>[] = [
  {
    name: 'no-shape-index',
    removes: 'no two unresolved attempts look alike',
    file: SCHEMA,
    edits: [
      {
        find: 'create unique index withdrawal_attempts_one_debit',
        replace: 'create index withdrawal_attempts_one_debit',
      },
      {
        find: 'create unique index withdrawal_attempts_one_receipt',
        replace: 'create index withdrawal_attempts_one_receipt',
      },
    ],
    seeds: 200,
  },
  {
    name: 'linked-ids-ignored',
    removes: 'a record that is linked to another withdrawal is not this one',
    file: STORE,
    edits: one('...rows.map((row) => row.exchange_id)', ''),
    seeds: 200,
  },
  {
    name: 'claim-in-any-state',
    removes: 'only a withdrawal that may be submitted gets an attempt',
    file: STORE,
    edits: one('return { withdrawal, attempt: null };', ';'),
    seeds: 200,
  },
  {
    name: 'results-without-a-guard',
    removes: 'a result is recorded only for an attempt that has none',
    file: LEDGER,
    edits: one(
      'where id = $1 and outcome = any($2) returning id',
      'where id = $1 and $2::text[] is not null returning id',
    ),
    seeds: 200,
  },
];

export const mutants: readonly Mutant[] = [
  ...inCode.map((mutant): Mutant => ({ ...mutant, store: 'memory' })),
  ...inSql.map((mutant): Mutant => ({ ...mutant, store: 'postgres' })),
];
