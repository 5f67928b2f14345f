/** Settings are missing or invalid. The message lists every problem, never a value. */
export class InvalidConfig extends Error {
  constructor(problems: string[]) {
    super(`Invalid configuration:\n${problems.map((p) => `  - ${p}`).join('\n')}`);
    this.name = 'InvalidConfig';
  }
}
