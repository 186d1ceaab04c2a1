import { until } from '@covalence/testing/until';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { v7 } from 'uuid';
import { encodeCursor } from '../../../src/members/page.ts';
import { manual, path, startModeration, type Entry, type Moderation, why } from '../../support/moderation.ts';

let service: Moderation['service'];
let ann: Moderation['ann'];
let bob: Moderation['bob'];
let own: Moderation['own'];
let all: Moderation['all'];
let entryOf: Moderation['entryOf'];
let entries: Moderation['entries'];
let actions: Moderation['actions'];
let notifiedOf: Moderation['notifiedOf'];
beforeAll(async () => {
  ({ service, ann, bob, own, all, entryOf, entries, actions, notifiedOf } =
    await startModeration('mod-profiles'));
});
afterAll(() => service.close());

describe('who may call', () => {
  it.each(['/staff/queue?kind=profile', '/staff/members/1/history'])('%s asks for the scope', async (url) => {
    const member = await service.register();
    const { status, body } = await member.get(url);
    expect({ status, body }).toEqual({ status: 403, body: { fail: 'Forbidden' } });
  });

  it('answers 404 for members, fields, photos and reports that are not there', async () => {
    const member = await service.register();
    const urls = [
      '/staff/members/999999999/approve',
      `/staff/members/${v7()}/approve`,
      '/staff/members/nobody/suspend',
      path(member, 'texts/height/approve'),
      path(member, 'texts/password/approve'),
      path(member, 'texts/nonsense/reject'),
      '/staff/photos/999999/approve',
      '/staff/photos/x/approve',
      '/staff/reports/1:2/close',
    ];
    for (const url of urls) expect([url, (await ann.post(url, why)).status]).toEqual([url, 404]);
  });

  it.each([
    '',
    '?kind=other',
    '?kind=profile&pagesize=0',
    '?kind=profile&pagesize=101',
    '?kind=profile&cursor=x',
    // Places in the queue of the other kind.
    `?kind=profile&cursor=${encodeCursor({ at: new Date(0), key: '1:2' })}`,
    `?kind=report&cursor=${encodeCursor({ at: new Date(0), key: 1 })}`,
    '?kind=profile&older_than=-1',
    '?kind=profile&siteid=x',
    '?kind=report&flagged=true',
    '?kind=profile&sort=name',
  ])('refuses GET /staff/queue%s with 403 without code', async (query) => {
    const { status, body } = await ann.get(`/staff/queue${query}`);
    expect({ status, body }).toEqual({ status: 403, body: { fail: 'Invalid Argument' } });
  });
});

/** A member who waits behind the others, by number. */
async function waits(fields: object = {}): Promise<number> {
  const { id } = await service.register({ ...manual, ...fields });
  // Times in the queue have milliseconds.
  service.advance(2);
  return id;
}

describe('profiles', () => {
  it('wait, are approved, rejected with a reason, and wait again after an edit', async () => {
    const member = await service.register({ ...manual, headline: 'Hello there' });
    const entry = await entryOf('profile', member);
    expect(entry).toMatchObject({
      kind: 'profile',
      member_id: member.memberId,
      siteid: 2,
      userstatus: 'new',
      flagged: false,
      texts: { headline: 'Hello there', username: member.username },
    });
    expect(JSON.stringify(entry)).not.toMatch(/password|@example|token/);

    const approved = await ann.post(path(member, 'approve'));
    expect({ status: approved.status, body: approved.body }).toEqual({
      status: 200,
      body: {
        id: member.id,
        changed: true,
        userstatus: 'approved',
        suspended: false,
        deleted: false,
        decision_id: expect.any(String),
      },
    });
    expect(await entryOf('profile', member)).toBeUndefined();
    expect((await own(member)).userstatus).toBe('approved');

    for (const rejected of ['reject', 'suspend', 'delete', 'texts/headline/reject']) {
      const unexplained = await bob.post(path(member, rejected), {});
      expect([rejected, unexplained.status, unexplained.body]).toEqual([
        rejected,
        403,
        { fail: 'Invalid Argument' },
      ]);
    }
    expect((await bob.post('/staff/photos/1/reject')).status).toBe(403);
    await bob.post(`/staff/members/${member.memberId}/reject`, { reason: 'Not a person' }).expect(200);
    expect((await own(member)).userstatus).toBe('rejected');
    await member.post('/members/self', { i_art: 20 });
    expect((await own(member)).userstatus).toBe('new');
    expect(await entryOf('profile', member)).toMatchObject({ userstatus: 'new' });

    expect(await entries(member)).toMatchObject([
      {
        action: 'reject',
        staff_id: bob.memberId,
        reason: 'Not a person',
        before: 'approved',
        after: 'rejected',
      },
      { action: 'approve', staff_id: ann.memberId, reason: null, before: 'new', after: 'approved' },
    ]);
    await until('the member is told', () => notifiedOf(member).length === 2);
    expect(notifiedOf(member)).toEqual([
      { subject: 'profile', decision: 'approved' },
      { subject: 'profile', decision: 'rejected' },
    ]);
  });

  it('do not wait on a site that reviews automatically', async () => {
    const member = await service.register();
    expect((await own(member)).userstatus).toBe('approved');
    expect(await entryOf('profile', member)).toBeUndefined();
  });

  it('are listed oldest first, in pages, by site and by age', async () => {
    const [first, second, third] = [
      await service.register(manual),
      await service.register(manual),
      await service.register(manual),
    ];
    const mine = [first.id, second.id, third.id];
    const inOrder = (found: Entry[]) => found.map(({ id }) => id).filter((id) => mine.includes(id));
    expect(inOrder(await all('profile', {}, 1))).toEqual(mine);
    expect(inOrder(await all('profile', { siteid: '2' }, 2))).toEqual(mine);
    expect(await all('profile', { siteid: '1' })).toEqual([]);
    expect(inOrder(await all('profile', { older_than: '60' }))).toEqual([]);
    expect(inOrder(await all('profile', { newer_than: '60' }))).toEqual(mine);
    expect(inOrder(await all('profile', { flagged: 'false' }, 1))).toEqual(mine);
    expect(inOrder(await all('profile', { flagged: 'true' }))).toEqual([]);
    service.advance(120_000);
    expect(inOrder(await all('profile', { older_than: '60' }, 1))).toEqual(mine);
    expect(inOrder(await all('profile', { newer_than: '60' }))).toEqual([]);
    const late = await service.register(manual);
    expect((await all('profile', { older_than: '60' }, 1)).map(({ id }) => id)).not.toContain(late.id);
    expect((await all('profile', { newer_than: '60' }, 1)).map(({ id }) => id)).toEqual([late.id]);
    service.advance(-120_000);
  });

  it('are listed by risk: flagged ones first, page by page, also when one is decided between', async () => {
    const headline = 'Write me: ann@mail.example';
    const plain = [await waits(), await waits()];
    const flagged = [await waits({ headline }), await waits({ headline }), await waits({ headline })];
    const mine = [...flagged, ...plain];
    const found: number[] = [];
    let cursor: string | null = '';
    do {
      const query: string = `kind=profile&sort=risk&pagesize=1${cursor && `&cursor=${cursor}`}`;
      const { body } = await ann.get(`/staff/queue?${query}`).expect(200);
      const [entry] = body.entries as Entry[];
      if (entry && mine.includes(entry.id)) {
        found.push(entry.id);
        await ann.post(`/staff/members/${entry.id}/approve`).expect(200);
      }
      cursor = body.next;
    } while (cursor !== null);
    expect(found).toEqual(mine);
    const unflagged = await all('profile', { sort: 'risk', flagged: 'false' }, 1);
    expect(unflagged.map(({ id }) => id)).toEqual((await all('profile')).map(({ id }) => id));
  });
});

describe('two staff accounts at once', () => {
  it('with a revision: one decides, the other receives 409, and the history has one entry', async () => {
    for (let time = 0; time < 5; time += 1) {
      const member = await service.register(manual);
      const revision = (await entryOf('profile', member))?.revision;
      const [yes, no] = await Promise.all([
        ann.post(path(member, 'approve'), { revision }),
        bob.post(path(member, 'reject'), { revision, reason: 'no' }),
      ]);
      expect(new Set([yes.status, no.status])).toEqual(new Set([200, 409]));
      const [entry, ...others] = await entries(member);
      expect(others).toEqual([]);
      const winner = yes.status === 200 ? ann : bob;
      expect(entry?.staff_id).toBe(winner.memberId);
      expect((await own(member)).userstatus).toBe(winner === ann ? 'approved' : 'rejected');
    }
  });

  it('a repeated decision makes one entry and one notification', async () => {
    const member = await service.register(manual);
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) => (index % 2 ? ann : bob).post(path(member, 'approve'))),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(answers.filter(({ body }) => body.changed)).toHaveLength(1);
    expect(await actions(member)).toEqual(['approve']);
    await until('the member is told', () => notifiedOf(member).length > 0);
    expect(notifiedOf(member)).toHaveLength(1);
  });

  it('without a revision: both decisions apply in the order of the history', async () => {
    const member = await service.register(manual);
    await Promise.all([
      ann.post(path(member, 'approve')).expect(200),
      bob.post(path(member, 'reject'), { reason: 'no' }).expect(200),
    ]);
    const log = await entries(member);
    expect(log[0]?.after).toBe((await own(member)).userstatus);
    expect(log.at(-1)?.before).toBe('new');
    const befores = log.slice(0, -1).map(({ before }) => before);
    expect(befores).toEqual(log.slice(1).map(({ after }) => after));
  });

  it('on one text: one decides, the other receives 409 or an unchanged result', async () => {
    for (let time = 0; time < 5; time += 1) {
      const member = await service.register({ ...manual, headline: 'The first one' });
      await member.post('/members/self', { headline: 'The second headline' }).expect(200);
      const [yes, no] = await Promise.all([
        ann.post(path(member, 'texts/headline/approve')),
        bob.post(path(member, 'texts/headline/reject'), why),
      ]);
      const log = await actions(member);
      expect(log).toHaveLength(1);
      const approved = log[0] === 'approve-text';
      expect((await own(member)).headline).toBe(approved ? 'The second headline' : 'The first one');
      expect((approved ? yes : no).body.changed).toBe(true);
      expect((approved ? no : yes).body.changed).not.toBe(true);
    }
  });
});

describe('history', () => {
  it('pages, newest first', async () => {
    const member = await service.register(manual);
    for (const action of ['approve', 'reject', 'approve', 'suspend', 'unsuspend']) {
      await ann.post(path(member, action), { reason: 'because' }).expect(200);
    }
    const found: string[] = [];
    let cursor: string | null = null;
    do {
      // In capitals, as some languages write UUIDs.
      const query: string = cursor ? `&cursor=${cursor.toUpperCase()}` : '';
      const { body } = await ann.get(path(member, `history?pagesize=2${query}`));
      found.push(...body.entries.map(({ action }: { action: string }) => action));
      cursor = body.next;
    } while (cursor);
    expect(found).toEqual(['unsuspend', 'suspend', 'approve', 'reject', 'approve']);
  });

  it('includes decisions that a crash left on the member', async () => {
    const member = await service.register(manual);
    const entry = {
      id: v7(),
      member: member.id,
      staff: ann.memberId,
      action: 'approve' as const,
      at: new Date(),
    };
    await service.context.members.store.change(member.id, () => ({ unlogged: [entry] }));
    expect(await entries(member)).toMatchObject([{ id: entry.id, action: 'approve' }]);
    expect(await entries(member)).toHaveLength(1);
    expect((await service.context.members.store.byId(member.id))?.unlogged).toEqual([]);
  });
});
