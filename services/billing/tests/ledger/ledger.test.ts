import { fuzzing } from '@covalence/testing/fuzzing';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import {
  asyncProperty,
  array,
  assert,
  boolean,
  constantFrom,
  oneof,
  record,
  constant,
  type Arbitrary,
} from 'fast-check';
import type { LedgerEntry } from '../../src/ledger/ledger-store.ts';
import { startService, type ServiceUnderTest } from '../harness.ts';

let billing: ServiceUnderTest;
beforeAll(async () => {
  billing = await startService('ledger');
});
afterAll(() => billing.close());

const staff = { id: 0, siteid: 0, scope: 'staff' };
const dayMs = 86_400_000;

type Step =
  | {
      readonly do: 'buy';
      readonly receipt: string;
      readonly promo: string;
      readonly rate: readonly [number, number];
    }
  | { readonly do: 'wait'; readonly days: number }
  | { readonly do: 'correct'; readonly days: number }
  | { readonly do: 'outage'; readonly days: number }
  | { readonly do: 'switch'; readonly autorenew: boolean }
  | { readonly do: 'cancel' | 'refund' | 'hooks' };

const step: Arbitrary<Step> = oneof(
  record({
    do: constant('buy' as const),
    receipt: constantFrom('', 'good', 'decline', 'delay', 'lost-answer', 'chargeback', 'decline-renewal'),
    promo: constantFrom('', 'HALF', 'HUGE', 'ONCE'),
    rate: constantFrom([1, 11] as const, [2, 21] as const),
  }),
  record({ do: constant('wait' as const), days: constantFrom(1, 14, 30, 100) }),
  record({ do: constant('correct' as const), days: constantFrom(0, 10, 60) }),
  record({ do: constant('outage' as const), days: constantFrom(1, 29, 30) }),
  record({ do: constant('switch' as const), autorenew: boolean() }),
  record({ do: constantFrom('cancel' as const, 'refund' as const, 'hooks' as const) }),
);

let members = 0;
let receipts = 0;
let corrections = 0;

/** Of the lines of a member: each refund has its reason where staff gave it, and no end was renewed twice. */
async function expectReasons(member: number, entries: readonly LedgerEntry[]): Promise<void> {
  const { charges } = await billing.charged(member);
  const byBank = charges.filter(({ receipt }) => String(receipt).startsWith('chargeback'));
  const keys = new Set(byBank.map(({ _id }) => String(_id)));
  const given = entries.filter(({ kind, payment = '' }) => kind === 'refund' && !keys.has(payment));
  expect(given.map(({ reason }) => reason)).toEqual(given.map(() => 'x'));
  const renewed = entries.flatMap(({ kind, payment = '' }) =>
    kind === 'renewal' ? payment.slice(0, payment.lastIndexOf(':')) : [],
  );
  expect(new Set(renewed).size).toBe(renewed.length);
}

/** A membership that is renewed, corrected and given back, so that each kind of line comes in every run. */
const wholeLife: Step[] = [
  { do: 'buy', receipt: 'good', promo: '', rate: [1, 11] },
  { do: 'wait', days: 30 },
  { do: 'correct', days: 60 },
  { do: 'refund' },
];

const pass = (days: number) =>
  billing.moveTo(new Date(billing.time.now.getTime() + days * dayMs).toISOString());

async function take(member: number, next: Step): Promise<void> {
  if (next.do === 'wait') return pass(next.days);
  if (next.do === 'outage') return billing.whileAway(() => pass(next.days));
  if (next.do === 'switch') {
    await billing.internal('/internal/memberships/renewal', { member, autorenew: next.autorenew });
    return;
  }
  if (next.do === 'buy') {
    const [package_id, rate_id] = next.rate;
    const receipt = next.receipt && `${next.receipt}:${(receipts += 1)}`;
    const body = { package_id, rate_id, receipt, promo_code: next.promo };
    await Promise.all([
      billing.post('/packages/purchase', body, { id: member }),
      billing.post('/packages/purchase', body, { id: member }),
    ]);
    return;
  }
  if (next.do === 'cancel') {
    await billing.post('/packages/cancel', {}, { id: member });
    return;
  }
  if (next.do === 'correct') {
    const later = new Date(billing.time.now.getTime() + next.days * dayMs).toISOString();
    const expires_at = next.days === 0 ? 'now' : later;
    const body = { rate_id: 11, expires_at, reason: 'x' };
    const key = `correction-${(corrections += 1)}`;
    const path = `/staff/memberships/${member}/correct`;
    await Promise.all([1, 2, 3].map(() => billing.post(path, body, staff, key)));
    return;
  }
  const { charges } = await billing.charged(member);
  for (const { _id: key } of charges) {
    const body = { refund: key, reason: 'x' };
    const hook = billing.hook(String(key));
    await Promise.all([
      hook,
      ...(next.do === 'refund' ? [billing.post(`/staff/memberships/${member}/correct`, body, staff)] : []),
    ]);
  }
}

it('the ledger of a member equals the charges at the provider after any operations', async () => {
  const kinds = new Set<string>();
  const property = asyncProperty(array(step, { minLength: 3, maxLength: 10 }), async (steps) => {
    members += 1;
    const member = members;
    for (const next of steps) await take(member, next);
    // The job and the webhooks finish pending work.
    await take(member, { do: 'hooks' });
    await billing.moveTo(new Date(billing.time.now.getTime() + dayMs / 12).toISOString());
    await take(member, { do: 'hooks' });
    const entries = await billing.context.ledger.of(member);
    const made = entries.filter(({ kind }) => kind === 'correction').length;
    expect(made).toBe(steps.filter((one) => one.do === 'correct').length);
    for (const { kind } of entries) kinds.add(kind);
    const sum = entries.reduce((total, { amount }) => total + amount, 0);
    expect(sum).toBe((await billing.charged(member)).held);
    expect(entries.every(({ amount }) => Number.isSafeInteger(amount))).toBe(true);
    await expectReasons(member, entries);
  });
  await assert(property, { ...fuzzing(25), examples: [[wholeLife]] });
  expect([...kinds].sort()).toEqual(['correction', 'purchase', 'refund', 'renewal']);
});
