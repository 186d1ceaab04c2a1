import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { banned } from '../../support/banned.ts';
import { manual, path, startModeration, type Moderation } from '../../support/moderation.ts';
import type { TestMember } from '../../harness.ts';

let all: Moderation;
let service: Moderation['service'];
let ann: Moderation['ann'];
beforeAll(async () => {
  all = await startModeration('staff-views', { STAFF_SEARCHES_PER_HOUR: '4' });
  ({ service, ann } = all);
});
afterAll(() => service.close());

const exported = async (member: TestMember): Promise<string[]> =>
  (await member.get('/members/self/export').expect(200)).body.moderation.history.map(
    ({ action }: { action: string }) => action,
  );

describe('GET /staff/members/{id}', () => {
  it('is recorded before it is answered, except of an entry that the caller has claimed', async () => {
    const member = await service.register(manual);
    const shown = () => ann.get(`/staff/members/${member.id}`);
    const record = jest.spyOn(service.context.security, 'record');
    const append = jest.spyOn(service.context.moderation.decisions, 'append');
    append.mockRejectedValueOnce(new Error('no answer'));
    await shown().expect(500);
    append.mockRestore();
    await shown().expect(200);
    const facts = { staff: ann.memberId, memberNumber: member.id, reason: 'view-member' };
    expect(record.mock.calls.at(-1)).toEqual(['staff_decision', facts]);
    record.mockRestore();
    expect(await all.actions(member)).toEqual(['view-member']);
    await ann.post('/staff/queue/claim', { kind: 'profile', id: member.id }).expect(200);
    await shown().expect(200);
    await ann.post('/staff/queue/release', {}).expect(200);
    expect(await all.actions(member)).toEqual(['view-member']);
    await shown().expect(200);
    expect(await all.actions(member)).toEqual(['view-member', 'view-member']);
  });

  it.each(['', '/history', '/notes', '/evidence', 'elsewhere'])(
    'counts each member once in the limit of searches, as %s does',
    async (what) => {
      const thief = await service.staff();
      const open = async ({ id }: TestMember) => {
        const elsewhere = { staff: thief.memberId, member: id };
        const call =
          what === 'elsewhere'
            ? service.internal('/internal/staff/view', elsewhere)
            : thief.get(`/staff/members/${id}${what}`);
        return (await call).status;
      };
      const first = await service.register(manual);
      const others = [await service.register(), await service.register(), await service.register()];
      const last = await service.register(manual);
      const statuses: number[] = [];
      for (const member of [first, first, ...others, last, first]) statuses.push(await open(member));
      expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 200]);
      await thief.post('/staff/members/search', { by: 'id', value: '1' }).expect(429);
      await thief.post('/staff/queue/claim', { kind: 'profile', id: last.id }).expect(200);
      expect(await open(last)).toBe(200);
    },
  );

  it('counts a member once also in parallel calls', async () => {
    const thief = await service.staff();
    const { id } = await service.register(manual);
    const parts = ['', '/history', '/notes', '/evidence', '', '/history'];
    const answers = await Promise.all(parts.map((part) => thief.get(`/staff/members/${id}${part}`)));
    expect(answers.map(({ status }) => status)).toEqual(parts.map(() => 200));
    for (let count = 0; count < 3; count += 1)
      await thief.post('/staff/members/search', { by: 'id', value: '1' }).expect(200);
    await thief.post('/staff/members/search', { by: 'id', value: '1' }).expect(429);
  });

  it('counts also where evidence is opened', async () => {
    const [thief, adam, eve] = [await service.staff(), await service.register(), await service.register()];
    await eve.post('/report', { profileid: adam.id }).expect(200);
    const [kept] = await service.context.moderation.evidence.about(adam.id, 1);
    for (let count = 0; count < 4; count += 1)
      await thief.post('/staff/members/search', { by: 'id', value: '1' }).expect(200);
    await thief.get(`/staff/evidence/${kept?.id}`).expect(429);
    expect(await all.actions(adam)).toEqual([]);
  });

  it('tells a member whom the ban list matched nothing in the export, nor does the release', async () => {
    const grifter = await banned(all, {});
    const [dirty, clean] = [
      await service.register({ email: grifter.spelling() }),
      await service.register(),
    ] as const;
    const helper = await service.staff();
    for (const { id } of [dirty, clean]) {
      await helper.get(`/staff/members/${id}`).expect(200);
      await helper.post('/staff/members/search', { by: 'id', value: String(id) }).expect(200);
    }
    await clean.post('/report', { profileid: dirty.id }).expect(200);
    const [kept] = await service.context.moderation.evidence.about(dirty.id, 1);
    await helper.get(`/staff/evidence/${kept?.id}`).expect(200);
    expect(await all.actions(dirty)).toContain('view-evidence');
    expect([await exported(dirty), await exported(clean)]).toEqual([[], []]);
    await ann.post(path(dirty, 'approve')).expect(200);
    expect(await exported(dirty)).not.toContain('approve');
  });
});
