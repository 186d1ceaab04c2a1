import { action, type Command, type Output } from '@covalence/runtime/command';
import { UsageError } from '@covalence/runtime/command-error';
import { listenForInterruption } from '@covalence/runtime/interruption';
import { pluralize } from '@covalence/runtime/pluralize';
import { resolve } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import type { SearchesContext } from '../searches/searches.ts';
import type { Published } from '../publishing/publish-settings.ts';
import type { CommandSettings } from './command-settings.ts';
import { noteIn, readSettingsFrom } from './read-from.ts';

interface Options {
  readonly note?: string;
  readonly file?: string;
  readonly withRelevance?: boolean;
  readonly from?: string;
}

/** Reads a file, or standard input if it is `-`. */
async function read(file: string, folder: string) {
  // A pipe may have nothing to read yet, so it is read as a stream.
  return file === '-'
    ? readSettingsFrom(file, await textOf(process.stdin))
    : readSettingsFrom(resolve(folder, file));
}

function versionIn(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d{1,9}$/.test(text)) throw new UsageError('A version is a whole number.');
  return Number(text);
}

const rebuildOptions = (output: Output) => ({
  interrupted: listenForInterruption(() => process.exit(1)),
  onRebuild: () => output.line('the index lacks stems of this version: building one that has them'),
  onProgress: (copied: number) => output.line(pluralize(copied, 'member')),
});

function report(published: Published, what: string, output: Output): void {
  if (published.rebuilt) output.line(`live: ${published.rebuilt}`);
  output.line(`version ${published.version} is in force${what}: every search process uses it within seconds`);
  output.data(published);
}

/** Says that a running experiment ends: it compares with the version before. */
async function warn({ usage }: SearchesContext, output: Output): Promise<void> {
  const running = await usage.experiments.running();
  if (running)
    output.line(`the experiment ${running.name} ends: it compares with version ${running.against.settings}`);
}

/** Prints a version, by default the one in force, as a file to publish. */
async function show(
  version: number | undefined,
  { withRelevance }: Options,
  { settings: { store, active } }: SearchesContext,
  output: Output,
): Promise<void> {
  const { NoVersion } = await import('../publishing/publish-settings.ts');
  const shown = version ?? (await active.refresh()).version;
  const content = await store.read(shown);
  if (!content) throw new NoVersion(shown);
  const relevance = content.relevance ?? (withRelevance ? active.ofFile : null);
  const file = { version: shown, ...content, relevance };
  output.line(JSON.stringify(file, null, 2));
  output.data(file);
}

/** Publishes the content of a file, unless another version than that of the file is the newest. */
async function publish(
  { version: after, ...content }: Awaited<ReturnType<typeof read>>,
  note: string,
  context: SearchesContext,
  output: Output,
): Promise<void> {
  const { publishSettings } = await import('../publishing/publish-settings.ts');
  const { onRebuild, ...options } = rebuildOptions(output);
  const publication = { content, note, of: null, by: null, after, onRebuild };
  report(await publishSettings(publication, context, options), '', output);
  await warn(context, output);
}

/** Lists the versions, the one in force first. */
async function list({ settings: { store } }: SearchesContext, output: Output): Promise<void> {
  const versions = await store.list();
  for (const { version, at, note, of, by } of versions) {
    const parts = [of === null ? '' : `again version ${of}`, note, by ? `by ${by}` : ''];
    const text = parts.filter(Boolean).join('; ');
    output.line(`${version}  ${at.toISOString()}  ${text}`.trimEnd());
  }
  if (!versions.length)
    output.line('nothing was published: no synonyms, the stems of the mapping, and RELEVANCE_FILE');
  output.data(versions);
}

/** Puts a version in force again, unless another one than `after` is the newest. */
async function rollBack(
  version: number | undefined,
  after: number | undefined,
  context: SearchesContext,
  output: Output,
): Promise<void> {
  const { rollBackSettings } = await import('../publishing/publish-settings.ts');
  const published = await rollBackSettings(version, context, { ...rebuildOptions(output), after });
  report(published, ` with the content of version ${published.of}, instead of ${published.from}`, output);
  await warn(context, output);
}

/** Prints what else a text finds, under the version in force with the changes of a file. */
async function tryText(
  { language, text }: { readonly language: string; readonly text: string },
  given: Awaited<ReturnType<typeof read>> | undefined,
  { settings: { active } }: SearchesContext,
  output: Output,
): Promise<void> {
  const { compileSettings } = await import('../settings/search-settings.ts');
  const { expandText, newBudget } = await import('../analysis/expand-text.ts');
  const { content } = await active.refresh();
  const { analysis, relevance } = compileSettings(0, { ...content, ...given }, active.ofFile);
  const units = expandText(text, analysis.forLocale(language).rules, relevance.text, newBudget());
  for (const { words, isKept, alternatives } of units) {
    const all = [...(isKept ? [words] : []), ...alternatives.map((one) => one.words)];
    output.line(`${words.join(' ')}: ${all.map((some) => some.join(' ')).join(' | ')}`);
  }
  output.data(units);
}

/** Adds `search-settings show|publish|list|rollback|try`. */
export function addSettingsCommands(
  program: Command,
  { withService, folder = '.' }: CommandSettings<SearchesContext>,
): void {
  const group = program
    .command('search-settings')
    .description('synonyms, stemmers and weights of searches, by version (docs/search.md)');

  group
    .command('show')
    .description('print a version, by default the one in force, as a file to change and publish')
    .argument('[version]')
    .option('--with-relevance', 'the relevance settings of RELEVANCE_FILE instead of null, to change them')
    .action(
      action<Options>(({ args: [text], options, output }) => {
        const version = versionIn(text);
        return withService((context) => show(version, options, context, output));
      }),
    );

  group
    .command('publish')
    .description('check a file (- is standard input) and put it in force as a new version')
    .argument('<file>')
    .option('--note <text>', 'a note for the list')
    .action(
      action<Options>(async ({ args: [file = ''], options, output }) => {
        const note = noteIn(options);
        const given = await read(file, folder);
        await withService((context) => publish(given, note, context, output));
      }),
    );

  group
    .command('list')
    .description('list the last 100 versions, the one in force first')
    .action(action(({ output }) => withService((context) => list(context, output))));

  group
    .command('rollback')
    .description('put an older version in force, by default the one before; 0 has no synonyms or weights')
    .argument('[version]')
    .option('--from <version>', 'the version to leave: refuses if another one is the newest')
    .action(
      action<Options>(({ args: [text], options: { from }, output }) => {
        const [version, after] = [versionIn(text), versionIn(from)];
        return withService((context) => rollBack(version, after, context, output));
      }),
    );

  group
    .command('try')
    .description('show what else a text finds, under the version in force or a file')
    .argument('<language>', 'e.g. en')
    .argument('<text>')
    .option('--file <file>', 'a file to try before it is published')
    .action(
      action<Options>(async ({ args: [language = '', text = ''], options: { file }, output }) => {
        const given = file === undefined ? undefined : await read(file, folder);
        await withService((context) => tryText({ language, text }, given, context, output));
      }),
    );
}
