import { replacing } from '../harness.ts';
import type { Context } from '../../src/context.ts';

const lost = () => Promise.reject(new Error('the process ended here'));

/** Points at which the work on a subscription can end: before a step, or after it was stored. */
const steps = {
  'before the store is asked': { store: 'subscriptions', names: ['beginQuery'], isDone: false },
  // The first answer about a subscription has a step of its own.
  'before the answer is stored': { store: 'subscriptions', names: ['create', 'answer'], isDone: false },
  'after the answer is stored': { store: 'subscriptions', names: ['create', 'answer'], isDone: true },
  'before a charge is booked': { store: 'ledger', names: ['append'], isDone: false },
  'after a charge is booked': { store: 'ledger', names: ['append'], isDone: true },
  'before the membership is changed': { store: 'memberships', names: ['write'], isDone: false },
  'after the membership is changed': { store: 'memberships', names: ['write'], isDone: true },
  'before the next look is set': { store: 'subscriptions', names: ['settle'], isDone: false },
} as const;

/** A step of the work on a subscription. */
export type Step = keyof typeof steps;

/** The steps by name. */
export const stepNames = Object.keys(steps) as Step[];

/** Does something with a process that ends at calls: before them, or once they are done. */
export async function endingAtCalls(
  target: object,
  names: readonly string[],
  isDone: boolean,
  work: () => Promise<unknown>,
): Promise<void> {
  const own = target as Record<string, (...args: unknown[]) => Promise<unknown>>;
  const ends = (before: typeof own) =>
    Object.fromEntries(
      names.map((name) => [
        name,
        async (...args: unknown[]) => {
          if (isDone) await before[name]?.(...args);
          return lost();
        },
      ]),
    );
  await replacing(own, ends, async () => void (await work()));
}

/** Does something with a process that ends at a step. */
export function endingAt(context: Context, step: Step, work: () => Promise<unknown>): Promise<void> {
  const { store, names, isDone } = steps[step];
  return endingAtCalls(context[store], names, isDone, work);
}
