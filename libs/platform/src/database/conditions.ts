/** A condition of a statement, with `$` where its value belongs, and the value; undefined = it does not apply. */
export type Condition = readonly [sql: string, value: unknown];

/** The conditions that apply, joined by `and`. */
export interface Conditions {
  /** The given conditions that apply, as 1 and 0: equal masks have equal texts. */
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
