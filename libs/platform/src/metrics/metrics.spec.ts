import { Metrics } from './metrics.js';

describe('the metrics of a process', () => {
  let metrics: Metrics;
  const text = (): Promise<string> => metrics.registry.metrics();

  beforeEach(() => {
    metrics = new Metrics();
    metrics.gauge({ name: 'well', help: 'Always there.' }, (gauge) => gauge.set(1));
  });

  it('are created once for each name', () => {
    const spec = { name: 'calls', help: 'Calls.', labels: ['outcome'] as const };
    expect(metrics.counter(spec)).toBe(metrics.counter(spec));
    expect(metrics.histogram({ name: 'seconds', help: 'Time.' }, [1])).toBe(
      metrics.histogram({ name: 'seconds', help: 'Time.' }, [1]),
    );
  });

  it('omit a metric that cannot be read, even its last value, and keep all other metrics', async () => {
    let isDown = false;
    metrics.gauge({ name: 'rows', help: 'Rows.', labels: ['state'] }, (gauge) => {
      gauge.set({ state: 'open' }, 7);
      return isDown ? Promise.reject(new Error('down')) : Promise.resolve();
    });
    expect(await text()).toMatch(/^rows\{state="open"\} 7$/m);
    isDown = true;
    expect(await text()).not.toMatch(/^rows\{/m);
    expect(await text()).toMatch(/^well 1$/m);
  });

  it('appear without a value that is slow to read, and never read a value twice at the same time', async () => {
    let readings = 0;
    let answer: () => void = () => undefined;
    metrics.gauge({ name: 'jobs', help: 'Jobs.' }, async (gauge) => {
      readings++;
      await new Promise<void>((resolve) => {
        answer = resolve;
      });
      gauge.set(5);
    });
    for (const answered of await Promise.all([text(), text()])) {
      expect(answered).toMatch(/^well 1$/m);
      expect(answered).not.toMatch(/^jobs \d/m);
    }
    expect(readings).toBe(1);
    const third = text();
    answer();
    expect(await third).toMatch(/^jobs 5$/m);
    expect(readings).toBe(1);
  });
});
