import type { MayGoOn } from '@covalence/events/periodic';
import { setTimeout as pause } from 'node:timers/promises';

/** A job uses the processor for this long, then leaves it to searches for that long, ms. */
const turn = { work: 10, rest: 30 };

/** Between so many turns the job is asked whether to go on. */
const turnsPerQuestion = 25;

/** To be called between short steps of a long job: rests after each turn, so that searches do not wait. False where it may not go on. */
export type Throttle = () => Promise<boolean>;

/** Creates the throttle of a job. */
export function createThrottle(mayGoOn: MayGoOn): Throttle {
  let began = performance.now();
  let taken = 0;
  return async () => {
    if (performance.now() - began < turn.work) return true;
    taken += 1;
    if (taken % turnsPerQuestion === 0 && !(await mayGoOn())) return false;
    await pause(turn.rest);
    began = performance.now();
    return true;
  };
}
