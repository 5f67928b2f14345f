/**
 * A condition of an SQL statement, with `$` in place of its value, and the value. With the value undefined, the
 * condition is left out.
 */
export type Condition = readonly [sql: string, value: unknown];

/** The conditions that apply, joined by `and`. */
export interface Conditions {
  /**
   * One digit for each given condition: 1 = the condition applies, 0 = it is left out. Equal masks have equal `sql`.
   */
  mask: string;
  sql: string;
  values: unknown[];
}

/** Joins the conditions that have a value, and numbers their parameters from `$1`. */
export function joinConditions(given: readonly Condition[]): Conditions {
  const values: unknown[] = [];
  const parts = given.flatMap(([sql, value]) =>
    value === undefined ? [] : [sql.replace('$', `$${values.push(value)}`)],
  );
  return { mask: given.map(([, value]) => (value === undefined ? 0 : 1)).join(''), sql: parts.join(' and '), values };
}
