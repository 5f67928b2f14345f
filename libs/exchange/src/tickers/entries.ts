import { z } from 'zod';

/** A price as text, or as a number where the documentation shows one. */
export const price = z.union([z.string(), z.number()]).transform(String);

/** Reads entry by entry: one that does not have the form is worth nothing, and the others are worth no less for it. */
export function readEntries<T>(entries: readonly unknown[], form: z.ZodType<T>): T[] {
  return entries.flatMap((entry) => {
    const { success, data } = form.safeParse(entry);
    return success ? [data] : [];
  });
}
