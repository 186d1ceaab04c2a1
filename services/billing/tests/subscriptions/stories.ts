import { array, boolean, constantFrom, integer, record, type Arbitrary } from 'fast-check';
import type { ServiceUnderTest } from '../harness.ts';

/** Events at a store, each after some days, and the deliveries of its notifications: in another order, repeated, or missing. */
export interface Story {
  readonly steps: readonly { readonly act: string; readonly days: number }[];
  readonly deliveries: readonly { readonly which: number; readonly isEarly: boolean }[];
}

export const storyOf = (acts: readonly string[]): Arbitrary<Story> =>
  record({
    steps: array(record({ act: constantFrom(...acts), days: integer({ min: 0, max: 40 }) }), {
      maxLength: 7,
    }),
    deliveries: array(record({ which: integer({ min: 0, max: 20 }), isEarly: boolean() }), {
      maxLength: 12,
    }),
  });

/** Drives a store. */
interface Teller {
  readonly happen: (act: string) => unknown;
  /** The deliveries of the notifications so far. */
  readonly sent: () => readonly (() => Promise<unknown>)[];
}

/** Lets a story happen, with its deliveries; several at once, as they come to several processes. */
export async function tell(
  { time }: Pick<ServiceUnderTest, 'time'>,
  { steps, deliveries }: Story,
  { happen, sent }: Teller,
): Promise<void> {
  const deliverAll = (some: Story['deliveries']) =>
    Promise.all(some.map(({ which }) => sent()[which % sent().length]?.()));
  for (const [index, { act, days }] of steps.entries()) {
    time.now = new Date(time.now.getTime() + days * 86_400_000);
    await happen(act);
    await deliverAll(deliveries.filter(({ isEarly, which }) => isEarly && which % steps.length === index));
  }
  await deliverAll(deliveries.filter(({ isEarly }) => !isEarly));
}
