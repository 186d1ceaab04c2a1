import type { Problem } from '@covalence/contract/failure';
import { z } from 'zod';
import type { Rating, SetSearch } from './judgment-set-store.ts';
import { gradeOf, gradesOf, resultsOf } from './judgments.ts';

/** Formats of graded results: the CSV of Quepid's books and cases, and the qrels of TREC. */
export const formats = ['quepid', 'trec'] as const;

/** One of them. */
export type Format = (typeof formats)[number];

/** The grades of one result in a file, by column of raters; an empty one is undefined. */
interface FileRow {
  readonly search: string;
  readonly member: number;
  readonly grades: readonly (number | undefined)[];
}

/** The rows of a file, or the lines that cannot be read. */
type Parsed = { readonly rows: readonly FileRow[] } | { readonly problems: readonly Problem[] };

/** Problems that are reported. */
const mostProblems = 20;

/** A topic of TREC has no blanks; names of searches have no `_`. */
const topicOf = (name: string): string => name.replaceAll(' ', '_');

/** The name of the search of a topic. */
const nameOf = (topic: string): string => topic.replaceAll('_', ' ').trim();

/** The fields of a line of CSV (RFC 4180). */
const csvFields = (line: string): string[] =>
  Array.from(line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^",]*))/g), ([, quoted, plain]) =>
    quoted === undefined ? (plain ?? '') : quoted.replaceAll('""', '"'),
  );

const csvField = (text: string): string => (/[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

const rowSchema = z.object({
  search: z.string().min(1).transform(nameOf),
  member: z.coerce.number().int().positive().max(Number.MAX_SAFE_INTEGER),
  grades: z
    .array(
      z.union([
        z.literal('').transform(() => undefined),
        z.string().regex(/\S/).transform(Number).pipe(z.int().min(0).max(3)),
      ]),
    )
    .min(1),
});

/** Splits a line into a search, a member and grades. */
const splits: Record<Format, (line: string) => z.input<typeof rowSchema>> = {
  quepid(line) {
    const [search = '', member, ...grades] = csvFields(line);
    return { search, member, grades };
  },
  trec(line) {
    const [search = '', , member, ...grades] = line.trim().split(/\s+/);
    return { search, member, grades };
  },
};

/** Reads a file: CSV `query,docid` and a column for each rater, below a header, or qrels `topic 0 docno grade`. */
export function readGrades(format: Format, text: string): Parsed {
  const lines = text
    .split(/\r?\n/)
    .map((line, at) => ({ line, number: at + 1 }))
    .filter(({ line, number }) => line.trim() && !(format === 'quepid' && number === 1));
  const rows: FileRow[] = [];
  const problems: Problem[] = [];
  for (const { line, number } of lines) {
    const { data } = rowSchema.safeParse(splits[format](line));
    if (data) rows.push(data);
    else
      problems.push({ path: `line ${number}`, problem: 'must be a search, a member and grades from 0 to 3' });
    if (problems.length === mostProblems) break;
  }
  return problems.length ? { problems } : { rows };
}

const textOf = (some: readonly string[]) => some.map((line) => `${line}\n`).join('');

/** Writes the ratings of searches: as CSV with a column for each rater, whom it does not name, or the means as qrels. */
export function writeGrades(
  format: Format,
  searches: readonly { readonly id: string; readonly name: string }[],
  ratings: readonly Rating[],
): string {
  const bySearch = resultsOf(ratings);
  const results = searches.flatMap(({ id, name }) =>
    [...(bySearch.get(id) ?? [])].map(([member, of]) => ({ name, member, of })),
  );
  if (format === 'trec') {
    return textOf(
      results.map(({ name, member, of }) => `${topicOf(name)} 0 ${member} ${Math.round(gradeOf(of))}`),
    );
  }
  const raters = [...new Set(ratings.map(({ rater }) => rater))].sort();
  const header = ['query', 'docid', ...raters.map((_rater, at) => `rater ${at + 1}`)];
  const rows = results.map(({ name, member, of }) => {
    const byRater = new Map(of.map(({ rater, grade }) => [rater, grade]));
    return [csvField(name), member, ...raters.map((rater) => byRater.get(rater) ?? '')];
  });
  return textOf([header, ...rows].map((cells) => cells.join(',')));
}

/** Writes a file for `relevance --judgments`: the searches that have a good member, with the means. */
export function writeSet(searches: readonly SetSearch[], ratings: readonly Rating[]): string {
  const bySearch = gradesOf(ratings);
  const graded = searches.map(({ id: _id, ...search }) => ({
    ...search,
    grades: Object.fromEntries(bySearch.get(_id) ?? []),
  }));
  const measured = graded.filter(({ grades }) => Object.values(grades).some((grade) => grade >= 2));
  return `${JSON.stringify({ searches: measured }, null, 2)}\n`;
}

/** Writes what a run found as a run file of TREC: `topic Q0 docno rank score tag`. */
export function writeRun(
  results: readonly { readonly name: string; readonly found: readonly number[] }[],
  tag: string,
): string {
  return results
    .flatMap(({ name, found }) =>
      found.map(
        (member, at) => `${topicOf(name)} Q0 ${member} ${at + 1} ${found.length - at} ${topicOf(tag)}\n`,
      ),
    )
    .join('');
}
