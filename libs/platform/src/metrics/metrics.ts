import { Injectable } from '@nestjs/common';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';

/** What a metric is called, and by what it is told apart. Names begin with `causeway_` and end in their unit. */
export interface MetricSpec<Label extends string> {
  name: string;
  help: string;
  /** Labels take few values: routes, codes, exchanges; never an id. */
  labels?: readonly Label[];
}

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

  /** A value that is read when somebody asks for the metrics. `read` sets it; what it throws loses only this metric. */
  gauge<Label extends string = never>(
    { labels = [], ...spec }: MetricSpec<Label>,
    read: (gauge: Gauge<Label>) => void | Promise<void>,
  ): Gauge<Label> {
    const registers = [this.registry];
    return new Gauge<Label>({
      ...spec,
      labelNames: [...labels],
      registers,
      async collect() {
        this.reset();
        try {
          await read(this);
        } catch {
          this.reset();
        }
      },
    });
  }

  private find<M>(name: string): M | undefined {
    return this.registry.getSingleMetric(name) as M | undefined;
  }
}
