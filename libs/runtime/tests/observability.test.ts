import { parser } from '@prometheus-io/lezer-promql';
import { describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';
import { createHealth, measureHealth } from '../src/health.ts';
import { createMetrics } from '../src/metrics.ts';
import { measureProcess } from '../src/process-metrics.ts';

const root = new URL('../../../', import.meta.url);
const file = (path: string) => readFileSync(new URL(path, root), 'utf8');

const alertSchema = z.strictObject({
  alert: z.string(),
  expr: z.string(),
  for: z.string().regex(/^\d+m$/),
  labels: z.strictObject({ severity: z.enum(['page', 'ticket']) }),
  annotations: z.strictObject({ summary: z.string(), runbook_url: z.url() }),
});
const recordSchema = z.strictObject({
  record: z.string(),
  expr: z.string(),
  labels: z.strictObject({ objective: z.string() }).optional(),
});
const rulesSchema = z.object({
  groups: z.array(z.object({ rules: z.array(z.union([alertSchema, recordSchema])) })),
});
const rules = ['objectives', 'alerts'].flatMap((name) =>
  rulesSchema.parse(parse(file(`observability/${name}.yaml`))).groups.flatMap((group) => group.rules),
);
const alerts = rules.filter((rule) => 'alert' in rule);
const records = rules.filter((rule) => 'record' in rule);

/** Expectations of `promtool test rules`. */
const testsSchema = z.object({
  tests: z.array(
    z.object({
      alert_rule_test: z
        .array(
          z.object({
            alertname: z.string(),
            exp_alerts: z.array(z.object({ exp_labels: z.object({ severity: z.string() }) })),
          }),
        )
        .default([]),
    }),
  ),
});

const dashboardSchema = z.object({
  panels: z.array(
    z.object({ title: z.string(), targets: z.array(z.object({ expr: z.string() })).default([]) }),
  ),
});
const panels = ['dashboard', 'objectives'].flatMap(
  (name) => dashboardSchema.parse(JSON.parse(file(`observability/${name}.json`))).panels,
);

/** Queries that judge a new version or set the number of processes. */
const ofComponents = ['canary/analysis', 'keda/scaled-objects'].flatMap((name) =>
  [...file(`k8s/components/${name}.yaml`).matchAll(/^ +query: (.+)$/gm)].map(
    ([, query = '']) => [name, query] as const,
  ),
);

/** Labels of every series: the service and those of Prometheus. */
const everywhere = ['service', 'job', 'instance', 'objective', 'revision'];

/** Labels by series of the exporters that observability/README.md lists. */
const ofExporters: ReadonlyMap<string, readonly string[]> = new Map([
  ['node_filesystem_avail_bytes', ['fstype', 'mountpoint']],
  ['node_filesystem_size_bytes', ['fstype', 'mountpoint']],
  ['kubelet_volume_stats_available_bytes', ['namespace', 'persistentvolumeclaim']],
  ['kubelet_volume_stats_capacity_bytes', ['namespace', 'persistentvolumeclaim']],
  ['mongodb_mongod_replset_oplog_head_timestamp', []],
  ['mongodb_mongod_replset_oplog_tail_timestamp', []],
  ['probe_ssl_earliest_cert_expiry', []],
  ['certmanager_certificate_expiration_timestamp_seconds', ['namespace', 'name']],
  ['kube_cronjob_status_last_successful_time', ['namespace', 'cronjob']],
  ['kube_cronjob_created', ['namespace', 'cronjob']],
  ['rollout_info', ['name', 'phase']],
]);

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
  const recorded = records.map(({ record }): [string, readonly string[]] => [record, []]);
  return new Map([['up', []], ...ofExporters, ...recorded, ...series]);
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

/** Without those that are numbers. */
const queries = [
  ...alerts.map(({ alert, expr }) => [alert, expr] as const),
  ...records.map(({ record, labels, expr }) => [`${record} ${labels?.objective ?? ''}`, expr] as const),
  ...ofComponents,
  ...panels.flatMap(({ title, targets }) => targets.map(({ expr }) => [title, expr] as const)),
].filter(([, expr]) => !expr.startsWith('vector('));

describe('alerts and dashboard', () => {
  it('exist', () => {
    expect(alerts.length).toBeGreaterThan(5);
    expect(queries.length).toBeGreaterThan(20);
    expect(ofComponents.length).toBeGreaterThan(9);
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
    // A page and a ticket of the same name share a section.
    expect(sections).toEqual([...new Set(alerts.map(({ alert }) => alert))]);
    expect(alerts.map(({ annotations }) => annotations.runbook_url)).toEqual(
      alerts.map(({ alert }) => `https://docs.covalence.example/runbooks.md#${alert.toLowerCase()}`),
    );
  });

  it('each alert fires in a test of promtool', () => {
    const files = readdirSync(new URL('observability/', root)).filter((name) => name.endsWith('.test.yaml'));
    const fired = files
      .flatMap((name) => testsSchema.parse(parse(file(`observability/${name}`))).tests)
      .flatMap(({ alert_rule_test }) => alert_rule_test)
      .flatMap(({ alertname, exp_alerts }) =>
        exp_alerts.map(({ exp_labels }) => `${alertname} ${exp_labels.severity}`),
      );
    const untested = alerts.map(({ alert, labels }) => `${alert} ${labels.severity}`);
    expect(untested.filter((alert) => !fired.includes(alert))).toEqual([]);
  });

  it('the README lists each objective with its budget, and the series of exporters', () => {
    const page = file('observability/README.md');
    const rows = [...page.matchAll(/^\| `([a-z-]+)` +\|.*\| ([\d.]+) % +\|$/gm)];
    const documented = rows.map(([, name, percent]) => [
      name,
      `vector(${(1 - Number(percent) / 100).toFixed(3)})`,
    ]);
    const budgets = records.filter(({ record }) => record === 'objective:budget');
    expect(documented).toEqual(budgets.map(({ labels, expr }) => [labels?.objective, expr]));
    expect([...ofExporters.keys()].filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
  });

  it('the runbooks name existing panels', () => {
    const titles = new Set(panels.map(({ title }) => title.replace(/,? p99.*$/, '')));
    // Titles may wrap on the page.
    const page = file('docs/runbooks.md').replaceAll(/\s+/g, ' ');
    const named = [...page.matchAll(/[Pp]anels? "([^"]+)"/g)].map(([, title]) => title);
    expect(named.filter((title) => !titles.has(title ?? ''))).toEqual([]);
  });
});
