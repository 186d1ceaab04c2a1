import type { Problem } from '@covalence/contract/failure';
import { chunks } from '@covalence/runtime/chunks';
import { mostKept, type GivenRating } from './judgment-set-store.ts';
import { readGrades, type Format } from './formats.ts';
import type { JudgmentsContext } from './judgments.ts';

/** The problem of grades that a set has no room for. */
export const tooMany: Problem = { path: '', problem: `a set has at most ${mostKept.ratings} grades` };

/** A file of grades of a set. */
interface GradesFile {
  readonly set: string;
  readonly format: Format;
  readonly text: string;
  /** The rater of grades that are in a single column. */
  readonly rater: string;
}

/** Unknown searches that are reported, members of one look-up, and columns of raters. */
const most = { unknown: 20, members: 1_000, raters: 20 };

/** The members that the index contains: an old file or page must not bring back numbers of erased ones. */
export async function knownMembers(members: Iterable<number>, { index }: Pick<JudgmentsContext, 'index'>) {
  const found = new Set<number>();
  for (const some of chunks(new Set(members), most.members)) {
    const documents = await index.documents.read(some, index.aliases.live, ['id']);
    for (const id of documents.keys()) found.add(id);
  }
  return found;
}

/** Stores the grades of a file. Nothing is stored if it has problems. */
export async function importGrades(
  { set, format, text, rater }: GradesFile,
  { judgments: { sets }, index }: Pick<JudgmentsContext, 'judgments' | 'index'>,
): Promise<{ stored: number; left_out: number } | { problems: readonly Problem[] }> {
  const parsed = readGrades(format, text);
  if ('problems' in parsed) return parsed;
  const { rows } = parsed;
  const searches = new Map((await sets.searches(set)).map((one) => [one.name, one]));
  const unknown = new Set(rows.map((row) => row.search).filter((name) => !searches.has(name)));
  if (unknown.size) {
    const problem = 'is no search of the set';
    return { problems: [...unknown].slice(0, most.unknown).map((path) => ({ path, problem })) };
  }
  const raters = Math.max(0, ...rows.map(({ grades }) => grades.length));
  if (raters > most.raters)
    return { problems: [{ path: '', problem: `has more than ${most.raters} raters` }] };
  const members = await knownMembers(
    rows.map((row) => row.member),
    { index },
  );
  const kept = rows.filter((row) => members.has(row.member));
  const ratings = kept.flatMap(({ search, member, grades }): GivenRating[] => {
    const found = searches.get(search);
    return grades.flatMap((grade, column) =>
      found && grade !== undefined
        ? {
            search: found.id,
            searcher: found.member,
            member,
            grade,
            rater: raters > 1 ? `file ${column + 1}` : rater,
          }
        : [],
    );
  });
  if (!(await sets.rate(set, ratings))) return { problems: [tooMany] };
  return { stored: ratings.length, left_out: rows.length - kept.length };
}
