import { neutralAnswerRate } from '@covalence/contract/search-projection';
import { dayMs } from '@covalence/contract/time';
import type { VisibleSource } from '../index/member-document.ts';

/** Log-odds of an ordinary like, and how much criteria and taste change them, from none to all: the odds of each multiply. */
const logOdds = { ordinary: -2, criteria: 2, taste: 2 };

/** The affinity of members whose taste is not known. */
export const unknownTaste = 0.5;

/** Days over which the chance of an answer falls by half. */
export const activeDays = 60;

const dayNumber = (ms: number) => Math.floor(ms / dayMs);

/** The probability of a like, by the share of the criteria that are met and the affinity, both from 0 to 1. */
export function chanceOfLike(met: number, affinity: number): number {
  const { ordinary, criteria, taste } = logOdds;
  return 1 / (1 + Math.exp(-ordinary - criteria * (met - 0.5) - taste * (affinity - 0.5)));
}

/**
 * The probability that a member is there and acts, by the last activity and the answer rate: less for members who ignore others, no
 * more for those who answer everybody. It falls at the beginning of a day, so that no order reveals the hour at which a member was active.
 */
export function chanceOfPresence(
  { last_seen: seen, answer_rate: rate }: Pick<VisibleSource, 'last_seen' | 'answer_rate'>,
  now: Date,
): number {
  const days = seen === null ? activeDays : dayNumber(now.getTime()) - dayNumber(Date.parse(seen));
  const acts = Math.min(1, 1 - neutralAnswerRate + rate);
  return acts * (1 - Math.min(Math.max(days, 0), activeDays) / (2 * activeDays));
}
