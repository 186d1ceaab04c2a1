import { describe, expect, it } from '@jest/globals';
import { eventSchema } from '@covalence/contract/events';
import type { MembershipStatus } from '@covalence/contract/record';
import { nextVersion } from '@covalence/events/new-event';
import { refreshed } from '../../src/memberships/combined.ts';
import {
  canPurchase,
  membershipChanged,
  renewalTry,
  statusAt,
  statusOf,
  type Membership,
} from '../../src/memberships/membership.ts';

const end = new Date('2026-06-01T00:00:00Z');
const before = new Date('2026-05-31T23:59:59.999Z');

const membership = (status: MembershipStatus, autorenew: boolean): Membership => ({
  member: 7,
  package_id: 1,
  rate_id: 11,
  started_at: new Date('2026-05-02T00:00:00Z'),
  expires_at: end,
  autorenew,
  status,
  version: 1,
});

describe('a membership', () => {
  it.each([
    [before, true, 'active'],
    [before, false, 'active'],
    [end, true, 'inactive'],
    [end, false, 'none'],
  ] as const)('at %p with autorenew %p is %s', (at, autorenew, status) => {
    expect(statusOf(membership('active', autorenew), at)).toBe(status);
    expect(statusAt(membership('active', autorenew), at)).toBe(status);
  });

  it('that has ended or is inactive stays so', () => {
    expect(statusAt(membership('none', false), before)).toBe('none');
    expect(statusAt(membership('inactive', true), before)).toBe('inactive');
  });

  it.each([
    ['active', true, before, false],
    ['active', false, before, true],
    ['inactive', true, before, false],
    ['inactive', false, before, false],
    ['none', false, before, true],
    ['none', true, before, true],
    // Its end has come and the job has not seen it yet.
    ['active', true, end, false],
    ['active', false, end, true],
  ] as const)('%s with autorenew %p at %p: can_purchase %p', (status, autorenew, at, expected) => {
    expect(canPurchase(membership(status, autorenew), at)).toBe(expected);
  });

  const source = { provider: 'sandbox', reference: 'r', currency: 'USD' };
  it.each<[string, MembershipStatus, Partial<Membership>, number | undefined]>([
    ['2026-05-31T22:59:59.999Z', 'active', {}, undefined],
    ['2026-05-31T23:00:00.000Z', 'active', {}, 0],
    ['2026-06-01T22:59:59.999Z', 'inactive', {}, 0],
    ['2026-06-01T23:00:00.000Z', 'inactive', {}, 1],
    ['2026-06-14T23:59:59.999Z', 'inactive', {}, 14],
    ['2026-06-15T00:00:00.000Z', 'inactive', {}, undefined],
    ['2026-06-01T22:59:59.999Z', 'inactive', { tried_at: new Date('2026-05-31T23:00:00Z') }, undefined],
    ['2026-06-01T23:00:00.000Z', 'inactive', { tried_at: new Date('2026-05-31T23:00:00Z') }, 1],
    ['2026-06-01T00:00:00.000Z', 'inactive', { autorenew: false }, undefined],
    ['2026-06-01T00:00:00.000Z', 'inactive', { source: undefined }, undefined],
    ['2026-06-01T00:00:00.000Z', 'none', {}, undefined],
  ])('at %s, %s with %j, is renewed by try %j', (at, status, facts, expected) => {
    const due = { ...membership(status, true), source, ...facts };
    expect(renewalTry(due, new Date(at))).toBe(expected);
  });

  it('can be bought by a member without one', () => {
    expect(canPurchase(undefined, end)).toBe(true);
  });

  it('increases its version even if the clock went back', () => {
    expect(nextVersion(undefined, end)).toBe(end.getTime());
    expect(nextVersion(end.getTime(), end)).toBe(end.getTime() + 1);
    expect(nextVersion(end.getTime() + 5_000, end)).toBe(end.getTime() + 5_001);
  });

  it.each([
    ['active', true, { status: 'active', autorenew: true, expires_at: end.toISOString() }],
    ['inactive', true, { status: 'inactive', autorenew: true, expires_at: end.toISOString() }],
    ['none', true, { status: 'none', autorenew: false, expires_at: null }],
  ] as const)('publishes its status %s', (status, autorenew, data) => {
    const event = membershipChanged({ ...membership(status, autorenew), version: 42 }, end);
    expect(eventSchema.parse(event)).toMatchObject({
      type: 'membership.changed',
      member: 7,
      version: 42,
      data,
    });
  });

  it('is renewed by the app’s subscription where one on the web would renew it, too', () => {
    const { member, package_id, rate_id, started_at } = membership('active', true);
    const facts = { member, package_id, rate_id, started_at, currency: 'USD', look_at: null };
    const paid = { ...facts, store: 'app_store' as const, reference: 'paid', expires_at: end };
    const [web, app] = [
      { ...paid, store: 'stripe' as const, reference: 'web', phase: 'postponed' as const, autorenew: true },
      { ...paid, reference: 'app', expires_at: before, phase: 'running' as const, autorenew: true },
    ];
    const all = [{ ...paid, phase: 'running' as const, autorenew: false }, web, app];
    for (const one of [all, all.toReversed()])
      expect(refreshed(undefined, one, started_at)?.source?.reference).toBe('app');
  });
});
