import { action, type Command, type Output } from '@covalence/runtime/command';
import { CommandError, UsageError } from '@covalence/runtime/command-error';
import { pluralize } from '@covalence/runtime/pluralize';
import type { UseJudgment, UseJudgments } from '../usage/judge-use.ts';
import type { SearchesContext } from '../searches/searches.ts';
import type { CommandSettings } from './command-settings.ts';

interface Options {
  readonly since?: string;
  readonly by?: string;
  readonly qrels?: boolean;
}

const dayForm = /^\d{4}-\d\d-\d\d$/;

/** The first day that a command reads; by default everything that is kept. */
function firstDay(since: string | undefined): Date {
  if (since === undefined) return new Date(0);
  const day = new Date(since);
  // The 30th of February would be a day in March.
  if (!dayForm.test(since) || Number.isNaN(day.getTime()) || !day.toISOString().startsWith(since)) {
    throw new UsageError('--since must be a day like 2026-03-01.');
  }
  return day;
}

/** The topics and grades as TREC's tools read them. */
const qrelsLine = ({ topic, shown, grade }: UseJudgment) => `${topic} 0 ${shown} ${grade}`;

function report({ examined, judgments, versions }: UseJudgments, output: Output): void {
  const looks = examined.map(({ upTo, looks }) => `${upTo}: ${looks?.toFixed(2) ?? '?'}`);
  output.line(`looked at, by position or the last one of a range: ${looks.join('  ')}`);
  output.line(`${pluralize(judgments.length, 'judgment')}: --qrels prints them`);
  output.line('acted on, of 100 results that are looked at:');
  for (const { criteria, settings, searchers, results, rate } of versions) {
    const of = `${pluralize(results, 'result')}, ${pluralize(searchers, 'searcher')}`;
    output.line(`${(rate?.toFixed(2) ?? '?').padStart(6)}  version ${settings}  ${criteria}  (${of})`);
  }
  output.data({ examined, judgments, versions });
}

/** Adds `usage export|judgments`. */
export function addUsageCommands(program: Command, { withService }: CommandSettings<SearchesContext>): void {
  const group = program
    .command('usage')
    .description('recorded searches and what followed, under pseudonyms (docs/search.md)');

  group
    .command('export')
    .description('print recorded searches as JSON lines (User Behavior Insights): queries, then events')
    .option('--since <day>', 'from this day (UTC) on')
    .action(
      action<Options>(async ({ options, output }) => {
        const day = firstDay(options.since);
        const { ubiEvent, ubiQuery } = await import('../usage/ubi.ts');
        await withService(async ({ usage }) => {
          for await (const search of usage.store.searchesSince(day))
            output.line(JSON.stringify(ubiQuery(search)));
          for await (const done of usage.store.actionsSince(day)) output.line(JSON.stringify(ubiEvent(done)));
        });
      }),
    );

  group
    .command('judgments')
    .description('judge members by what searchers did, with the bias of positions corrected')
    .option('--since <day>', 'from this day (UTC) on')
    .option('--by <action>', 'like (default): likes, messages and replies; view: these and views')
    .option('--qrels', "print the grades alone, in the form of TREC's relevance judgments")
    .action(
      action<Options>(async ({ options: { since, by = 'like', qrels }, output }) => {
        const day = firstDay(since);
        if (by !== 'like' && by !== 'view') throw new UsageError('--by must be like or view.');
        const { judgeUse } = await import('../usage/judge-use.ts');
        await withService(async ({ usage }) => {
          const judged = await judgeUse(usage.store, { since: day }, by);
          if (!judged.examined.length)
            throw new CommandError('Too few actions on members who were shown at several positions.');
          if (qrels) for (const one of judged.judgments) output.line(qrelsLine(one));
          else report(judged, output);
        });
      }),
    );
}
