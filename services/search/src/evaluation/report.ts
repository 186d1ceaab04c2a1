import type { Judged } from './compare-settings.ts';
import type { JudgedSearch } from './judgment-set.ts';
import { meanOf, type Quality } from './metrics.ts';
import { movesBetween } from './moves.ts';

const rows: readonly (readonly [label: string, key: keyof Quality])[] = [
  ['nDCG@10', 'ndcg'],
  ['precision@10', 'precision'],
  ['recall@100', 'recall'],
  ['ERR@10', 'err'],
  ['judged@10', 'judged'],
];

/** Smaller differences are not reported. */
const smallest = 0.0005;

const figure = (value: number) => value.toFixed(3);

const signed = (value: number) => `${value < 0 ? '' : '+'}${figure(value)}`;

/** The parts of a judged search that a report uses. */
type Measured = Pick<Judged, 'name' | 'qualities'>;

const ndcgsOf = ({ qualities: [before, after] }: Measured) => ({
  before: before?.ndcg ?? 0,
  after: after?.ndcg ?? before?.ndcg ?? 0,
});

/** Searches whose nDCG moved in one direction, the largest change first. */
function moved(judged: readonly Measured[], direction: 1 | -1): string[] {
  return judged
    .map((one) => ({ name: one.name, ...ndcgsOf(one) }))
    .filter(({ before, after }) => (after - before) * direction > smallest)
    .sort((one, other) => direction * (other.after - other.before - (one.after - one.before)))
    .map(({ name, before, after }) => `  ${name}: ${figure(before)} to ${figure(after)}`);
}

/** Searches that find no good member with any settings, probably because of a wrong id or a hidden member. */
function lost(judged: readonly Measured[]): string[] {
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
export function reportLines(judged: readonly Measured[]): string[] {
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

/** Results of a search that a report shows: as many as its metrics count. */
const shown = 10;

const metrics = rows.map(([, key]) => key);

const isSame = ({ qualities: [before, after] }: Measured): boolean =>
  metrics.every((key) => Math.abs((after?.[key] ?? 0) - (before?.[key] ?? 0)) <= smallest);

/** A grade: a mean of raters has two decimals. */
const gradeText = (grade: number | undefined) =>
  grade === undefined ? '–' : String(Number(grade.toFixed(2)));

const rankText = (rank: number | null) => (rank === null ? '–' : String(rank));

const rowOf = (cells: readonly string[], why: string) =>
  `${cells.map((cell) => cell.padStart(10)).join('')}  ${why}`.trimEnd();

/** The first results of one search, then those that it lost: rank, former rank, member, grade, relevance, and why. */
function movesIn({ name, qualities, found: [before = [], after] }: Judged, grades: JudgedSearch['grades']) {
  const current = after ?? before;
  const byId = new Map([...before, ...current].map((match) => [match.id, match]));
  const lines = movesBetween(before, current, shown).map(({ member: id, before: was, after: rank, why }) => {
    const changed = why.map((one) => `${one.criterion} ${figure(one.before)} to ${figure(one.after)}`);
    const gave = byId.get(id)?.explanation.map((one) => `${one.criterion} ${figure(one.gave)}`) ?? [];
    const ranks = [rankText(rank), ...(after ? [rankText(was)] : [])];
    const relevance = figure(byId.get(id)?.relevance ?? 0);
    return rowOf(
      [...ranks, String(id), gradeText(grades[id]), relevance],
      (after ? changed : gave).join(', '),
    );
  });
  const measured = rows.map(
    ([label, key]) => `${label} ${qualities.map((one) => figure(one[key])).join(' to ')}`,
  );
  const head = ['rank', ...(after ? ['was'] : []), 'member', 'grade', 'relevance'];
  const why = after ? 'share of the relevance that changed' : 'share of the relevance';
  return ['', `${name}: ${measured.join(', ')}`, rowOf(head, why), ...lines];
}

/** The lines about the results of the searches whose metrics changed, or of all with the current settings alone; of one search always. */
export const resultLines = (
  judged: readonly Judged[],
  searches: readonly Pick<JudgedSearch, 'grades'>[],
): string[] =>
  judged.flatMap((one, at) =>
    judged.length > 1 && one.found.length > 1 && isSame(one) ? [] : movesIn(one, searches[at]?.grades ?? {}),
  );
