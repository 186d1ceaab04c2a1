import { until } from '@covalence/testing/until';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { eraseMembers } from '../../../src/privacy/erase-member.ts';
import type { TestMember, TestStaff } from '../../harness.ts';
import { jpegOf } from '../../support/images.ts';
import { meanwhile, path, type Moderation } from '../../support/moderation.ts';

const why = { reason: 'Scam', ban: true };

const approve = (id: string, staff: TestStaff, body: object = {}) =>
  staff.post(`/staff/approvals/${id}/approve`, body);
const refuse = (id: string, staff: TestStaff) => staff.post(`/staff/approvals/${id}/refuse`);
const waiting = async (staff: TestStaff, query = '') =>
  (await staff.get(`/staff/approvals?pagesize=100${query}`).expect(200)).body.entries as {
    approval_id: string;
    action: string;
    revision: string;
  }[];
/** The outcome of a request, for those who may read it. */
const outcomeOf = async (id: string, staff: TestStaff) => {
  const { body } = await staff.get('/staff/approvals?pagesize=100&ended=true').expect(200);
  const found = body.entries.find((each: { readonly approval_id: string }) => each.approval_id === id);
  return found && { outcome: found.outcome, by: found.decided_by, at: found.decided_at };
};
const isListed = async (id: string, staff: TestStaff) =>
  (await waiting(staff)).some(({ approval_id }) => approval_id === id);

/** Actions that need a second person, and their outcomes. */
export function describeSecondPerson(all: () => Moderation): void {
  describe('what needs a second person', () => {
    let service: Moderation['service'];
    let ann: Moderation['ann'];
    let bob: Moderation['bob'];
    beforeAll(() => {
      ({ service, ann, bob } = all());
    });
    const register = () => service.register({ siteid: 7 });
    const stored = async ({ id }: TestMember) => service.context.members.store.byId(id);
    const ask = async (member: TestMember, staff = ann, body: object = why): Promise<string> =>
      (await staff.post(path(member, 'delete'), body).expect(202)).body.approval_id;
    const refundOf = async (
      { id: member }: TestMember,
      staff: TestStaff,
      refund: string,
      more: object = {},
    ) =>
      service.internal('/internal/approvals/refund', {
        staff: staff.memberId,
        request: { member, reason: 'Double', refund, ...more },
        amount: 9_900,
        currency: 'USD',
      });

    it('is deleted once another account with the role approves, once, by both of them', async () => {
      const member = await register();
      const id = await ask(member);
      expect(await ask(member)).toBe(id);
      expect((await stored(member))?.deleted).toBe(false);
      expect(await waiting(ann)).toContainEqual(
        expect.objectContaining({
          approval_id: id,
          action: 'delete',
          id: member.id,
          username: member.username,
          own: true,
          ban: 'site',
        }),
      );
      expect((await approve(id, ann)).status).toBe(403);
      const [one, two] = await Promise.all([approve(id, bob), approve(id, await service.staff())]);
      expect([one.status, two.status].toSorted((a, b) => a - b)).toEqual([200, 409]);
      expect(await stored(member)).toMatchObject({ deleted: true, erase_at: expect.any(Date) });
      const { body } = await ann.get(path(member, 'history')).expect(200);
      const made = body.entries.filter(({ action }: { action: string }) => action === 'delete');
      expect(made).toMatchObject([{ staff_id: ann.memberId, approved_by: expect.any(String) }]);
      expect(made[0].approved_by).not.toBe(ann.memberId);
      const banned = body.entries.filter(({ action }: { action: string }) => action === 'ban');
      expect(banned).toMatchObject([{ staff_id: ann.memberId, approved_by: made[0].approved_by }]);
      const bans = await ann.get(`/staff/bans?member=${member.id}`).expect(200);
      expect(bans.body.entries.length).toBeGreaterThan(0);
      expect(await isListed(id, ann)).toBe(false);
      const { approved_by: by } = made[0];
      expect(await outcomeOf(id, ann)).toEqual({ outcome: 'done', by, at: expect.any(String) });
      const told = service.auth.audited.filter((entry) => entry.about.includes(String(member.id)));
      expect(told).toContainEqual(expect.objectContaining({ call: 'GET /staff/approvals' }));
      expect(told).toContainEqual({
        staff: made[0].approved_by,
        call: 'POST /staff/approvals/:approvalid/approve',
        about: [id, String(member.id), ann.memberId],
      });
      const asked = { staff: ann.memberId, call: 'POST /staff/members/:id/delete' };
      expect(told).toContainEqual(expect.objectContaining({ ...asked, status: 202 }));
    });

    it('cannot be approved by an account without the role, there or at all, nor with a wider ban than theirs', async () => {
      const member = await register();
      const id = await ask(member, ann, { ...why, all_sites: true });
      const others: Record<string, string[]>[] = [
        { '*': ['support'] },
        { 1: ['moderator'] },
        { 7: ['support'], 1: ['moderator'] },
      ];
      for (const roles of others) {
        const staff = await service.staff(roles);
        expect(await isListed(id, staff)).toBe(false);
        expect((await approve(id, staff)).status).toBe(403);
        expect((await refuse(id, staff)).status).toBe(403);
      }
      const here = await service.staff({ 7: ['moderator'] });
      expect(await isListed(id, here)).toBe(true);
      expect((await approve(id, here)).status).toBe(403);
      expect((await here.get('/staff/approvals?siteid=1')).status).toBe(403);
      expect((await approve(randomUUID(), bob)).status).toBe(404);
      expect((await stored(member))?.deleted).toBe(false);
      await refuse(id, bob).expect(200);
      expect(await outcomeOf(id, here)).toMatchObject({ outcome: 'refused' });
      for (const roles of others) expect(await outcomeOf(id, await service.staff(roles))).toBeUndefined();
    });

    it('ends with a refusal, also by who asked, and can be asked for again', async () => {
      const member = await register();
      const first = await ask(member);
      expect((await bob.post(path(member, 'delete'), { reason: 'Also' })).status).toBe(409);
      expect((await ann.post(path(member, 'delete'), { reason: 'Other' })).status).toBe(409);
      await refuse(first, bob).expect(200);
      await refuse(first, bob).expect(200);
      expect((await approve(first, bob)).status).toBe(409);
      const second = await ask(member, bob);
      expect(second).not.toBe(first);
      await refuse(second, bob).expect(200);
      expect((await approve(second, ann)).status).toBe(409);
      expect((await stored(member))?.deleted).toBe(false);
      expect(await outcomeOf(first, ann)).toMatchObject({ outcome: 'refused', by: bob.memberId });
      expect(await outcomeOf(second, bob)).toMatchObject({ outcome: 'withdrawn', by: bob.memberId });
      const newest = (await ann.get('/staff/approvals?pagesize=1&ended=true').expect(200)).body;
      expect(newest).toMatchObject({ entries: [{ approval_id: second }], next: expect.any(String) });
      const more = `/staff/approvals?pagesize=1&ended=true&cursor=${newest.next}`;
      expect((await ann.get(more).expect(200)).body).toMatchObject({ entries: [{ approval_id: first }] });
    });

    it('is void when who asked is disabled or lost the role, as after the theft of a session', async () => {
      const roles: (Record<string, string[]> | undefined)[] = [
        undefined,
        { '*': ['support'] },
        { 1: ['moderator'] },
      ];
      for (const now of roles) {
        const thief = await service.staff({ 7: ['moderator'] });
        const member = await register();
        const id = await ask(member, thief);
        if (now) service.auth.staff.set(thief.memberId, now);
        else service.auth.staff.delete(thief.memberId);
        expect((await approve(id, bob)).status).toBe(409);
        service.auth.staff.set(thief.memberId, { 7: ['moderator'] });
        expect((await approve(id, bob)).status).toBe(409);
        expect((await stored(member))?.deleted).toBe(false);
        expect(await outcomeOf(id, bob)).toMatchObject({ outcome: 'void', by: bob.memberId });
      }
    });

    it('does not wait longer for a member who edits, but shows the approver the member as they are', async () => {
      const member = await register();
      const { body: photo } = await member.upload(await jpegOf(60, 60), 'me.jpg', {}).expect(200);
      const id = await ask(member, ann, { ...why, ban_photos: [photo.id] });
      const [asked] = (await waiting(bob)).filter(({ approval_id }) => approval_id === id);
      expect(asked).toMatchObject({ ban: 'site', ban_email: true, ban_photos: [photo.id], payment: null });
      const seen = (await waiting(bob)).find(({ approval_id }) => approval_id === id)?.revision;
      await member.post('/members/self', { headline: 'Somebody else entirely' }).expect(200);
      await member.delete(`/photo/${photo.id}`).expect(200);
      expect((await approve(id, bob, { revision: seen })).status).toBe(409);
      const now = (await waiting(bob)).find(({ approval_id }) => approval_id === id)?.revision;
      await approve(id, bob, { revision: now }).expect(200);
      expect((await stored(member))?.deleted).toBe(true);
    });

    it('is void when a suspension begins while it is approved', async () => {
      const member = await register();
      const id = await ask(member);
      meanwhile(service, member, () => ann.post(path(member, 'suspend'), why).expect(200));
      expect((await approve(id, bob)).status).toBe(409);
      expect(await stored(member)).toMatchObject({ suspended: true, deleted: false });
      expect(await outcomeOf(id, ann)).toMatchObject({ outcome: 'void' });
    });

    it('is void once a suspension began since, and expires after seven days', async () => {
      const [suspended, late] = [await register(), await register()];
      const ids = [await ask(suspended), await ask(late)];
      await bob.post(path(suspended, 'suspend'), why).expect(200);
      expect((await approve(ids[0] ?? '', bob)).status).toBe(409);
      service.advance(7 * 86_400_000);
      try {
        expect(await isListed(ids[1] ?? '', bob)).toBe(false);
        expect(await outcomeOf(ids[1] ?? '', bob)).toEqual({ outcome: 'expired', by: null, at: null });
        expect((await approve(ids[1] ?? '', bob)).status).toBe(409);
        expect(await ask(late)).not.toBe(ids[1]);
      } finally {
        service.advance(-7 * 86_400_000);
      }
      expect((await stored(late))?.deleted).toBe(false);
    });

    it('ends with a member who is erased meanwhile, as who asked sees, without the details', async () => {
      const day = 86_400_000;
      const grace = await service.staff({ 7: ['support'] });
      const member = await register();
      await member.delete('/members/self').expect(200);
      service.advance(29 * day);
      const deletion = await ask(member);
      const refund = (await refundOf(member, grace, 'late')).body.approval_id as string;
      service.advance(2 * day);
      try {
        await until('the member is erased', async () => {
          await eraseMembers(service.context);
          return (await stored(member)) === undefined;
        });
        await until('the requests have ended', async () => !(await isListed(deletion, ann)));
        const ended = { outcome: 'erased', by: null, at: null };
        expect(await outcomeOf(deletion, ann)).toEqual(ended);
        expect(await outcomeOf(refund, grace)).toEqual(ended);
        expect((await approve(deletion, bob)).status).toBe(409);
        const { body } = await grace.get('/staff/approvals?ended=true').expect(200);
        expect(body.entries).toContainEqual(
          expect.objectContaining({ id: member.id, reason: null, payment: null, amount: null }),
        );
      } finally {
        service.advance(-31 * day);
      }
    });

    it('refunds with the role support only, once, and tells billing both accounts', async () => {
      const [grace, heidi] = [
        await service.staff({ 7: ['support'] }),
        await service.staff({ 7: ['support'] }),
      ];
      const member = await register();
      const { body } = await refundOf(member, grace, 'one');
      expect((await refundOf(member, grace, 'one')).body).toEqual(body);
      expect((await refundOf(member, heidi, 'one')).status).toBe(409);
      const id = body.approval_id as string;
      expect(await waiting(heidi)).toEqual([
        expect.objectContaining({ approval_id: id, payment: 'one', amount: 9_900, correction: null }),
      ]);
      expect((await approve(id, await service.staff({ 7: ['moderator'] }))).status).toBe(403);
      expect((await approve(id, grace)).status).toBe(403);
      service.auth.failNext('refund');
      expect((await approve(id, heidi)).status).toBe(503);
      expect(await outcomeOf(id, grace)).toMatchObject({ outcome: 'running', by: heidi.memberId });
      await approve(id, heidi).expect(200);
      await approve(id, heidi).expect(200);
      const [made, ...more] = service.auth.refunds.filter(({ request }) => request.member === member.id);
      expect([made, more]).toMatchObject([{ staff: grace.memberId, approved_by: heidi.memberId }, []]);
      await refundOf(member, heidi, 'more', { expires_at: 'now' });
      expect(await waiting(grace)).toMatchObject([
        { correction: { expires_at: 'now', autorenew: null, rate_id: null } },
      ]);
      await refuse((await waiting(grace))[0]?.approval_id ?? '', grace).expect(200);
      const refused = (await refundOf(member, grace, 'refused')).body.approval_id as string;
      const answer = await approve(refused, heidi);
      expect([answer.status, answer.body]).toEqual([409, { fail: 'Payment Cannot Be Refunded' }]);
      expect(await waiting(heidi)).toEqual([]);
      expect(await outcomeOf(refused, grace)).toMatchObject({ outcome: 'void', by: heidi.memberId });
    });

    it('is refunded before the member is erased, and each in its turn', async () => {
      const [grace, heidi] = [
        await service.staff({ 7: ['support'] }),
        await service.staff({ 7: ['support'] }),
      ];
      const member = await register();
      const ids: string[] = [];
      for (const payment of ['first', 'second']) {
        const { body } = await refundOf(member, grace, payment);
        service.auth.failNext('refund');
        expect((await approve(body.approval_id, heidi)).status).toBe(503);
        ids.push(body.approval_id);
      }
      const { approvals } = service.context.moderation;
      await approvals.tried(ids[0] ?? '', new Date());
      const later = new Date(Date.now() + 86_400_000);
      const left = (await approvals.undone(later, 100)).filter(({ member: about }) => about === member.id);
      expect(left.map(({ id }) => id)).toEqual(ids.toReversed());

      await member.delete('/members/self').expect(200);
      await until('the member is erased', async () => {
        service.advance(31 * 86_400_000);
        await eraseMembers(service.context).finally(() => service.advance(-31 * 86_400_000));
        return (await stored(member)) === undefined;
      });
      const made = service.auth.refunds.filter(({ request }) => request.member === member.id);
      expect(made.map(({ request }) => request.refund).toSorted()).toEqual(['first', 'second']);
    });
  });
}
