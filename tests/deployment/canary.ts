import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { parse } from 'yaml';
import { root } from './files.ts';
import { answersOf, type Samples } from './prometheus.ts';

/** The decision of a version's analysis. */
export type Decision = 'goes on' | 'is rolled back' | 'waits';

interface Metric {
  readonly name: string;
  readonly initialDelay: string;
  readonly interval: string;
  readonly count?: number;
  readonly consecutiveSuccessLimit?: number;
  readonly failureLimit: number;
  readonly inconclusiveLimit?: number;
  readonly successCondition: string;
  readonly failureCondition?: string;
  readonly provider: { readonly prometheus: { readonly query: string } };
}

/** The metrics of the template, for one version of a service. */
function metricsFor(service: string, revision: string): Metric[] {
  const text = readFileSync(join(root, 'k8s/components/canary/analysis.yaml'), 'utf8');
  const filled = text.replaceAll('{{args.service}}', service).replaceAll('{{args.revision}}', revision);
  return (parse(filled) as { spec: { metrics: Metric[] } }).spec.metrics;
}

/** The conditions are expressions that JavaScript reads in the same way. */
const holds = (condition: string, result: readonly number[]) =>
  runInNewContext(condition, { result, len: (list: readonly number[]) => list.length }) === true;

/** Judges the measurements of a metric in order, as Argo Rollouts does; undefined while it needs more of them. */
function judge(metric: Metric, measured: Iterable<readonly number[]>): Decision | undefined {
  let [failed, inconclusive, inARow, all] = [0, 0, 0, 0];
  for (const result of measured) {
    const isGood = holds(metric.successCondition, result);
    const isBad = metric.failureCondition ? holds(metric.failureCondition, result) : !isGood;
    all += 1;
    inARow = isGood ? inARow + 1 : 0;
    if (isBad) failed += 1;
    else if (!isGood) inconclusive += 1;
    if (failed > metric.failureLimit) return 'is rolled back';
    if (inconclusive > (metric.inconclusiveLimit ?? 0)) return 'waits';
    if (metric.consecutiveSuccessLimit && inARow >= metric.consecutiveSuccessLimit) return 'goes on';
    if (metric.count && all >= metric.count) return 'goes on';
  }
  return undefined;
}

/** The decision of the analysis on a version, by the samples from a minute on; undefined while it needs more. */
export async function decide(
  program: string,
  folder: string,
  samples: Samples,
  version: { readonly service: string; readonly revision: string },
  from = 1,
): Promise<Decision | undefined> {
  const metrics = metricsFor(version.service, version.revision);
  const last = Math.max(...[...samples.values()].map(({ length }) => length)) - 1;
  const minutes = Array.from({ length: last - from + 1 }, (_, index) => from + index);
  const questions = metrics.flatMap(({ provider }) =>
    minutes.map((minute) => ({ query: provider.prometheus.query, minute })),
  );
  const answers = await answersOf(program, folder, samples, questions);
  const decisions = metrics.map((metric, index) =>
    judge(metric, answers.slice(index * minutes.length, (index + 1) * minutes.length)),
  );
  if (decisions.includes('is rolled back')) return 'is rolled back';
  if (decisions.includes(undefined)) return undefined;
  return decisions.includes('waits') ? 'waits' : 'goes on';
}
