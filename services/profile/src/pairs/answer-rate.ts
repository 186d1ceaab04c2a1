import { neutralAnswerRate } from '@covalence/contract/search-projection';
import { dayMs } from '@covalence/contract/time';
import type { Sides } from './pair.ts';

/** Advances of this time count, so that a rate recovers. */
const windowMs = 60 * dayMs;

/** Later advances do not count yet: members have time to answer, and a change of the rate does not tell which advance it is about. */
const graceMs = 7 * dayMs;

/** The neutral rate weighs as much as this many advances, so that few say little. */
const neutralAdvances = 16;

/** The highest share that counts: answering indiscriminately gains nothing more. */
const enough = 0.8;

/** A rate is a multiple of 1 / steps, so that it changes rarely. */
const steps = 4;

/** The times between which advances count. */
interface Period {
  readonly from: Date;
  readonly to: Date;
}

/** The period whose advances count now. */
export const countedAt = (now: Date): Period => ({
  from: new Date(now.getTime() - windowMs),
  to: new Date(now.getTime() - graceMs),
});

/** A like or a first message of the other that answers none of the member's. */
interface Advance {
  readonly at: Date;
  readonly isAnswered: boolean;
}

function likeIn({ mine, theirs }: Sides): Advance[] {
  const at = theirs.stance === 'liked' && theirs.stance_at;
  const isAnswer = at && mine.stance === 'liked' && mine.stance_at && mine.stance_at < at;
  return at && !isAnswer ? [{ at, isAnswered: mine.stance !== 'none' }] : [];
}

function firstMessageIn({ mine, theirs }: Sides): Advance[] {
  const at = theirs.messaged_at;
  if (!at || (mine.messaged_at && mine.messaged_at < at)) return [];
  const isRefused = mine.stance === 'declined' || mine.stance === 'unliked';
  return [{ at, isAnswered: isRefused || mine.messaged_at !== undefined }];
}

/** The advances of the other. A report of theirs is one that went wrong, however the member answered. */
function advancesIn(sides: Sides): Advance[] {
  const { mine, theirs } = sides;
  if (theirs.reported_at) return [{ at: theirs.reported_at, isAnswered: false }];
  const isPassed = (at: Date) => mine.passed_until !== undefined && mine.passed_until > at;
  return [...likeIn(sides), ...firstMessageIn(sides)].map(({ at, isAnswered }) => ({
    at,
    isAnswered: isAnswered || isPassed(at),
  }));
}

/** Whether each advance of a period in a pair was answered. A member who blocks or reports the other owes no answer. */
export function answersIn(sides: Sides, { from, to }: Period): boolean[] {
  const { mine } = sides;
  if (mine.blocked_at ?? mine.reported_at) return [];
  return advancesIn(sides).flatMap(({ at, isAnswered }) => (at >= from && at <= to ? [isAnswered] : []));
}

/** The rate by whether each advance was answered. */
export function answerRateOf(answers: readonly boolean[]): number {
  const answered = answers.filter(Boolean).length;
  const credited = Math.min(answers.length, answered / enough) + neutralAdvances * neutralAnswerRate;
  return Math.round((credited / (answers.length + neutralAdvances)) * steps) / steps;
}
