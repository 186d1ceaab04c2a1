import { minuteMs, dayMs } from '@covalence/contract/time';
import { always, eachPart, type MayGoOn } from '@covalence/events/periodic';
import { chunks } from '@covalence/runtime/chunks';
import { isUnavailableError } from '@covalence/runtime/unavailable-error';
import { isVisible } from '../members/document/member-values.ts';
import { answerRateOf, answersIn, countedAt } from './answer-rate.ts';
import type { PairsContext } from './pairs.ts';

/** Twice the time between two rounds, so that every member who was there is found. */
const lookBackMs = 10 * minuteMs;

/** A rate is counted, and written, once in this time, so that a change does not tell what caused it. */
const keptMs = 7 * dayMs;
const batch = 100;

/** The advances to a member, by whether they were answered. Those of members whom nobody can meet do not count. */
async function readAnswers(member: number, { members, pairs, clock }: PairsContext): Promise<boolean[]> {
  const period = countedAt(clock());
  const answers: boolean[] = [];
  for (let since: number | undefined = period.from.getTime(); since !== undefined;) {
    const page: Awaited<ReturnType<typeof pairs.store.changedSince>> = await pairs.store.changedSince(
      member,
      since,
    );
    const found = page.changes.flatMap(({ other, sides }) =>
      answersIn(sides, period).map((isAnswered) => ({ other, isAnswered })),
    );
    const others = await members.store.eligibilityOf([...new Set(found.map(({ other }) => other))]);
    const met = new Set(others.filter(isVisible).map(({ _id }) => _id));
    answers.push(...found.flatMap(({ other, isAnswered }) => (met.has(other) ? [isAnswered] : [])));
    since = page.next;
  }
  return answers;
}

/** Job: counts what members answer, of those who are there, each once a week. Resolves with failures. */
export async function countAnswerRates(context: PairsContext, mayGoOn: MayGoOn = always): Promise<number> {
  const { members, clock, logger } = context;
  const now = clock();
  const seen = await members.presence.seenSince(new Date(now.getTime() - lookBackMs), now);
  const count = async (member: number) => {
    const rate = answerRateOf(await readAnswers(member, context));
    await members.store.change(member, () => ({ answering: { rate, at: now } }));
  };
  let failed = 0;
  for (const ids of chunks(seen.keys(), batch)) {
    const due = await members.store.answerRatesDue(ids, new Date(now.getTime() - keptMs));
    failed += await eachPart(due, count, {
      mayGoOn,
      ends: isUnavailableError,
      logger,
      left: 'answer rate not counted: will retry',
      about: (member) => ({ member }),
    });
  }
  return failed;
}
