/** Looks up an exchange's own name in a table; null = there is no name, or the table does not list it. */
export function lookUp<T>(table: Readonly<Record<string, T>>, name: string | null): T | null {
  return name !== null && Object.hasOwn(table, name) ? (table[name] ?? null) : null;
}
