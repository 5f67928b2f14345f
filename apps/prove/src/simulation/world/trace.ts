/** The steps of a run: always as a fingerprint, and as text only on request. */
export class Trace {
  private hash = 0x811c9dc5;
  readonly lines: string[] = [];

  constructor(
    private readonly isKept: boolean,
    private readonly now: () => number,
  ) {}

  add(event: string): void {
    let hash = this.hash;
    for (let index = 0; index < event.length; index++) hash = Math.imul(hash ^ event.charCodeAt(index), 0x01000193);
    this.hash = Math.imul(hash ^ this.now(), 0x01000193);
    if (this.isKept) this.lines.push(`${(this.now() / 1_000).toFixed(3).padStart(10)} ${event}`);
  }

  /** A hash of all events and their times, which is equal for equal traces. */
  get fingerprint(): string {
    return (this.hash >>> 0).toString(16).padStart(8, '0');
  }
}
