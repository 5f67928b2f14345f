import { wrap, type Method } from './product.js';

const PLACE_ORDER = 'libs/trading/src/placement/place-order.js';

/** Mutants of the product that the harness must catch. */
export const processMutants = {
  /** A submission without an answer is sent once more. */
  retry_unknown: () =>
    wrap(
      'libs/withdrawal/src/execution/submit-withdrawal.js',
      'SubmitWithdrawal',
      'send',
      (original) =>
        async function (...args) {
          const outcome = (await original.apply(this, args)) as { kind: string };
          return outcome.kind === 'unknown' ? original.apply(this, args) : outcome;
        },
    ),
  /** An unknown outcome is recorded as not executed, and the exchange is not asked. */
  unknown_is_failure: () =>
    wrap(
      'libs/withdrawal/src/settling/settlement.js',
      'Settlement',
      'resolve',
      () =>
        function (_session, withdrawal, attempt) {
          const transitions = this['transitions'] as { notExecuted: Method };
          return transitions.notExecuted(withdrawal, attempt, new Date());
        },
    ),
  /** An order without an answer is sent once more, although the exchange may have it. */
  resend_order: async () => {
    await wrap(PLACE_ORDER, 'PlaceOrder', 'isTooLate', () => () => false);
    await wrap(
      PLACE_ORDER,
      'PlaceOrder',
      'send',
      (original) =>
        async function (...args) {
          const outcome = (await original.apply(this, args)) as { kind: string };
          return outcome.kind === 'unknown' ? original.apply(this, args) : outcome;
        },
    );
  },
} as const satisfies Record<string, () => Promise<void>>;

export type ProcessMutant = keyof typeof processMutants;
