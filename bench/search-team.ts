import { ofFile } from '@covalence/search/settings/search-settings';
import { criteriaOf } from '@covalence/seed/judgments/seeded-judgments';
import { generatePopulation } from '@covalence/seed/population/population';
import { effort } from './effort.ts';
import { measurement, median, p99, type Measurement } from './measurement.ts';
import type { SearchSystem } from './search-system.ts';
import { call, searches, settings } from './searches.ts';
import { createStaff, type BenchMember } from './system.ts';

/** How soon a changed weight shows what moved in a judgment set. */
const limitSeconds = 5;
/** The console follows a slider within a second, of which it waits 250 ms for the next move. */
const limitMs = 750;
/** Results of a search that are graded, as many as nDCG@10 looks at. */
const graded = 10;
/** Members whose searches a set has, in turn. */
const searcherCount = 20;
/** Runs before those that count. */
const warmRuns = 2;
/** More would exceed what an account may compare in an hour. */
const comparisons = Math.min(300, effort.searches);

/** Calls of the search team. */
type Call = <Answer>(path: string, body: object | null) => Promise<Answer>;

interface Created {
  readonly id: string;
}

/** The settings of the file with another weight, so that no two runs are the same. */
const withWeight = (turn: number) => ({
  relevance: { ...ofFile(settings), weights: { smoking: 20 + turn } },
});

/** Creates a set of searches for what generated members wish. */
async function createSet(staff: Call, count: number, searchers: readonly BenchMember[]): Promise<string> {
  const { id } = await staff<Created>('', { siteid: 1, name: `${count} searches` });
  const people = [...generatePopulation({ count, seed: 2, now: new Date() })];
  for (const [at, { preferences }] of people.entries()) {
    const search = {
      name: `s${at}`,
      member: searchers[at % searchers.length]?.id,
      criteria: criteriaOf(preferences),
    };
    await staff<Created>(`/${id}/searches`, search);
  }
  return id;
}

/** Grades the first results of a run. */
async function grade(staff: Call, set: string, run: string): Promise<void> {
  const { searches: ofSet } = await staff<{ searches: (Created & { name: string })[] }>(`/${set}`, null);
  const ids = new Map(ofSet.map(({ name, id }) => [name, id]));
  const { content } = await staff<{ content: string }>(`/${set}/export?format=trec&run=${run}`, null);
  const ratings = content
    .trim()
    .split('\n')
    .map((line) => line.split(' '))
    .filter(([, , , rank]) => Number(rank) <= graded)
    .map(([name = '', , member, rank]) => ({
      search: ids.get(name),
      member: Number(member),
      grade: 3 - (Number(rank) % 4),
    }));
  for (let at = 0; at < ratings.length; at += 500) {
    await staff(`/${set}/ratings`, { ratings: ratings.slice(at, at + 500) });
  }
}

/** From a changed weight to what moved in the whole set, as the console asks for it: a run, and its changes since the first. */
async function runs(staff: Call, count: number, searchers: readonly BenchMember[]): Promise<Measurement> {
  const set = await createSet(staff, count, searchers);
  const { id: first } = await staff<Created>(`/${set}/runs`, {});
  await grade(staff, set, first);
  const times: number[] = [];
  for (let turn = 0; turn < warmRuns + effort.rounds; turn += 1) {
    const begun = performance.now();
    const { id } = await staff<Created>(`/${set}/runs`, { settings: withWeight(turn) });
    const { searches: all } = await staff<{ searches: { problem: string | null; quality: object | null }[] }>(
      `/${set}/runs/${id}?against=${first}`,
      null,
    );
    times.push((performance.now() - begun) / 1_000);
    const problem = all.find((one) => one.problem)?.problem;
    const measured = all.filter(({ quality }) => quality).length;
    if (problem || all.length !== count || !measured)
      throw new Error(`${measured} of ${all.length} searches are measured: ${problem ?? 'no good result'}`);
  }
  const what = `changed weight to the differences of ${count} searches, × ${limitSeconds} s`;
  return measurement(what, 's', median(times.slice(warmRuns)), limitSeconds, `at most ${limitSeconds} s`);
}

/** One search under two weights, again and again, as a slider asks for it. */
async function compared(
  { url }: SearchSystem,
  { id: member }: BenchMember,
  token: string,
): Promise<Measurement[]> {
  const { sortby, ...criteria } = searches[1];
  const times: number[] = [];
  for (let turn = 0; turn < 2 * comparisons; turn += 1) {
    const begun = performance.now();
    const body = { member, criteria, sortby, pagesize: 20, settings: withWeight(turn) };
    await call(`${url}/staff/search/comparisons`, body, token);
    times.push(performance.now() - begun);
  }
  const measured = times.slice(comparisons);
  const what = `a comparison under two weights, × ${limitMs} ms`;
  return [
    measurement(`p50 of ${what}`, 'ms', median(measured), limitMs),
    measurement(`p99 of ${what}`, 'ms', p99(measured), limitMs, `at most ${limitMs} ms`),
  ];
}

/** Measures what the search team waits for. */
export async function withSearchTeam(system: SearchSystem): Promise<Measurement[]> {
  const token = await createStaff(system, 'benchsearch', 'search');
  const staff: Call = async <Answer>(path: string, body: object | null) =>
    JSON.parse(await call(`${system.url}/staff/search/judgment-sets${path}`, body, token)) as Answer;
  const searchers: BenchMember[] = [];
  while (searchers.length < Math.min(searcherCount, effort.manyJudged))
    searchers.push(await system.register());
  const [one] = searchers;
  if (!one) throw new Error('no searcher');
  return [
    await runs(staff, effort.fewJudged, searchers),
    await runs(staff, effort.manyJudged, searchers),
    ...(await compared(system, one, token)),
  ];
}
