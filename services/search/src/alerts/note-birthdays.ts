import { dayMs, utcDay } from '@covalence/contract/time';
import { always, eachPart, type MayGoOn } from '@covalence/events/periodic';
import { isUnavailableError } from '@covalence/runtime/unavailable-error';
import type { estypes } from '@elastic/elasticsearch';
import type { AlertsContext } from './alerts.ts';
import { factsOf } from '../predicates/member-facts.ts';
import { addMatches, matchOf } from './note-matches.ts';

const oldestYears = 120;
const pageSize = 500;

/** The dates of birth of everybody whose age in years is another than a day ago. */
function birthDatesOf(now: Date): string[] {
  const today = now.toISOString().slice(5, 10);
  // In years without February 29, members born on that day turn a year older on March 1.
  const days = today === '03-01' ? [today, '02-29'] : [today];
  const years = Array.from({ length: oldestYears + 1 }, (_, age) => now.getUTCFullYear() - age);
  return years.flatMap((year) => days.map((day) => `${year}-${day}`)).filter(isDate);
}

const isDate = (text: string): boolean => new Date(text).toISOString().startsWith(text);

async function noteBirthday(id: number, source: unknown, context: AlertsContext): Promise<void> {
  const { alerts, clock } = context;
  const facts = factsOf(source);
  if (!facts) return;
  const now = clock();
  const event = `${id}:${utcDay(now)}`;
  const fitting = await alerts.percolator.newlyFitting(event, facts, facts, new Date(now.getTime() - dayMs));
  await addMatches(
    fitting.map((alert) => matchOf(alert, id, true, now)),
    context,
  );
}

/** Job: notes whom members newly fit because it is their birthday, which changes nothing in the index. Resolves with failures. */
export async function noteBirthdays(context: AlertsContext, mayGoOn: MayGoOn = always): Promise<number> {
  const { alerts, clock, index, logger } = context;
  await alerts.percolator.refresh();
  const terms = { date_of_birth: birthDatesOf(clock()) };
  const query: estypes.QueryDslQueryContainer = {
    bool: { filter: [{ term: { visible: true } }, { terms }] },
  };
  if (!alerts.percolator.size) return 0;
  let failed = 0;
  for await (const ids of index.members.idPages(query, pageSize)) {
    const documents = await index.documents.read(ids, index.aliases.live);
    failed += await eachPart([...documents], ([id, { source }]) => noteBirthday(id, source, context), {
      mayGoOn,
      ends: isUnavailableError,
      logger,
      left: 'noting matches of a birthday failed: will retry',
      about: ([member]) => ({ member }),
    });
    if (!(await mayGoOn())) break;
  }
  return failed;
}
