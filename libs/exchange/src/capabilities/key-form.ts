import type { z } from 'zod';
import type { KeyInfo } from '../port/exchange.port.js';
import { formOf, valueOr, type Field } from './entry-fields.js';
import { commaList, optionalSeconds, UNREPORTED_KEY_INFO } from './response-fields.js';

/** For each fact about an API key, the field that contains it; absent = the exchange does not report the fact. */
export interface KeyForm {
  /**
   * If declared by a field name and not by a schema, the field must contain a text with commas between the values. The
   * same rule applies to `ipAllowlist`.
   */
  readonly permissions?: Field<string[]>;
  readonly ipAllowlist?: Field<string[]>;
  /**
   * In epoch seconds. If declared by a field name and not by a schema, the field must contain epoch milliseconds, which
   * are converted. The same rule applies to `createdTime`.
   */
  readonly validUntil?: Field<number | null>;
  readonly createdTime?: Field<number | null>;
}

/** Returns the schema of a response that describes an API key. */
export function keyForm(form: KeyForm): z.ZodType<KeyInfo> {
  const permissionsOf = valueOr(form.permissions, commaList, []);
  const ipAllowlistOf = valueOr(form.ipAllowlist, commaList, []);
  const validUntilOf = valueOr(form.validUntil, optionalSeconds, null);
  const createdTimeOf = valueOr(form.createdTime, optionalSeconds, null);
  return formOf((entry) => ({
    ...UNREPORTED_KEY_INFO,
    permissions: permissionsOf(entry),
    ipAllowlist: ipAllowlistOf(entry),
    validUntil: validUntilOf(entry),
    createdTime: createdTimeOf(entry),
  }));
}
