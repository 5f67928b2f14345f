/** Counters by name. A name begins with its kind, such as `fault` in `fault hang`. */
export class Counts {
  private readonly byName = new Map<string, number>();

  add(name: string, times = 1): void {
    this.byName.set(name, (this.byName.get(name) ?? 0) + times);
  }

  addAll(others: Readonly<Record<string, number>>): void {
    for (const [name, times] of Object.entries(others)) this.add(name, times);
  }

  of(name: string): number {
    return this.byName.get(name) ?? 0;
  }

  /** The counts whose names begin with `kind` and a space. The returned names do not contain `kind` and the space. */
  under(kind: string): [name: string, times: number][] {
    return [...this.byName]
      .filter(([name]) => name.startsWith(`${kind} `))
      .map(([name, times]): [string, number] => [name.slice(kind.length + 1), times])
      .sort(([a], [b]) => a.localeCompare(b));
  }

  toJSON(): Record<string, number> {
    return Object.fromEntries(this.byName);
  }
}
