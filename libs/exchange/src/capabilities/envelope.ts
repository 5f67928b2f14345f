import { z } from 'zod';
import type { ReportedError } from '../transport/error-map.js';
import { fieldOf } from './entry-fields.js';
import { codeText } from './response-fields.js';

/** The names of the fields that contain the code and the message of a response. */
export interface CodeFields {
  readonly code: string;
  /** The schema of the code. Default: a text or a whole number. */
  readonly codeForm?: z.ZodType<string>;
  readonly message: string;
  /** The code of a success; absent = only errors have a code. */
  readonly success?: string;
}

/** Returns a reader of the error in a response that has a code and a message. */
export function errorReader(fields: CodeFields): (body: unknown) => ReportedError[] {
  const { code, codeForm = codeText, message, success } = fields;
  const [form, text] = [fieldOf(code, codeForm), fieldOf(message, z.string())];
  return (body) => {
    const found = form.safeParse(body).data;
    return found === undefined || found === success ? [] : [{ code: found, message: text.safeParse(body).data ?? '' }];
  };
}

/**
 * Returns a function that makes the schema of a successful response from the schema of its data. `code` and `data` are
 * the names of two fields: the field with the response's code, which must equal `success`, and the field with the data.
 */
export function envelope({ code, success, data }: { code: string; success: string; data: string }) {
  return <T>(form: z.ZodType<T>): z.ZodType<T> =>
    z.object({ [code]: codeText.pipe(z.literal(success)), [data]: form }).transform((body) => body[data] as T);
}

/** Returns a reader of the id in a response. The reader returns null when the response does not match the schema. */
export function idIn(form: z.ZodType<string>): (body: unknown) => string | null {
  return (body) => form.safeParse(body).data ?? null;
}
