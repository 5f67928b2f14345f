/** One sample of the Prometheus text format. */
export interface MetricSample {
  name: string;
  labels: Readonly<Record<string, string>>;
  value: number;
}

const NAME = '[a-zA-Z_:][a-zA-Z0-9_:]*';
const LABEL = String.raw`[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\["\\n])*"`;
const COMMENT = new RegExp(`^# (HELP|TYPE) (${NAME}) (.+)$`);
const SAMPLE = new RegExp(String.raw`^(${NAME})(?:\{(${LABEL}(?:,${LABEL})*)\})? (\S+)$`);
const VALUE = /^(?:[+-]?(?:\d+(?:\.\d+)?(?:e[+-]?\d+)?|Inf)|Nan|NaN)$/;
const TYPES = ['counter', 'gauge', 'histogram', 'summary'];

/** The metrics of one process, by name. Histograms appear as their bucket, sum and count series. */
export class Exposition {
  /** Type of each metric, by its name as declared. */
  readonly types = new Map<string, string>();
  readonly samples: MetricSample[] = [];

  /** @throws with the line that violates the Prometheus text format 0.0.4 */
  constructor(text: string) {
    if (!text.endsWith('\n')) throw new Error('the last line has no end');
    for (const line of text.split('\n')) if (line !== '') this.read(line);
  }

  static async scrape(url: string): Promise<Exposition> {
    const answer = await fetch(url);
    const type = answer.headers.get('content-type');
    if (answer.status !== 200 || type !== 'text/plain; version=0.0.4; charset=utf-8') {
      throw new Error(`${answer.status} ${type}`);
    }
    return new Exposition(await answer.text());
  }

  /** Returns the sum of the samples with this name and these labels, or null without samples. */
  value(name: string, labels: Record<string, string> = {}): number | null {
    const wanted = Object.entries(labels);
    const found = this.samples.filter(
      (one) => one.name === name && wanted.every(([key, text]) => one.labels[key] === text),
    );
    return found.length === 0 ? null : found.reduce((sum, { value }) => sum + value, 0);
  }

  private read(line: string): void {
    const [, kind, name = '', rest = ''] = COMMENT.exec(line) ?? [];
    if (kind === 'TYPE') {
      if (!TYPES.includes(rest) || this.types.has(name)) throw new Error(`not a type, or a repeated one: ${line}`);
      this.types.set(name, rest);
    }
    if (kind !== undefined) return;
    const [, sample, labels = '', value = ''] = SAMPLE.exec(line) ?? [];
    if (sample === undefined || !VALUE.test(value)) throw new Error(`not a sample: ${line}`);
    const declared = [sample, sample.replace(/_(bucket|sum|count)$/, '')];
    if (!declared.some((one) => this.types.has(one))) throw new Error(`a sample without a type: ${line}`);
    const pairs = [...labels.matchAll(new RegExp(LABEL, 'g'))].map(([pair]): [string, string] => {
      const at = pair.indexOf('=');
      return [pair.slice(0, at), JSON.parse(pair.slice(at + 1)) as string];
    });
    this.samples.push({
      name: sample,
      labels: Object.fromEntries(pairs),
      value: Number(value.replace('Inf', 'Infinity')),
    });
  }
}
