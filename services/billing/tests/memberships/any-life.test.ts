import { nextVersion } from '@covalence/events/new-event';
import { fuzzing, fuzzingMs } from '@covalence/testing/fuzzing';
import { describe, expect, it } from '@jest/globals';
import {
  array,
  assert,
  boolean,
  constant,
  constantFrom,
  integer,
  oneof,
  option,
  property,
  record,
  type Arbitrary,
} from 'fast-check';
import {
  canPurchase,
  corrected,
  dueAt,
  extended,
  refunded,
  renewalTry,
  statusOf,
  withAutorenew,
  type Membership,
  type MembershipDraft,
} from '../../src/memberships/membership.ts';
import type { Payment } from '../../src/payments/payment-store.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

type Step =
  | { readonly do: 'wait'; readonly hours: number; readonly isPaid: boolean }
  | { readonly do: 'buy'; readonly days: number }
  | { readonly do: 'refund'; readonly back: number }
  | { readonly do: 'switch'; readonly autorenew: boolean }
  | { readonly do: 'correct'; readonly hours: number | null; readonly autorenew: boolean | null };

const step: Arbitrary<Step> = oneof(
  record({
    do: constant('wait' as const),
    hours: constantFrom(1, 5, 23, 24, 25, 24 * 7, 24 * 29, 24 * 30, 24 * 60),
    isPaid: boolean(),
  }),
  record({ do: constant('buy' as const), days: constantFrom(7, 30, 365) }),
  record({ do: constant('refund' as const), back: integer({ min: 0, max: 3 }) }),
  record({ do: constant('switch' as const), autorenew: boolean() }),
  record({
    do: constant('correct' as const),
    hours: option(integer({ min: -24 * 40, max: 24 * 40 })),
    autorenew: option(boolean()),
  }),
);

/** The violated rules of a membership just after the job looked at it. */
function problemsOf(membership: Membership | undefined, at: Date): string[] {
  if (!membership) return [];
  const { status, autorenew, expires_at, due_at, source, tried_at } = membership;
  const due = due_at?.getTime();
  const lastTry = (tried_at ?? expires_at).getTime();
  const rules: Record<typeof status, readonly (readonly [boolean, string])[]> = {
    none: [[due === undefined, 'it has ended, and is looked at']],
    active: [[expires_at > at, 'its end has come, and it is active']],
    inactive: [
      [autorenew, 'it is inactive without renewal'],
      [due !== undefined && due <= expires_at.getTime() + 14 * dayMs, 'its grace has no end'],
      [!source || (due !== undefined && due <= lastTry + dayMs), 'it is not tried once a day'],
    ],
  };
  const isSeenAgain = status === 'none' || (due !== undefined && due > at.getTime());
  return [[isSeenAgain, 'nobody looks again, or for ever'] as const, ...rules[status]].flatMap(
    ([isGood, problem]) => (isGood ? [] : problem),
  );
}

/** One member's membership, kept as the store keeps it, with a job that looks whenever it is due. */
function createLife() {
  let at = new Date('2028-02-20T22:30:00Z');
  let now: Membership | undefined;
  let keys = 0;
  const paid: Payment[] = [];
  const problems: string[] = [];
  const check = (isGood: boolean, problem: string) => void (isGood || problems.push(problem));
  const end = () => now?.expires_at.getTime() ?? 0;
  const due = () => now?.due_at?.getTime() ?? Infinity;

  const write = (draft: MembershipDraft | undefined) => {
    if (draft) now = { ...draft, due_at: dueAt(draft), version: nextVersion(now?.version, at) };
  };

  const pay = (kind: Payment['kind'], days: number) => {
    const facts = { member: 1, package_id: 1, rate_id: days, days, amount: 100, currency: 'USD' };
    const payment: Payment = {
      key: `${(keys += 1)}`,
      kind,
      ...facts,
      provider: 'sandbox',
      state: 'paid',
      at,
      look_at: at,
    };
    const charge = { key: payment.key, reference: payment.key, status: 'paid', refunded: 0 } as const;
    const from = now && now.status !== 'none' ? Math.max(at.getTime(), end()) : at.getTime();
    write(extended(now, payment, charge, at));
    paid.push(payment);
    check(end() - from === days * dayMs, `${days} days paid, ${(end() - from) / dayMs} given`);
    check(extended(now, payment, charge, at) === undefined, 'a payment counts twice');
  };

  /** Runs the job at this moment; a renewal is paid or fails. */
  const look = (isPaid: boolean) => {
    if (!now?.due_at || now.due_at > at) return;
    if (renewalTry(now, at) === undefined) write({ ...now, status: statusOf(now, at) });
    else if (isPaid) pay('renewal', now.rate_id);
    else write({ ...now, status: statusOf(now, at), tried_at: at });
  };

  const take = (next: Step) => {
    if (next.do === 'wait') {
      const until = at.getTime() + next.hours * hourMs;
      for (let looks = 0; due() <= until; looks += 1) {
        // Each look brings it to another time to look at, or to its end.
        if (looks > 100) throw new Error('it is looked at for ever');
        at = new Date(Math.max(at.getTime(), due()));
        look(next.isPaid);
      }
      at = new Date(until);
    } else if (next.do === 'buy') {
      if (canPurchase(now, at)) pay('purchase', next.days);
    } else if (next.do === 'refund') {
      const payment = paid.at(-1 - next.back);
      if (!payment) return;
      const before = end();
      const draft = refunded(now, payment, paid, at);
      write(draft);
      check(!draft?.autorenew, 'given back, and renewed');
      check(before - end() <= payment.days * dayMs, 'more given back than it had bought');
      check(end() >= Math.min(before, at.getTime()), 'days that are over given back');
      check(refunded(now, payment, paid, at) === undefined, 'given back twice');
    } else if (next.do === 'switch') {
      const before = end();
      if (now) write(withAutorenew(now, next.autorenew, at));
      check(end() === before, 'the end moved');
    } else {
      const { autorenew = false, expires_at = at, rate_id = 30 } = now ?? {};
      const facts = {
        member: 1,
        package_id: 1,
        rate_id,
        autorenew: next.autorenew ?? autorenew,
        expires_at: next.hours === null ? expires_at : new Date(at.getTime() + next.hours * hourMs),
      };
      write(corrected(now, facts, `c${(keys += 1)}`, at));
    }
  };

  return { take, look, problems: () => [...problems, ...problemsOf(now, at)] };
}

describe('a membership after any sequence of operations', () => {
  it(
    'is looked at again while it lasts, and has the days that were paid for',
    () => {
      const lives = property(array(step, { maxLength: 25, size: 'max' }), (steps) => {
        const life = createLife();
        for (const next of steps) {
          life.take(next);
          life.look(next.do === 'wait' && next.isPaid);
          expect(life.problems()).toEqual([]);
        }
      });
      const correctedInGrace: Step[] = [
        { do: 'buy', days: 30 },
        { do: 'wait', hours: 24 * 31, isPaid: false },
        { do: 'correct', hours: null, autorenew: null },
        { do: 'wait', hours: 25, isPaid: true },
      ];
      assert(lives, { ...fuzzing(2_000), examples: [[correctedInGrace]] });
    },
    fuzzingMs(10_000),
  );
});
