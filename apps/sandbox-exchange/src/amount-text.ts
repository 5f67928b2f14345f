import { z } from 'zod';
import { Amount, InvalidAmount } from '#money';

/** An amount in the JSON of a request. */
export const amountText = z.string().transform((text, context) => {
  try {
    return Amount.parseInput(text);
  } catch (error) {
    if (!(error instanceof InvalidAmount)) throw error;
    context.addIssue({ code: 'custom', message: error.message });
    return z.NEVER;
  }
});
