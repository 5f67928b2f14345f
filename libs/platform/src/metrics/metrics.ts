import { Injectable } from '@nestjs/common';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';

/** Name and labels of a metric. A name begins with `causeway_` and ends with its unit. */
export interface MetricSpec<Label extends string> {
  name: string;
  help: string;
  /** A label has few values, such as routes, codes or exchanges, and never an id. */
  labels?: readonly Label[];
}

/** Longest wait for a value from outside this process. Shorter than the scrape time-out of Prometheus (10 s). */
const READ_TIMEOUT_MS = 4_000;

/** The metrics of this process. A call with the name of an existing counter or histogram returns the existing one. */
@Injectable()
export class Metrics {
  readonly registry = new Registry();

  counter<Label extends string = never>({ labels = [], ...spec }: MetricSpec<Label>): Counter<Label> {
    const registers = [this.registry];
    return this.find<Counter<Label>>(spec.name) ?? new Counter({ ...spec, labelNames: [...labels], registers });
  }

  histogram<Label extends string = never>(
    { labels = [], ...spec }: MetricSpec<Label>,
    /** Upper bounds of the buckets, in the unit of the name. */
    buckets: number[],
  ): Histogram<Label> {
    const registers = [this.registry];
    const found = this.find<Histogram<Label>>(spec.name);
    return found ?? new Histogram({ ...spec, labelNames: [...labels], buckets, registers });
  }

  /**
   * Adds a value that `read` sets whenever the metrics are scraped. When `read` throws or takes too long, only this
   * metric is missing. `read` never runs twice at the same time.
   */
  gauge<Label extends string = never>(
    { labels = [], ...spec }: MetricSpec<Label>,
    read: (gauge: Gauge<Label>) => void | Promise<void>,
  ): Gauge<Label> {
    const registers = [this.registry];
    let reading: Promise<boolean> | null = null;
    return new Gauge<Label>({
      ...spec,
      labelNames: [...labels],
      registers,
      async collect() {
        if (reading === null) {
          forget(this, labels);
          reading = succeeds(() => read(this)).finally(() => {
            reading = null;
          });
        }
        if (!(await inTime(reading))) forget(this, labels);
      },
    });
  }

  private find<M>(name: string): M | undefined {
    return this.registry.getSingleMetric(name) as M | undefined;
  }
}

/** Removes the values of a gauge. `reset` alone would set a gauge without labels to 0. */
function forget<Label extends string>(gauge: Gauge<Label>, labels: readonly Label[]): void {
  gauge.reset();
  if (labels.length === 0) gauge.remove();
}

async function succeeds(work: () => void | Promise<void>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch {
    return false;
  }
}

/** Resolves to false also when `work` takes too long; `work` then continues in the background. */
async function inTime(work: Promise<boolean>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), READ_TIMEOUT_MS);
  });
  return Promise.race([work, tooLate]).finally(() => clearTimeout(timer));
}
