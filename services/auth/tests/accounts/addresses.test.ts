import { describe, expect, it } from '@jest/globals';
import { array, assert, constantFrom, double, property, record } from 'fast-check';
import type { Addresses } from '../../src/accounts/account.ts';
import {
  applied,
  claimedEmails,
  maxProtected,
  pendingOf,
  protectedOf,
  requested,
  resetAddress,
  reverted,
  withdrawn,
  withoutExpired,
} from '../../src/accounts/addresses.ts';

const dayMs = 24 * 60 * 60 * 1000;
const start = Date.parse('2026-03-02T10:00:00Z');
const at = (days: number) => new Date(start + days * dayMs);
const ask = (addresses: Addresses, email: string, days: number) =>
  requested(addresses, { email, id: `${addresses.email}@${days}` }, at(days));
const confirm = (addresses: Addresses, email: string, days: number): Addresses => {
  const after = applied(addresses, email, at(days));
  if (!after) throw new Error(`${email} does not wait`);
  return after;
};
const own: Addresses = { email: 'own' };

describe('the addresses of an account', () => {
  it('keep the current one until the new one is confirmed', () => {
    const asked = ask(own, 'new', 0);
    expect([asked.email, pendingOf(asked, at(6.9))?.email]).toEqual(['own', 'new']);
    expect(pendingOf(asked, at(7))).toBeUndefined();
    expect(applied(asked, 'new', at(7))).toBeUndefined();
    expect(applied(asked, 'other', at(1))).toBeUndefined();
    expect(confirm(asked, 'NEW', 1)).toMatchObject({ email: 'new', email_confirmed_at: at(1) });
  });

  it('send password links to the former address for seven days after the change was applied', () => {
    const changed = confirm(ask(own, 'new', 0), 'new', 3);
    expect([resetAddress(changed, at(9.9)), resetAddress(changed, at(10.1))]).toEqual(['own', 'new']);
  });

  it('send password links to the oldest address that is still protected', () => {
    const second = confirm(ask(confirm(ask(own, 'b', 0), 'b', 0), 'c', 2), 'c', 2);
    expect([6, 8, 10].map((days) => resetAddress(second, at(days)))).toEqual(['own', 'b', 'c']);
  });

  it('are claimed while they are pending or protected, and for a minute longer', () => {
    const changed = ask(confirm(ask(own, 'b', 0), 'b', 0), 'c', 1);
    expect(claimedEmails(changed, at(1))).toEqual(['b', 'c', 'own', 'b']);
    expect(claimedEmails(changed, new Date(at(8).getTime() + 30_000))).toContain('c');
    expect(claimedEmails(changed, new Date(at(8).getTime() + 61_000))).toEqual(['b']);
    expect(withoutExpired(changed, at(9))).toMatchObject({ email: 'b', protected_emails: [] });
  });

  it('revert to any protected address, which removes newer ones', () => {
    const chain = ask(confirm(ask(own, 'b', 0), 'b', 0), 'c', 1);
    const [first, second] = protectedOf(chain, at(1));
    expect(reverted(chain, first?.id ?? '', at(2))).toEqual({
      email: 'own',
      email_confirmed_at: at(2),
      protected_emails: [{ ...first, reverted_at: at(2) }],
    });
    expect(reverted(chain, second?.id ?? '', at(2))?.protected_emails).toHaveLength(2);
    expect(reverted(chain, first?.id ?? '', at(7))).toBeUndefined();
    expect(reverted(chain, 'nothing', at(2))).toBeUndefined();
    expect(reverted(reverted(chain, first?.id ?? '', at(2)) ?? own, first?.id ?? '', at(2))).toBeUndefined();
  });

  it('remove the protection of newer addresses after a change back', () => {
    const there = confirm(ask(own, 'b', 0), 'b', 0);
    const back = confirm(ask(there, 'own', 1), 'own', 1);
    expect(back).toEqual({ email: 'own', email_confirmed_at: at(1), protected_emails: [] });
  });

  it('keep the link of a renewed protection, and get a new link after it was used', () => {
    const first = ask(own, 'b', 0);
    const again = ask(withdrawn(first, 'own'), 'c', 1);
    expect(protectedOf(again, at(1))).toEqual([{ id: 'own@0', email: 'own', until: at(8) }]);
    const used = reverted(again, 'own@0', at(2)) ?? own;
    expect(protectedOf(ask(used, 'd', 3), at(3))).toEqual([{ id: 'own@3', email: 'own', until: at(10) }]);
  });

  const step = record({
    kind: constantFrom('ask', 'confirm', 'withdraw', 'revert'),
    email: constantFrom('own', 'b', 'c', 'd', 'e', 'f', 'g', 'h'),
    days: double({ min: 0, max: 2, noNaN: true }),
  });

  it('send password links to the original member within a week of a theft', () => {
    assert(
      property(array(step, { maxLength: 30 }), (steps) => {
        let days = 0;
        let now: Addresses = own;
        for (const { kind, email, days: later } of steps) {
          days += later / 30;
          // A thief has the token and every new mailbox, and not the old one.
          if (kind === 'ask' && email !== now.email) now = ask(now, email, days);
          if (kind === 'withdraw') now = withdrawn(now, now.email);
          const pending = pendingOf(now, at(days));
          if (kind === 'confirm' && pending && pending.email !== 'own')
            now = confirm(now, pending.email, days);
          const newer = protectedOf(now, at(days)).filter((one) => one.email !== 'own');
          const [mine] = newer;
          if (kind === 'revert' && mine) now = reverted(now, mine.id, at(days)) ?? now;
          expect(resetAddress(now, at(days))).toBe('own');
          expect(protectedOf(now, at(days)).length).toBeLessThanOrEqual(maxProtected);
          const [guard] = protectedOf(now, at(days));
          const back = guard && reverted(now, guard.id, at(days));
          expect(back?.email ?? 'own').toBe('own');
        }
      }),
    );
  });
});
