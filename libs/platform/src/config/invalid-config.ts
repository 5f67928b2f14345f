/** Settings are missing or invalid. The message lists every problem, never a value. */
export class InvalidConfig extends Error {
  constructor(problems: string[]) {
    super(`Invalid configuration:\n${problems.map((p) => `  - ${p}`).join('\n')}`);
    this.name = 'InvalidConfig';
  }
}

/** @throws InvalidConfig when the setting `name`, a list, contains other values than `known` */
export function requireKnown(name: string, chosen: readonly string[], known: readonly string[]): void {
  const unknown = chosen.filter((value) => !known.includes(value));
  if (unknown.length > 0) {
    throw new InvalidConfig([`${name}: cannot contain ${unknown.join(', ')}; use ${known.join(', ')}`]);
  }
}
