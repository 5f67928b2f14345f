import { z } from 'zod';

/** A reading call as the exchange documents it. */
const readingCall = z.object({
  /** The names of the parameters that the call may have, without those by which it would create something. */
  parameters: z.array(z.string()),
  /** Whether the call needs no key. */
  isPublic: z.literal(true).optional(),
  /** The form of successful responses (`JsonForm`); empty = the documentation shows none. */
  form: z.record(z.string(), z.string()),
  /** The documented values of members with few values, such as statuses (`JsonValues`). */
  values: z.record(z.string(), z.array(z.string())),
});
export type ReadingCall = z.infer<typeof readingCall>;

const readingCalls = z.object({
  /** By route, such as `GET /orders/{id}`. */
  calls: z.record(z.string(), readingCall),
  /** The documented error codes, and the names of fields and short texts of refusals. The error map may list others. */
  codes: z.array(z.string()),
  /** The exchange's own symbol of a pair, for a search of orders; null = the connector offers no orders. */
  pair: z.string().nullable(),
});
/** The reading calls of one exchange. */
export type ReadingCalls = z.infer<typeof readingCalls>;

/**
 * The documented reading calls of an exchange. `npm run docs` writes the file from the data of the contract suite. It
 * is loaded only by the commands that need it.
 */
export async function loadReadingCalls(exchange: string): Promise<ReadingCalls> {
  const { default: all } = await import('./documented-forms.json', { with: { type: 'json' } });
  return readingCalls.parse((all as Readonly<Record<string, unknown>>)[exchange]);
}
