import type { ExchangeSession } from './exchange.port.js';

/**
 * Starts a read of the exchange at once, beside other calls, if the session allows parallel calls. Otherwise the read
 * starts when the returned function is called. A failed read rejects only the result of that function.
 * @returns a function that waits for the answer. It must be called only once.
 */
export function asked<Answer>(
  { asksInParallel }: Pick<ExchangeSession, 'asksInParallel'>,
  question: () => Promise<Answer>,
): () => Promise<Answer> {
  if (!asksInParallel) return question;
  const answer = question();
  answer.catch(() => undefined);
  return () => answer;
}
