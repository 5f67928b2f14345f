import { files, mutant, type ProvenMutant } from './mutant.js';

const SEND =
  'const sent = await this.send(capability, checked.prepared, attempt, { ...context, expiresAt: quote.expiresAt });';
const BEGIN = 'const { withdrawal, attempt } = await this.store.begin(quote, wallet, claim, {';
const RECORD_UNKNOWN =
  'return this.transitions.unknown(withdrawal, attempt, { reason: outcome.reason, ...outcome.answer }, now);';

/** Each mutant lacks a rule for executing a quote. */
export const sending: readonly ProvenMutant[] = [
  mutant({
    name: 'blind-retry',
    removes: 'a submission without an answer is never sent again',
    file: files.submit,
    find: SEND,
    replace: `${SEND.replace('const', 'let')} if (sent.kind === 'unknown') ${SEND.replace('const ', '')}`,
  }),
  mutant({
    name: 'refusals-are-believed',
    removes: 'a refusal counts only when the account shows that nothing has left',
    file: files.submit,
    find: 'await confirmRefusal(session, outcome, submission, waitForLag)',
    replace: 'outcome',
  }),
  mutant({
    name: 'one-look-at-a-refusal',
    removes: 'the account is looked at a second time, after the lag of the exchange, before a refusal counts',
    file: files.confirmation,
    find: '?? (await laterDoubt(session, submission, waitForLag))',
    replace: '?? null',
    with: ['executed_refusal'],
  }),
  mutant({
    name: 'second-look-at-once',
    removes: 'the second look at the account comes later than the exchange lags',
    file: files.submit,
    find: 'this.clock.sleep(lagMs)',
    replace: 'this.clock.sleep(0)',
    with: ['executed_refusal'],
  }),
  mutant({
    name: 'unknown-is-rejected',
    removes: 'only responses that the error map lists as refusals count as refusals',
    file: files.submit,
    find: RECORD_UNKNOWN,
    replace: `return this.transitions.rejected(withdrawal, attempt, { refusal: { code: 'WITHDRAWAL_PROVIDER_ERROR', message: '', result: null }, answer: {}, now });`,
  }),
  mutant({
    name: 'unknown-is-not-sent',
    removes: 'an unknown outcome is not taken for one that was not sent',
    file: files.submit,
    find: RECORD_UNKNOWN,
    replace: 'return this.transitions.notSent(withdrawal, attempt, { reason: outcome.reason, now, until });',
  }),
  mutant({
    name: 'sent-before-intent',
    removes: 'the intent is committed before anything is sent',
    edits: [
      {
        file: files.submit,
        find: BEGIN,
        replace: `const early = attemptNumber === 1 ? await capability.submit(checked.prepared, { proof: context.proof, beforeSend: () => undefined }) : null; ${BEGIN}`,
      },
      { file: files.submit, find: SEND, replace: SEND.replace('await this.send', 'early ?? await this.send') },
    ],
  }),
  mutant({
    name: 'no-look-before-sending',
    removes: 'lease, deadline and quote are checked immediately before the bytes are written',
    file: files.submit,
    find: 'if (now.getTime() >= sendBefore)',
    replace: 'if (sendBefore === 0)',
  }),
  mutant({
    name: 'sent-after-the-quote',
    removes: 'nothing is sent after the end of the quote',
    file: files.submit,
    find: 'Math.min(deadline, leaseEnds, expiresAt.getTime())',
    replace: 'Math.min(deadline, leaseEnds)',
  }),
  mutant({
    name: 'known-ids-ignored',
    removes: 'a record that the exchange had before the attempt is not the record of the attempt',
    file: files.submit,
    find: 'return alike.filter(({ isOnlyAlike }) => isByMatch || isOnlyAlike === true).map(({ exchangeId }) => exchangeId);',
    replace: 'return alike.map(() => "");',
  }),
  mutant({
    name: 'lost-commit-is-unknown',
    removes: 'a definite outcome that can be recorded is not reported as unknown',
    edits: [
      {
        file: files.submit,
        find: 'const current = recorded ? null : await this.store.find(withdrawal.id).catch(() => null);',
        replace: 'const current = null;',
      },
      { file: files.submit, find: 'if (!recorded && isDefinite(outcome))', replace: 'if (recorded === null)' },
    ],
  }),
  mutant({
    name: 'unknown-is-reported-as-error',
    removes: 'an unknown outcome is reported like an accepted withdrawal',
    file: files.execute,
    find: `if (current.state !== 'created')`,
    replace: `if (current.state === 'unknown') throw new ProviderError('unknown');\nif (current.state !== 'created')`,
  }),
  mutant({
    name: 'expiry-reported-but-not-recorded',
    removes: 'the service stores that a quote has expired before it returns that error',
    file: files.execute,
    find: 'await this.transitions.expired(quote, EXPIRED, this.clock.now());',
    with: ['late_clients'],
    seeds: 5_000,
  }),
  mutant({
    name: 'other-tags-accepted',
    removes: 'a repeat with another tag is refused',
    file: files.tag,
    find: "if (withdrawal.tag === tag || withdrawal.state === 'rejected')",
    replace: 'if (withdrawal !== null)',
  }),
  mutant({
    name: 'dry-runs-pay',
    removes: 'a dry run never moves money',
    file: files.execute,
    find: 'return this.tryDry(subject, wallet, input);',
    replace: ';',
  }),
  mutant({
    name: 'paid-with-other-credentials',
    removes: 'a quote is executed only with the credentials that it was made with',
    edits: [
      {
        file: files.execute,
        find: 'if (credentialVersion !== quote.credentialVersion)',
        replace: "if (credentialVersion === '')",
      },
      { file: files.wallets, find: 'if (current.length === 0)', replace: 'if (current === null)' },
    ],
    store: 'postgres',
    with: ['replaced_credentials'],
    seeds: 200,
  }),
  mutant({
    name: 'host-clocks-decide',
    removes: 'the clock of the database decides about money, whatever the clock of the host shows',
    file: files.databaseClock,
    find: 'const databaseMs = (await this.ask()).getTime();',
    replace: 'await this.ask(); const databaseMs = hostMs;',
    with: ['host_clock'],
  }),
];
