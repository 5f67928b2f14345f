/** The value of an exchange's own name in a table; null = the table does not list the name. */
export function lookUp<T>(table: Readonly<Record<string, T>>, name: string): T | null {
  return Object.hasOwn(table, name) ? (table[name] ?? null) : null;
}
