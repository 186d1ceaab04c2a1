import { until } from '@covalence/testing/until';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eraseMembers } from '../../../src/privacy/erase-member.ts';
import { manual, path, startModeration, type Moderation, why } from '../../support/moderation.ts';

let service: Moderation['service'];
beforeAll(async () => {
  ({ service } = await startModeration('notes'));
});
afterAll(() => service.close());

describe('notes about a member', () => {
  it('are read by staff of the site, newest first, in pages', async () => {
    const member = await service.register(manual);
    const [grace, rosa] = [
      await service.staff({ 2: ['moderator'] }),
      await service.staff({ 2: ['support'] }),
    ];
    const url = path(member, 'notes');
    const first = await grace.post(url, { text: 'Called about the refund of March.' }).expect(200);
    expect(first.body).toEqual({
      id: expect.any(String),
      at: expect.any(String),
      staff_id: grace.memberId,
      text: 'Called about the refund of March.',
      about_others: false,
    });
    const second = await rosa.post(url, { text: 'Reported by 1001.', about_others: true }).expect(200);
    const page = await rosa.get(`${url}?pagesize=1`).expect(200);
    expect(page.body).toEqual({ id: member.id, entries: [second.body], next: second.body.id });
    const { body } = await grace.get(`${url}?pagesize=1&cursor=${page.body.next}`).expect(200);
    expect(body).toEqual({ id: member.id, entries: [first.body], next: null });
    const elsewhere = await service.staff({ 1: ['admin'], 2: ['search'] });
    await elsewhere.get(url).expect(403);
    await elsewhere.post(url, { text: 'Hello' }).expect(403);
    await member.get(url).expect(403);
    await grace.post(url, { text: '' }).expect(403);
    await grace.post(url, { text: 'x'.repeat(2_001) }).expect(403);
    await (await service.staff()).get('/staff/members/999999999/notes').expect(404);
  });

  it('are in the export of the member without the author, except those about others, and are erased', async () => {
    const member = await service.register(manual);
    const grace = await service.staff();
    await grace.post(path(member, 'notes'), { text: 'Asks often.' }).expect(200);
    await grace.post(path(member, 'notes'), { text: 'Reported by 1001.', about_others: true }).expect(200);
    const { body, text } = await member.get('/members/self/export').expect(200);
    expect(body.moderation.notes).toEqual([{ at: expect.any(String), text: 'Asks often.' }]);
    expect(text).not.toContain(grace.memberId);
    expect(text).not.toContain('Reported by');
    const { notes, claims, undoable } = service.context.moderation;
    await grace.post('/staff/queue/claim', { kind: 'profile', id: member.id }).expect(200);
    const { body: made } = await grace.post(path(member, 'approve')).expect(200);
    await claims.take(
      {
        kind: 'text',
        key: member.id,
        siteid: 2,
        about: [member.id],
        staff: 'x',
        until: service.context.clock(),
      },
      new Date(0),
    );
    await grace.post(path(member, 'delete'), why).expect(200);
    service.advance(31 * 86_400_000);
    await until('the member is erased', async () => {
      await eraseMembers(service.context);
      return (await service.context.members.store.byId(member.id)) === undefined;
    });
    expect(await notes.of(member.id)).toEqual([]);
    expect(await undoable.find(made.decision_id, new Date(0))).toBeUndefined();
    expect(await claims.find({ kind: 'text', key: member.id }, new Date(0))).toBeUndefined();
  });

  it('are 500 at most', async () => {
    const member = await service.register(manual);
    const { notes } = service.context.moderation;
    const note = { member: member.id, staff: 'x', at: new Date(), text: 'x', about_others: false };
    for (let count = 0; count < 500; count += 1) await notes.add({ id: `${count}`, ...note });
    const { status } = await (await service.staff()).post(path(member, 'notes'), { text: 'One more' });
    expect(status).toBe(409);
  });
});
