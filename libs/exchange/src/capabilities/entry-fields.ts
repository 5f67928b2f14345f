import { z } from 'zod';

/**
 * The place of a value in an entry: the name of its field, or a schema that reads the value from the whole entry if one
 * field is not enough.
 */
export type Field<T> = string | z.ZodType<T>;

/** An object in an entry. An absent object, or null, has no fields. */
const inner = z
  .unknown()
  .optional()
  .transform((value): unknown => value ?? {});

/**
 * Returns a schema that reads one field of an entry. A path with dots leads to the field of an object in the entry:
 * `network.hash`.
 */
export function fieldOf<T>(path: string, form: z.ZodType<T>): z.ZodType<T> {
  const [field = '', ...rest] = path.split('.');
  const whole = rest.length === 0 ? form : inner.pipe(fieldOf(rest.join('.'), form));
  return z.object({ [field]: whole }).transform((entry) => entry[field]);
}

/**
 * Returns a function that reads a value from an entry. The function throws when the value is unreadable.
 * @param form the schema of the value; it is not used if `field` is itself a schema
 */
export function valueOf<T>(field: Field<T>, form: z.ZodType<T>): (entry: unknown) => T {
  const whole = typeof field === 'string' ? fieldOf(field, form) : field;
  return (entry) => whole.parse(entry);
}

/** Like `valueOf`, for a field that a declaration may leave out. The reader then returns `absent` for every entry. */
export function valueOr<T, Absent>(
  field: Field<T> | undefined,
  form: z.ZodType<T>,
  absent: Absent,
): (entry: unknown) => T | Absent {
  return field === undefined ? () => absent : valueOf(field, form);
}

/**
 * Returns a function that parses a whole response by a schema. The function throws when the response does not match the
 * schema.
 */
export function readerOf<T>(form: z.ZodType<T>): (body: unknown) => T {
  return (body) => form.parse(body);
}

/** Returns a function that parses one entry by a schema, and that returns null when the entry is unreadable. */
export function readerOrNull<T>(form: z.ZodType<T>): (entry: unknown) => T | null {
  return (entry) => {
    try {
      return form.parse(entry);
    } catch {
      return null;
    }
  };
}

/** Makes a schema of a function that reads an entry. @param read throws when the entry is unreadable */
export function formOf<T>(read: (entry: unknown) => T): z.ZodType<T> {
  return z.unknown().transform((entry, context) => {
    try {
      return read(entry);
    } catch {
      context.addIssue({ code: 'custom', message: 'unreadable' });
      return z.NEVER;
    }
  });
}
