import type { ExchangeSession } from './exchange.port.js';

/**
 * Asks the exchange a question beside others, where it allows that; otherwise only when the answer is awaited. A failure
 * counts only when the answer is awaited.
 * @returns waits for the answer; called once
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
