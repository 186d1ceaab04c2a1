import type { Judged } from './compare-settings.ts';
import { meanOf, type Quality } from './metrics.ts';

const rows: readonly (readonly [label: string, key: keyof Quality])[] = [
  ['nDCG@10', 'ndcg'],
  ['precision@10', 'precision'],
  ['recall@100', 'recall'],
];

/** Smaller differences are not reported. */
const smallest = 0.0005;

const figure = (value: number) => value.toFixed(3);

const signed = (value: number) => `${value < 0 ? '' : '+'}${figure(value)}`;

const ndcgsOf = ({ qualities: [before, after] }: Judged) => ({
  before: before?.ndcg ?? 0,
  after: after?.ndcg ?? before?.ndcg ?? 0,
});

/** Searches whose nDCG moved in one direction, the largest change first. */
function moved(judged: readonly Judged[], direction: 1 | -1): string[] {
  return judged
    .map((one) => ({ name: one.name, ...ndcgsOf(one) }))
    .filter(({ before, after }) => (after - before) * direction > smallest)
    .sort((one, other) => direction * (other.after - other.before - (one.after - one.before)))
    .map(({ name, before, after }) => `  ${name}: ${figure(before)} to ${figure(after)}`);
}

/** Searches that find no good member with any settings, probably because of a wrong id or a hidden member. */
function lost(judged: readonly Judged[]): string[] {
  const names = judged
    .filter(({ qualities }) => qualities.every(({ recall }) => recall === 0))
    .map(({ name }) => `  ${name}`);
  if (!names.length) return [];
  return ['none of their good members is found; check ids, visibility and limits:', ...names];
}

/**
 * The lines of a report: the means of the metrics with the current settings and, if there are any, with the changed ones; then the
 * searches that became better or worse, and those that find no good member.
 */
export function reportLines(judged: readonly Judged[]): string[] {
  const [current, changed] = [0, 1].map((variant) =>
    judged.flatMap(({ qualities }) => qualities[variant] ?? []),
  );
  const before = meanOf(current ?? []);
  const after = changed?.length ? meanOf(changed) : undefined;
  const head = ['', 'current', ...(after ? ['changed', 'difference'] : [])];
  const table = rows.map(([label, key]) => [
    label,
    figure(before[key]),
    ...(after ? [figure(after[key]), signed(after[key] - before[key])] : []),
  ]);
  const lines = [head, ...table].map(([label = '', ...cells]) =>
    [label.padEnd(14), ...cells.map((cell) => cell.padStart(11))].join(''),
  );
  const [better, worse] = [moved(judged, 1), moved(judged, -1)];
  const same = judged.length - better.length - worse.length;
  const changes = [
    `better: ${better.length}`,
    ...better,
    `worse: ${worse.length}`,
    ...worse,
    `the same: ${same}`,
  ];
  return [`${judged.length} searches`, ...lines, ...(after ? changes : []), ...lost(judged)];
}
