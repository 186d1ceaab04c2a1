import type { Output } from '@covalence/runtime/command';
import { CommandError } from '@covalence/runtime/command-error';
import type { JudgmentSetEntry } from './judgment-set-store.ts';
import type { Run } from './run-store.ts';
import type { SettingsChange } from '../settings/search-settings.ts';
import { compileSettings, noContent } from '../settings/search-settings.ts';
import { requireStems } from '../evaluation/compare-settings.ts';
import type { Searched } from '../evaluation/try-search.ts';
import { writeGrades, writeSet, type Format } from './formats.ts';
import { importGrades } from './import-grades.ts';
import type { JudgmentsContext } from './judgments.ts';
import { changesBetween, runSet } from './run-set.ts';

type Printed = Pick<Output, 'line' | 'data'>;

/** The rater of grades that the command line imports. */
const fileRater = 'file 1';

/** The set with this id or name. */
async function setNamed(name: string, { judgments }: JudgmentsContext): Promise<JudgmentSetEntry> {
  const sets = await judgments.sets.list('all');
  const [only, ...others] = sets.filter((set) => set.id === name || set.name === name);
  if (!only) throw new CommandError(`There is no set '${name}': covalence judgments list shows them.`);
  if (others.length) throw new CommandError(`Several sites have a set '${name}': give its id.`);
  return only;
}

const figure = (value: number | undefined) => value?.toFixed(3) ?? '–';

function runText({ at, version, changed, index, note, mean, measured }: Run): string {
  const how = `${changed ? ', changed' : ''}${index === 'shadow' ? ', shadow index' : ''}`;
  const facts = `${at.toISOString()}  version ${version}${how}${note && ` (${note})`}`;
  if (!mean) return `${facts}: no search has a good member (2 or 3) in its grades`;
  const { ndcg, precision, recall, err, judged } = mean;
  return `${facts}: nDCG@10 ${figure(ndcg)}, precision@10 ${figure(precision)}, recall@100 ${figure(recall)}, ERR@10 ${figure(err)}, judged@10 ${figure(judged)} over ${measured} searches`;
}

/** Prints the sets of all sites with their last run. */
export async function listSets({ judgments }: JudgmentsContext, output: Printed): Promise<void> {
  const sets = await judgments.sets.list('all');
  const listed = await Promise.all(
    sets.map(async (set) => ({ ...set, run: (await judgments.runs.list(set.id))[0] ?? null })),
  );
  for (const { id, siteid, name, run } of listed)
    output.line(`${id}  site ${siteid}  ${name}${run ? `  ${runText(run)}` : ''}`);
  if (!sets.length)
    output.line('there is no set yet: create one in the console, or by covalence judgments create');
  output.data(listed);
}

/** Prints the grades of a set as a file. */
export async function exportSet(
  name: string,
  format: Format | 'json',
  context: JudgmentsContext,
  output: Printed,
): Promise<void> {
  const { sets } = context.judgments;
  const { id } = await setNamed(name, context);
  const [searches, ratings] = await Promise.all([sets.searches(id), sets.ratings(id)]);
  const content = format === 'json' ? writeSet(searches, ratings) : writeGrades(format, searches, ratings);
  output.line(content.trimEnd());
  output.data({ content });
}

/** Adds the grades of a file to a set. */
export async function importFile(
  name: string,
  { path, text, format }: { readonly path: string; readonly text: string; readonly format: Format },
  context: JudgmentsContext,
  output: Printed,
): Promise<void> {
  const { id } = await setNamed(name, context);
  const imported = await importGrades({ set: id, format, text, rater: fileRater }, context);
  if ('problems' in imported) {
    const lines = imported.problems.map((one) => `${one.path} ${one.problem}`.trim());
    throw new CommandError(`${path}:\n${lines.join('\n')}`);
  }
  output.line(`grades stored: ${imported.stored}; rows of unknown members left out: ${imported.left_out}`);
  output.data(imported);
}

/** Runs a set, and prints each search that changed since the last run, with who moved. */
export async function runAndReport(
  name: string,
  asked: { readonly change: SettingsChange | undefined; readonly note: string; readonly index: Searched },
  context: JudgmentsContext,
  output: Printed,
): Promise<void> {
  const { store, active } = context.settings;
  const set = await setNamed(name, context);
  const { version } = await active.refresh();
  const content = (await store.read(version)) ?? noContent;
  const settings = compileSettings(version, { ...content, ...asked.change }, active.ofFile);
  await requireStems(settings, context.index, asked.index);
  const [before] = await context.judgments.runs.list(set.id);
  const facts = { ...asked, by: null, version };
  const run = await runSet(set, settings, facts, context);
  const searches = await changesBetween(run, before, context);
  output.line(runText(run));
  if (before) output.line(`before: ${runText(before)}`);
  for (const { name: search, problem, quality, before: then, moves } of searches) {
    if (problem !== null) output.line(`  ${problem}`);
    if (before && !moves.length && quality?.ndcg === then?.ndcg) continue;
    output.line(`  ${search}: nDCG@10 ${before ? `${figure(then?.ndcg)} to ` : ''}${figure(quality?.ndcg)}`);
    for (const { member, before: was, after } of moves)
      output.line(`    ${member}: rank ${was ?? 'beyond 50'} to ${after ?? 'beyond 50'}`);
  }
  output.data({ run, before: before ?? null, searches });
}
