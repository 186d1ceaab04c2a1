import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { banned } from '../support/banned.ts';
import { manual, path, startModeration, type Moderation } from '../support/moderation.ts';
import type { TestMember } from '../harness.ts';

let all: Moderation;
let service: Moderation['service'];
let ann: Moderation['ann'];
beforeAll(async () => {
  all = await startModeration('staff-views', { STAFF_SEARCHES_PER_HOUR: '60' });
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
    expect(await exported(member)).toEqual(['view-member', 'view-member']);
  });

  it('counts in the limit of searches', async () => {
    const [thief, member] = [await service.staff(), await service.register()];
    const statuses: number[] = [];
    for (let count = 0; count < 61; count += 1)
      statuses.push((await thief.get(`/staff/members/${member.id}`)).status);
    expect(statuses.slice(-2)).toEqual([200, 429]);
    await thief.post('/staff/members/search', { by: 'id', value: '1' }).expect(429);
  });

  it('tells a member whom the ban list matched nothing in the export, nor does the release', async () => {
    const grifter = await banned(all, {});
    const dirty = await service.register({ email: grifter.spelling() });
    await ann.get(`/staff/members/${dirty.id}`).expect(200);
    await ann.post('/staff/members/search', { by: 'id', value: String(dirty.id) }).expect(200);
    expect(await exported(dirty)).toEqual([]);
    await ann.post(path(dirty, 'approve')).expect(200);
    expect(await exported(dirty)).not.toContain('approve');
  });
});
