import { parser } from '@prometheus-io/lezer-promql';
import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';
import { createHealth, measureHealth } from '../src/health.ts';
import { createMetrics } from '../src/metrics.ts';
import { measureProcess } from '../src/process-metrics.ts';

const file = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');

const alertSchema = z.strictObject({
  alert: z.string(),
  expr: z.string(),
  for: z.string().regex(/^\d+m$/),
  labels: z.strictObject({ severity: z.enum(['page', 'ticket']) }),
  annotations: z.strictObject({ summary: z.string(), runbook_url: z.url() }),
});
const alerts = z
  .object({ groups: z.array(z.object({ rules: z.array(alertSchema) })) })
  .parse(parse(file('observability/alerts.yaml')))
  .groups.flatMap(({ rules }) => rules);

const panels = z
  .object({
    panels: z.array(
      z.object({ title: z.string(), targets: z.array(z.object({ expr: z.string() })).default([]) }),
    ),
  })
  .parse(JSON.parse(file('observability/dashboard.json'))).panels;

/** Labels of every series: the service and those of Prometheus. */
const everywhere = ['part', 'job', 'instance'];

/** Labels by exported series. */
function exported(): Map<string, readonly string[]> {
  const { registry } = createMetrics('test');
  measureProcess(registry);
  measureHealth(createHealth(), registry);
  const series = registry.getMetricsAsArray().flatMap((metric): [string, readonly string[]][] => {
    const { name, type } = metric;
    const labels = 'labelNames' in metric ? (metric.labelNames as readonly string[]) : [];
    if (String(type) !== 'histogram') return [[name, labels]];
    return [
      [`${name}_bucket`, [...labels, 'le']],
      [`${name}_count`, labels],
      [`${name}_sum`, labels],
    ];
  });
  return new Map([['up', []], ...series]);
}

/** The metrics and labels of a query, and whether it parses. */
function read(expr: string): { valid: boolean; names: string[]; labels: string[] } {
  // Grafana inserts a duration here.
  const query = expr.replaceAll('$__rate_interval', '5m');
  const names: string[] = [];
  const labels: string[] = [];
  let valid = true;
  parser.parse(query).iterate({
    enter({ type, from, to, node }) {
      if (type.isError) valid = false;
      if (type.name === 'Identifier' && node.parent?.type.name === 'VectorSelector')
        names.push(query.slice(from, to));
      if (type.name === 'LabelName') labels.push(query.slice(from, to));
    },
  });
  return { valid, names, labels };
}

const queries = [
  ...alerts.map(({ alert, expr }) => [alert, expr] as const),
  ...panels.flatMap(({ title, targets }) => targets.map(({ expr }) => [title, expr] as const)),
];

describe('alerts and dashboard', () => {
  it('exist', () => {
    expect(alerts.length).toBeGreaterThan(5);
    expect(queries.length).toBeGreaterThan(20);
  });

  it.each(queries)('%s uses exported series and their labels', (_title, expr) => {
    const known = exported();
    const { valid, names, labels } = read(expr);
    expect(valid).toBe(true);
    expect(names).not.toEqual([]);
    expect(names.filter((name) => !known.has(name))).toEqual([]);
    const theirs = new Set([...everywhere, ...names.flatMap((name) => known.get(name) ?? [])]);
    expect(labels.filter((label) => !theirs.has(label))).toEqual([]);
  });

  it('each alert has a runbook, and each runbook an alert', () => {
    const sections = [...file('docs/runbooks.md').matchAll(/^## (\w+)$/gm)].map(([, name]) => name);
    expect(sections).toEqual(alerts.map(({ alert }) => alert));
    expect(alerts.map(({ annotations }) => annotations.runbook_url)).toEqual(
      alerts.map(({ alert }) => `https://docs.covalence.example/runbooks.md#${alert.toLowerCase()}`),
    );
  });

  it('the runbooks name existing panels', () => {
    const titles = new Set(panels.map(({ title }) => title.replace(/,? p99.*$/, '')));
    // Titles may wrap on the page.
    const page = file('docs/runbooks.md').replaceAll(/\s+/g, ' ');
    const named = [...page.matchAll(/[Pp]anels? "([^"]+)"/g)].map(([, title]) => title);
    expect(named.filter((title) => !titles.has(title ?? ''))).toEqual([]);
  });
});
