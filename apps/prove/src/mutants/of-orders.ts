import { files, mutant, testedMutant, type Mutant, type ProvenMutant } from './mutant.js';

const PLACEMENT = 'libs/trading/src/placement';
const FOLLOWING = 'libs/trading/src/following';

/** Each mutant lacks a rule of placing or settling an order. The simulation of orders must catch it. */
const proven: readonly ProvenMutant[] = [
  mutant({
    name: 'refused-orders-are-believed',
    removes: 'a refusal of an order counts only when the account confirms it',
    file: files.place,
    find: "if (sent.kind !== 'rejected')",
    replace: "if (sent.kind !== '')",
  }),
  mutant({
    name: 'one-look-confirms-a-refusal',
    removes: 'two looks at the account confirm the refusal of an order',
    file: files.orderConfirmation,
    find: 'const LOOKS = 2;',
    replace: 'const LOOKS = 1;',
  }),
  mutant({
    name: 'looks-follow-each-other-at-once',
    removes: 'the two looks are apart by more than the time that an exchange takes to show an order',
    file: files.orderConfirmation,
    find: 'await this.clock.sleep(lagOf(refused.session, this.config));',
  }),
  mutant({
    name: 'unanswered-orders-are-sent-again',
    removes: 'an order without an answer is never sent again',
    file: files.place,
    find: "const isSentAgain = outcome.kind === 'not_sent' && outcome.retryAfterMs === undefined;",
    replace: "const isSentAgain = outcome.kind === 'unknown' || outcome.kind === 'not_sent';",
  }),
  mutant({
    name: 'unknown-orders-are-refused',
    removes: 'an unknown outcome of an order is not a refusal',
    file: files.place,
    find: 'return this.transitions.unknown(order, { reason: outcome.reason, ...outcome.answer }, now);',
    replace: 'return this.transitions.notSent(order, notSentRefusal());',
  }),
  mutant({
    name: 'new-client-id-for-every-submission',
    removes: 'all submissions under one key have the same client order id',
    file: files.place,
    find: 'trading.newClientOrderId(await this.store.nameOf(wallet, idempotencyKey, createdAt))',
    replace: 'trading.newClientOrderId()',
  }),
  mutant({
    name: 'orders-before-a-restore-are-forgotten',
    removes: 'after a restore, the order of a key is searched before it is sent',
    file: files.forgotten,
    find: 'if (!isRecent)',
    replace: 'if (isRecent !== null)',
  }),
  mutant({
    name: 'one-search-proves-absence',
    removes: 'several searches, and not one, prove that an order was never placed',
    file: 'libs/platform/src/config/constants.js',
    find: 'ORDER_CLEAN_SEARCHES: 2,',
    replace: 'ORDER_CLEAN_SEARCHES: 1,',
  }),
  mutant({
    name: 'orders-are-carried-out-at-once',
    removes:
      'without a submission deadline, the searches are apart by the time in which an exchange may carry an order out',
    file: files.readOrder,
    find: 'order.submissionDeadline === null ? ORDER_ABSENCE_SECONDS : ORDER_CHECK_SECONDS',
    replace: 'ORDER_ABSENCE_SECONDS === null ? 0 : ORDER_CHECK_SECONDS',
  }),
  mutant({
    name: 'absence-before-the-deadline',
    removes: 'no search proves absence before the submission deadline of the order',
    file: files.orderTimes,
    find: 'return new Date(submissionDeadline.getTime() + settleMs);',
    replace: 'return new Date(0 * settleMs);',
  }),
  mutant({
    name: 'one-list-proves-absence',
    removes: 'a proof of absence reads every list of the exchange, and not only one',
    file: files.readOrder,
    find: 'notBefore: sentAfter(order, this.config), isProofNeeded }',
    replace: 'notBefore: sentAfter(order, this.config), isProofNeeded: false }',
  }),
  mutant({
    name: 'wrong-order-ids-decide',
    removes: 'the client order id of an accepted order decides, and not an id that the exchange has given it wrongly',
    file: files.readOrder,
    find: '(seen.clientOrderId ?? clientOrderId) === clientOrderId',
    replace: 'seen.exchangeId === taken.exchangeId',
  }),
  mutant({
    name: 'refused-orders-are-not-compared',
    removes: 'later searches compare orders that were reported as refused or never placed',
    file: files.orderTimes,
    find: 'return isOver ? null : new Date(at.getTime() + pauseMs);',
    replace: 'return null;',
    seeds: 8_000,
  }),
];

/** Rules of the order path that the simulation does not reach. */
const tested: readonly Mutant[] = [
  // In the simulation, the time between two searches is longer than any request is on its way.
  testedMutant({
    name: 'absence-while-a-signature-is-valid',
    removes: 'no search proves absence while the exchange may accept the signed request',
    file: 'libs/trading/src/orders/order-times.ts',
    find: 'new Date(leaseUntil.getTime() + signedForMs + settleMs)',
    replace: 'new Date(leaseUntil.getTime() + 0 * signedForMs + settleMs)',
    spec: 'libs/trading/src/orders/order-times.spec.ts',
  }),
  testedMutant({
    name: 'refusals-of-sent-orders-are-not-kept',
    removes: 'the result of an order that was sent is kept for its key, whatever its status',
    file: 'libs/trading/src/orders/order-store.ts',
    find: '(o.sentAt is not null or o.errorCode is null or',
    replace: '(o.errorCode is null or',
    spec: `${PLACEMENT}/order-key.int-spec.ts`,
  }),
  testedMutant({
    name: 'orders-are-deleted-while-requests-need-them',
    removes:
      'an order is stored for longer than its key is valid, and than the client order ids of its period are given',
    file: 'libs/platform/src/database/migrations/0001-initial/orders.ts',
    find: `now() - interval '398 days'`,
    replace: `now() - interval '1 day'`,
    spec: 'libs/trading/src/orders/order-rows.int-spec.ts',
  }),
  testedMutant({
    name: 'deleted-orders-give-their-ids-away',
    removes: 'after the deletion of an order, no other order gets its client order id',
    file: 'libs/trading/src/orders/order-name.ts',
    find: 'periodOf(time), earlier',
    replace: '0, earlier',
    spec: 'libs/trading/src/orders/expired-orders.int-spec.ts',
  }),
  testedMutant({
    name: 'searches-prove-absence-under-another-id',
    removes: 'a search proves nothing when an earlier attempt had another client order id',
    file: 'libs/trading/src/placement/forgotten-orders.ts',
    find: '!isTooRecent && isSameName',
    replace: '!isTooRecent && isSameName !== null',
    spec: 'libs/trading/src/orders/expired-orders.int-spec.ts',
  }),
  testedMutant({
    name: 'equal-orders-while-one-is-in-doubt',
    removes: 'no equal order is placed while the outcome of one is unknown',
    file: 'libs/platform/src/database/migrations/0001-initial/orders.ts',
    find: 'create unique index orders_one_in_doubt',
    replace: 'create index orders_one_in_doubt',
    spec: `${PLACEMENT}/place-order.int-spec.ts`,
  }),
  testedMutant({
    name: 'equal-orders-follow-a-refusal-unseen',
    removes: 'refused orders are searched again before an order with equal terms is placed',
    file: `${PLACEMENT}/place-order.ts`,
    find: 'await this.recheckRefused.execute(trading, { wallet, terms, credentialVersion, time });',
    replace: '',
    spec: `${PLACEMENT}/recheck-refused.int-spec.ts`,
  }),
  testedMutant({
    name: 'lower-balances-confirm-refusals',
    removes: 'a balance that is lower than before the order does not confirm its refusal',
    file: `${PLACEMENT}/confirm-refusal.ts`,
    find: 'const isLower = showLess(fundsBefore, funds);',
    replace: 'const isLower = false;',
    spec: `${PLACEMENT}/confirm-refusal.int-spec.ts`,
  }),
  testedMutant({
    name: 'another-account-proves-absence',
    removes: 'a search with other credentials than those that sent the order proves nothing',
    file: `${FOLLOWING}/read-order.ts`,
    find: 'const isSameAccount = version === order.credentialVersion;',
    replace: 'const isSameAccount = version !== null;',
    spec: `${FOLLOWING}/replaced-credentials.int-spec.ts`,
  }),
];

export const ofOrders: readonly Mutant[] = [
  ...proven.map((each): ProvenMutant => ({ ...each, proof: 'orders' })),
  ...tested,
];
