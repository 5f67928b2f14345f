import { testedMutant, type TestedMutant } from './mutant.js';

const EXECUTION = 'libs/withdrawal/src/execution';
const SETTLING = 'libs/withdrawal/src/settling';
const QUOTE = 'libs/withdrawal/src/quote';
const REFUSALS = 'libs/wallet/src/refusals';
const BODIES = 'libs/platform/src/http/bodies';

/**
 * Mutants that tests must catch. Each removes a rule about the bodies of requests, records of other credentials,
 * refused credentials, tags that a caller leaves out, or wrong clocks.
 */
export const inTests: readonly TestedMutant[] = [
  testedMutant({
    name: 'misspelled-dry-runs-pay',
    removes: 'an unknown member of params is refused',
    file: `${EXECUTION}/exact-execution.guard.ts`,
    find: "return [invalid(field, 'is unknown; the only member of params is dryRun')];",
    replace: 'return [];',
    spec: 'apps/api/test/withdrawals/exact-execution.e2e-spec.ts',
  }),
  testedMutant({
    name: 'misplaced-dry-runs-pay',
    removes: 'a request for a dry run outside of params is refused',
    file: `${BODIES}/misspelled-names.ts`,
    find: 'return dryRunsIn({ [name]: value }, dryRunHint);',
    replace: 'return [];',
    spec: 'apps/api/test/withdrawals/exact-execution.e2e-spec.ts',
  }),
  testedMutant({
    name: 'null-bodies-pay',
    removes: 'JSON that is not an object is refused',
    file: `${BODIES}/object-body.pipe.ts`,
    find: "if (type !== 'body' || value === undefined || isJsonObject(value)) return value;",
    replace: 'if (type !== undefined) return value;',
    spec: 'apps/api/test/withdrawals/exact-execution.e2e-spec.ts',
  }),
  testedMutant({
    name: 'forms-are-read-everywhere',
    removes: 'only the pages for owners take forms',
    file: `${BODIES}/read-bodies.ts`,
    find: 'request.routeOptions.config.takesForm === true && isOnly(FORM_TYPE, request)',
    replace: 'isOnly(FORM_TYPE, request)',
    spec: 'apps/api/test/http/bodies.e2e-spec.ts',
  }),
  testedMutant({
    name: 'any-body-is-json',
    removes: 'only a body with the content type of JSON is read as JSON',
    file: `${BODIES}/read-bodies.ts`,
    find: 'if (isOnly(JSON_TYPE, request)) return undefined;',
    replace: 'return undefined;',
    spec: 'apps/api/test/http/bodies.e2e-spec.ts',
  }),
  testedMutant({
    name: 'withdrawals-follow-too-soon',
    removes: 'a withdrawal is not sent within the time that the exchange requires after an equal one',
    file: 'libs/exchange/src/client/exchange-client.ts',
    find: 'if (spacing !== undefined) await signing?.takeSpace(spacing);',
    replace: 'if (spacing?.periodMs === 0) await signing?.takeSpace(spacing);',
    spec: 'libs/exchange/src/exchanges/bybit/bybit-spacing.spec.ts',
  }),
  testedMutant({
    name: 'records-of-other-credentials-are-ignored',
    removes: 'a record that fits and is linked to a withdrawal with other credentials proves nothing',
    file: `${SETTLING}/settlement.ts`,
    find: "return 'the record that fits is linked to a withdrawal with other credentials';",
    replace: 'return null;',
    spec: `${SETTLING}/shared-account.int-spec.ts`,
  }),
  testedMutant({
    name: 'links-of-other-credentials-explain-movements',
    removes: 'a movement is not explained by a link to a withdrawal with other credentials',
    file: `${SETTLING}/prove-absence.ts`,
    find: '[...unlinked, ...ofOtherCredentials]',
    replace: '[...(ofOtherCredentials.length < 0 ? ofOtherCredentials : unlinked)]',
    spec: `${SETTLING}/shared-account.int-spec.ts`,
  }),
  testedMutant({
    name: 'errors-beside-a-payment',
    removes: 'a call that fails reports the withdrawal that another call has sent meanwhile',
    file: `${EXECUTION}/execute-quote.ts`,
    find: 'const executed = input.dryRun ? null : await this.store.findByQuote(quote.projectId, quote.id);',
    replace: 'const executed = await Promise.resolve(null);',
    spec: `${EXECUTION}/execute-quote-beside.int-spec.ts`,
  }),
  testedMutant({
    name: 'one-look-at-each-exchange',
    removes: 'the account at Binance, OKX, Bybit, KuCoin or Coinbase is looked at again before a refusal counts',
    file: `${EXECUTION}/confirm-refusal.ts`,
    find: '(await waitForLag()) ? doubtIn(session, submission)',
    replace: '(await waitForLag()) ? null',
    spec: 'apps/api/test/withdrawals/executed-refusal.e2e-spec.ts',
  }),
  testedMutant({
    name: 'unknown-statuses-are-pending',
    removes: 'a withdrawal that the exchange shows with an undocumented status goes to an operator',
    file: `${SETTLING}/settlement.ts`,
    find: "if (seen?.status === 'pending') {",
    replace: "if (seen?.status === 'pending' || seen?.rawStatus === 'Sleeping') {",
    spec: `${SETTLING}/follow-withdrawal.int-spec.ts`,
  }),
  testedMutant({
    name: 'wrong-ids-decide',
    removes: 'the record with our reference is the withdrawal, whatever id the exchange gave',
    file: `${SETTLING}/settlement.ts`,
    find: "if (attempt !== null && verdict.kind === 'wrong') return this.correct(withdrawal, attempt, verdict.record);",
    spec: `${SETTLING}/follow-withdrawal.int-spec.ts`,
  }),
  testedMutant({
    name: 'records-without-our-reference-decide',
    removes: 'a record with the id that the exchange gave settles a withdrawal only if it has our reference',
    file: `${SETTLING}/named-record.ts`,
    find: 'isShown || mayChangeReference',
    replace: 'isShown || records.length === 0',
    spec: `${SETTLING}/follow-withdrawal.int-spec.ts`,
  }),
  testedMutant({
    name: 'replaced-credentials-open-the-same-account',
    removes: 'credentials that replaced those of a withdrawal may open another account',
    file: 'libs/withdrawal/src/withdrawals/exchange-records.ts',
    find: ' && one.credentialVersion === other.credentialVersion',
    spec: `${SETTLING}/shared-account.int-spec.ts`,
  }),
  testedMutant({
    name: 'outages-delete-wallets',
    removes: 'a live exchange that responds "invalid key" may have an outage, so no wallet is deleted at once',
    file: `${REFUSALS}/refusal-rules.ts`,
    find: "(proof === 'invalid' && mode === 'test')",
    replace: "proof === 'invalid'",
    spec: `${REFUSALS}/refusal-rules.spec.ts`,
  }),
  testedMutant({
    name: 'long-outages-delete-wallets',
    removes: 'while the exchange refuses other keys, too, no wallet is deleted, however long that lasts',
    file: `${REFUSALS}/recheck-wallet.ts`,
    find: 'const otherKeys = await this.otherKeys.judge(target, before, times);',
    replace: "const otherKeys = 'accepted';",
    spec: `${REFUSALS}/other-keys.int-spec.ts`,
  }),
  testedMutant({
    name: 'one-refusal-is-believed',
    removes: 'credentials are refused only when a second call is refused, too',
    file: `${REFUSALS}/judge-refusal.ts`,
    find: 'const opinion = await this.grants.judgeRefused(target);',
    replace:
      "const opinion = await this.grants.judgeRefused(target); if (opinion === 'none') return { isRefused: true, proof: proofOf(first, first) };",
    spec: `${REFUSALS}/refused-call.int-spec.ts`,
  }),
  testedMutant({
    name: 'tags-of-executions-are-forgotten',
    removes: 'a quote must not leave out a tag that an earlier execution to this address had sent',
    file: `${QUOTE}/quotes.ts`,
    find: " union all ${ofWallet('withdrawals')}",
    spec: `${QUOTE}/lost-tag.int-spec.ts`,
  }),
  testedMutant({
    name: 'tags-are-deleted-with-the-wallet',
    removes: 'a wallet that is connected again has the tags that were used before it was deleted',
    file: `${QUOTE}/quotes.ts`,
    find: 'where w.project_id = $1 and w.external_id = $2',
    replace: 'where w.project_id = $1 and w.external_id = $2 and w.deleted_at is null',
    spec: `${QUOTE}/lost-tag.int-spec.ts`,
  }),
  testedMutant({
    name: 'older-quotes-lose-the-tag',
    removes: 'a quote without a tag is not executed after a tag was used with its address',
    file: `${EXECUTION}/execute-quote.ts`,
    find: 'await this.checkLeftOutTag(execution);',
    spec: `${QUOTE}/lost-tag.int-spec.ts`,
  }),
  testedMutant({
    name: 'wrong-clocks-are-accepted',
    removes: 'a host whose clock differs from the database’s by more than the limit does not act',
    file: 'libs/platform/src/database/database-clock.ts',
    find: 'if (exceeds) throw new HostClockDiffers(differenceMs, this.limitMs);',
    spec: 'libs/platform/src/database/database-clock.spec.ts',
  }),
];
