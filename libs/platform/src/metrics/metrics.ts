import { Injectable } from '@nestjs/common';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';

/** What a metric is called, and by what it is told apart. Names begin with `causeway_` and end in their unit. */
export interface MetricSpec<Label extends string> {
  name: string;
  help: string;
  /** Labels take few values: routes, codes, exchanges; never an id. */
  labels?: readonly Label[];
}

/** How long a value is waited for that somebody else has to tell; less than Prometheus waits for all of them. */
const READ_TIMEOUT_MS = 4_000;

/** The metrics of this process. Asking for a metric again gives the same one. */
@Injectable()
export class Metrics {
  readonly registry = new Registry();

  counter<Label extends string = never>({ labels = [], ...spec }: MetricSpec<Label>): Counter<Label> {
    const registers = [this.registry];
    return this.find<Counter<Label>>(spec.name) ?? new Counter({ ...spec, labelNames: [...labels], registers });
  }

  histogram<Label extends string = never>(
    { labels = [], ...spec }: MetricSpec<Label>,
    /** Upper bounds in the unit of the name. */
    buckets: number[],
  ): Histogram<Label> {
    const registers = [this.registry];
    const found = this.find<Histogram<Label>>(spec.name);
    return found ?? new Histogram({ ...spec, labelNames: [...labels], buckets, registers });
  }

  /**
   * A value that is read when somebody asks for the metrics. `read` sets it. When it throws, or takes too long, only this
   * metric is lost; one reading at a time.
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

/** Without labels a gauge that is reset is 0, which would be a value. */
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

/** False also when it takes too long; it then goes on by itself. */
async function inTime(work: Promise<boolean>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), READ_TIMEOUT_MS);
  });
  return Promise.race([work, tooLate]).finally(() => clearTimeout(timer));
}
