import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Registry, collectDefaultMetrics } from 'prom-client';
import { projectRoot } from '#platform/testing';

const textOf = (file: string): string => readFileSync(path.join(projectRoot, file), 'utf8');

interface Panel {
  id: number;
  title: string;
  gridPos: { x: number; y: number; w: number; h: number };
  type: string;
  targets?: { expr: string }[];
}

/** Returns the metric names that the code registers, with the series of histograms. */
function registeredNames(): Set<string> {
  const files = readdirSync(path.join(projectRoot, 'libs'), { encoding: 'utf8', recursive: true })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('spec.ts'))
    .map((file) => path.join('libs', file));
  const names = new Set<string>(['up']);
  for (const file of files) {
    for (const [, kind, name] of textOf(file).matchAll(/\.(counter|gauge|histogram)\(\s*\{\s*name: '(\w+)'/g)) {
      names.add(name ?? '');
      if (kind === 'histogram') for (const part of ['bucket', 'sum', 'count']) names.add(`${name}_${part}`);
    }
  }
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  for (const { name } of registry.getMetricsAsArray()) names.add(name);
  return names;
}

const METRIC = /\b(?:causeway|nodejs|process)_[a-z0-9_]+(?![a-z0-9_]*=)|\bup\b/g;
const withoutLabels = (expression: string): string =>
  expression.replaceAll(/\{[^}]*\}|\b(?:by|without) \([^)]*\)/g, '');
const namesIn = (expression: string): string[] => [...withoutLabels(expression).matchAll(METRIC)].map(([name]) => name);

describe('the monitoring', () => {
  const registered = registeredNames();
  const alerts = textOf('docker/prometheus/alerts.yml');
  const documentation = textOf('docs/metrics.md');
  const { panels } = JSON.parse(textOf('docker/grafana/dashboards/causeway.json')) as { panels: Panel[] };
  const queries = panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => [title, expr] as const));
  const rules = alerts.split('- alert: ').slice(1);
  const alertNames = rules.map((rule) => rule.split('\n')[0] ?? '');

  it('shows only registered metrics in the dashboard', () => {
    expect(queries.length).toBeGreaterThan(30);
    for (const [title, expression] of queries) {
      const names = namesIn(expression);
      expect([title, names.length > 0, names.filter((name) => !registered.has(name))]).toEqual([title, true, []]);
    }
  });

  it('has a panel for each of our metrics', () => {
    const shown = new Set(queries.flatMap(([, expression]) => namesIn(expression)));
    const missing = [...registered].filter((name) => {
      if (!name.startsWith('causeway_') || /_(bucket|sum|count)$/.test(name)) return false;
      return ![name, `${name}_bucket`, `${name}_count`].some((series) => shown.has(series));
    });
    expect(missing).toEqual([]);
  });

  it('has no overlapping panels', () => {
    const cells = panels.flatMap(({ id, gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, index) => [`${x + (index % w)} ${y + Math.floor(index / w)}`, id] as const),
    );
    const places = new Map(cells);
    expect(cells.filter(([place, id]) => places.get(place) !== id)).toEqual([]);
    expect(panels.filter(({ gridPos: { x, w } }) => x + w > 24)).toEqual([]);
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  });

  it('uses only registered metrics in alerts', () => {
    expect(alertNames.length).toBeGreaterThan(15);
    for (const rule of rules) {
      const names = namesIn(/expr: ([\s\S]+?)\n {8}\w+:/.exec(rule)?.[1] ?? '');
      expect([rule, names.length > 0, names.filter((name) => !registered.has(name))]).toEqual([rule, true, []]);
    }
  });

  it('documents each of our metrics', () => {
    const ours = [...registered].filter((name) => name.startsWith('causeway_') && !/_(bucket|sum|count)$/.test(name));
    expect(ours.filter((name) => !documentation.includes(`| \`${name}\` |`))).toEqual([]);
    const documented = [...documentation.matchAll(/^\| `(causeway_\w+)` \|/gm)].map(([, name]) => name ?? '');
    expect(documented.filter((name) => !registered.has(name))).toEqual([]);
  });

  it('has a severity, a summary and a runbook for every alert', () => {
    for (const [index, rule] of rules.entries()) {
      const name = alertNames[index] ?? '';
      expect(rule).toMatch(/severity: (critical|warning)/);
      expect(rule).toMatch(/summary: \S/);
      expect(rule).toContain(`runbook: docs/metrics.md#${name.toLowerCase()}\n`);
      expect(documentation).toContain(`\n### ${name}\n`);
    }
  });

  it('tests every alert both firing and not firing', () => {
    const tests = textOf('docker/prometheus/alerts.test.yml');
    for (const name of alertNames) {
      expect(tests).toMatch(new RegExp(`alertname: ${name}, exp_alerts: \\[\\]`));
      expect(tests).toMatch(new RegExp(`alertname: ${name}\\n\\s+exp_alerts:\\n\\s+- exp_labels`));
    }
  });
});
