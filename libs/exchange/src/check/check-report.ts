import type { FormDifference } from './json-form.js';

/**
 * A difference between the exchange and what its documentation, or the declaration of our connector, says.
 * - `missing_field`, `type`, `unknown_value`: a response has another form, or a status that is not documented;
 * - `no_json`: a response is no JSON; `unknown_code`: a refusal with a code that the error map does not list;
 * - `failed`: a reading method could not use the responses; `unreadable`: it left out entries of a list;
 * - `clock`: our clock and the exchange's differ; `limit_header`: a header about limits has another form;
 * - `unknown_field`, `unmapped_network`: only remarks, because connectors ignore unknown fields, and leave out networks
 *   that we do not know.
 */
export interface Difference {
  readonly kind:
    | FormDifference['kind']
    | 'no_json'
    | 'unknown_code'
    | 'failed'
    | 'unreadable'
    | 'clock'
    | 'limit_header'
    | 'unmapped_network';
  /** The call, the list or the header. */
  readonly where: string;
  readonly detail: string;
  readonly count: number;
}

const REMARKS: ReadonlySet<Difference['kind']> = new Set(['unknown_field', 'unmapped_network']);

/** Whether the difference leaves the connector's results as they are. */
export function isRemark({ kind }: Difference): boolean {
  return REMARKS.has(kind);
}

export interface CheckedCall {
  /** Method, host and path. */
  readonly request: string;
  /** The names of the parameters. */
  readonly parameters: readonly string[];
  /** null = there was no response. */
  readonly status: number | null;
  readonly tookMs: number;
  readonly differences: readonly Difference[];
}

export interface CheckedStep {
  readonly name: string;
  readonly made: readonly string[];
  /** Why the method failed; null = it did not. */
  readonly failure: string | null;
  readonly calls: readonly CheckedCall[];
}

/**
 * The result of a check. `key_moves_money`: the key has permissions beyond reading, so only the facts about the key
 * were read. `not_run`: the exchange did not accept the key, or did not respond.
 */
export interface CheckReport {
  readonly exchange: string;
  readonly connector: string;
  readonly host: string;
  readonly outcome: 'checked' | 'key_moves_money' | 'not_run';
  /** Permissions of the key that allow more than reading. */
  readonly morePermissions: readonly string[];
  /** Our time minus the exchange's, in milliseconds, to within a second; null = no response had a date. */
  readonly clockDifferenceMs: number | null;
  /** The headers about limits in the last response that had them. */
  readonly limitHeaders: Readonly<Record<string, string>>;
  readonly steps: readonly CheckedStep[];
  /** The differences that are about no single call. */
  readonly general: readonly Difference[];
  readonly remarks: readonly string[];
}

/** All differences of a report. The same difference of several calls is listed once. */
export function differencesOf({ steps, general }: Pick<CheckReport, 'steps' | 'general'>): Difference[] {
  const found = new Map<string, Difference>();
  const all = [...general, ...steps.flatMap(({ calls }) => calls.flatMap(({ differences }) => differences))];
  for (const difference of all) {
    const key = JSON.stringify([difference.kind, difference.where, difference.detail]);
    const count = (found.get(key)?.count ?? 0) + difference.count;
    found.set(key, { ...difference, count });
  }
  return [...found.values()];
}
