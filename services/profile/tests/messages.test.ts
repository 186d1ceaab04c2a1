import type { Event } from '@covalence/contract/events';
import { until } from '@covalence/testing/until';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { settleMessages } from '../src/jobs/settle-messages.ts';
import { settleMessage } from '../src/messages/settle-message.ts';
import type { MemberPatch } from '../src/members/member-store.ts';
import { startService, type TestMember, type TestService } from './support/service.ts';

let service: TestService;
let live: Event[];
beforeAll(async () => {
  service = await startService('messages');
  live = service.gather('updates.live');
});
afterAll(() => service.close());

const patch = (member: TestMember, change: MemberPatch) =>
  service.context.members.change(member.id, () => change);
const platinum = (status: 'active' | 'none' = 'active') => ({
  membership: {
    status,
    autorenew: false,
    expires_at: new Date(Date.now() + 7 * 86_400_000),
    version: Date.now(),
  },
});

const woman = (fields: object = {}) =>
  service.register({ gender: 'Female', genderpreference: 'Male', ...fields });
/** A man who may write to anyone, and a woman who pays nothing. */
const writers = async (fields: object = {}): Promise<[TestMember, TestMember]> => {
  const [adam, eve] = await Promise.all([service.register(), woman(fields)]);
  await patch(adam, platinum());
  return [adam, eve];
};

const say = (from: TestMember, to: TestMember, text: string, client_message_id?: string) =>
  from.post('/messages', { profileid: to.id, text, ...(client_message_id && { client_message_id }) });
const refusal = async (from: TestMember, profileid: unknown) => {
  const { status, body } = await from.post('/messages', { profileid, text: 'hello' });
  return status === 200 ? 200 : (body.failcode ?? status);
};
const texts = async (viewer: TestMember, other: TestMember) => {
  const { body } = await viewer.get(`/messages/${other.id}`).expect(200);
  return body.messages.map(({ text }: { text: string }) => text);
};
const told = (to: TestMember) =>
  live.filter((event) => event.type === 'message.sent' && event.data.other === to.id);

const flags = async (viewer: TestMember, other: TestMember) => {
  const { body } = await viewer.get(`/users/${other.id}`).expect(200);
  const { has_been_messaged, viewer_messaged_by_member, member_messaged_by_viewer, cansendto } = body;
  return [has_been_messaged, viewer_messaged_by_member, member_messaged_by_viewer, cansendto];
};

describe('POST /messages', () => {
  it('stores, answers and tells the other, with ids only', async () => {
    const [adam, eve] = await writers();
    const { status, body } = await say(adam, eve, ' Hi 👋\nthere ', 'c-1');
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        id: expect.any(String),
        profileid: eve.id,
        sent: true,
        text: ' Hi 👋\nthere ',
        at: expect.any(String),
        read_at: null,
        client_message_id: 'c-1',
      },
    });
    await until('message.sent', () => told(eve).length === 1);
    expect(told(eve)[0]).toMatchObject({ member: adam.id, data: { other: eve.id, message: body.id } });
    const received = await eve.get(`/messages/${adam.id}`).expect(200);
    expect(received.body).toMatchObject({
      profileid: adam.id,
      unread: 1,
      next: null,
      messages: [{ id: body.id, profileid: adam.id, sent: false, client_message_id: null }],
    });
  });

  it('stores once by the id of the client, however often and however much at once it is sent', async () => {
    const [adam, eve] = await writers();
    const answers = await Promise.all(Array.from({ length: 8 }, () => say(adam, eve, 'once', 'same')));
    const again = await say(adam, eve, 'once', 'same');
    expect(new Set([...answers, again].map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set([...answers, again].map(({ body }) => body.id)).size).toBe(1);
    await expect(texts(eve, adam)).resolves.toEqual(['once']);
    await until('message.sent', () => told(eve).length > 0);
    expect(told(eve)).toHaveLength(1);

    const other = await say(adam, eve, 'something else', 'same');
    expect({ status: other.status, body: other.body }).toEqual({
      status: 403,
      body: { fail: 'Invalid Argument' },
    });
    await patch(eve, { suspended: true });
    await expect(say(adam, eve, 'once', 'same')).resolves.toMatchObject({ status: 200 });
    await expect(say(adam, eve, 'once', 'new')).resolves.toMatchObject({ status: 403 });
  });

  it('half a character, as a client leaves it that cuts texts by their length, is one message too', async () => {
    const [adam, eve] = await writers();
    const first = await say(adam, eve, 'cut \ud83d', 'cut');
    expect(first).toMatchObject({ status: 200, body: { text: 'cut \ufffd' } });
    const again = await say(adam, eve, 'cut \ud83d', 'cut');
    expect(again).toMatchObject({ status: 200, body: first.body });
  });

  it('the ids of two senders have nothing to do with each other', async () => {
    const [adam, eve] = await writers();
    await say(adam, eve, 'from adam', '1').expect(200);
    await say(eve, adam, 'from eve', '1').expect(200);
    await expect(texts(eve, adam)).resolves.toEqual(['from eve', 'from adam']);
  });

  it('takes 1 to 4,000 characters', async () => {
    const [adam, eve] = await writers();
    for (const text of [undefined, '', '  \n', '\u200b\u3164', 'x'.repeat(4001), 7, { $gt: '' }]) {
      const { status, body } = await adam.post('/messages', { profileid: eve.id, text });
      expect({ status, body }).toEqual({ status: 403, body: { fail: 'Invalid Argument' } });
    }
    await say(adam, eve, '👋'.repeat(4000)).expect(200);
    await say(adam, eve, 'x', 'a b').expect(403, { fail: 'Invalid Argument' });
    await adam.post('/messages', { text: 'to nobody' }).expect(403, { fail: 'Invalid Argument' });
  });

  it('one that is stored is answered; what a crash left half done is put right', async () => {
    const [adam, eve] = await writers();
    const interrupted = jest.spyOn(service.context.pairs, 'act');
    interrupted.mockRejectedValueOnce(new Error('never')).mockRejectedValueOnce(new Error('ends here'));
    await say(adam, await woman(), 'older').expect(200);
    // It is stored: whoever heard of an error, and gave it no id, would send it again.
    await say(adam, eve, 'half').expect(200);
    await expect(texts(eve, adam)).resolves.toEqual(['half']);
    expect((await eve.get(`/users/${adam.id}`)).body.viewer_messaged_by_member).toBe(false);
    service.advance(6_000);
    interrupted.mockRejectedValueOnce(new Error('never'));
    await settleMessages(service.context);
    expect((await eve.get(`/users/${adam.id}`)).body.viewer_messaged_by_member).toBe(true);
    expect((await eve.get('/messages')).body).toMatchObject({ unread: 1, threads: [{ profileid: adam.id }] });
    await settleMessages(service.context);
    await expect(service.context.messages.unsettled(new Date(Date.now() + 60_000), 10)).resolves.toEqual([]);
    // Another process that was at it, and is late, does not put the thread back.
    const [half] = await service.context.messages.list(eve.id, adam.id, 1);
    const [ben] = await writers();
    for (const man of [ben, adam]) await say(man, eve, 'later').expect(200);
    if (half) await settleMessage(service.context, half);
    const threads = [{ profileid: adam.id, last: { text: 'later' } }, { profileid: ben.id }];
    expect((await eve.get('/messages')).body.threads).toMatchObject(threads);
  });
});

describe('who may write', () => {
  it('refuses with the code that fits, in the order of the table', async () => {
    const [adam, eve] = await writers();
    await patch(adam, platinum('none'));
    await expect(refusal(adam, eve.id)).resolves.toEqual([80008]);
    await patch(eve, { suspended: true });
    await expect(refusal(adam, eve.id)).resolves.toEqual([80008]);
    await patch(adam, platinum());
    await expect(refusal(adam, eve.id)).resolves.toEqual([80014]);
    await patch(adam, platinum('none'));

    // From here on every fault is added to the ones before; the earlier code of the table wins.
    await patch(eve, { siteid: 3 });
    await expect(refusal(adam, eve.id)).resolves.toEqual([80007]);
    await patch(eve, { userstatus: 'rejected' });
    await expect(refusal(adam, eve.id)).resolves.toEqual([80006]);
    await adam.post('/block', { profileid: eve.id }).expect(200);
    await expect(refusal(adam, eve.id)).resolves.toEqual([80005]);
    await service.context.pairs.act(eve.id, adam.id, 'block');
    await expect(refusal(adam, eve.id)).resolves.toEqual([80004]);
    await patch(eve, { deactivated: true });
    await expect(refusal(adam, eve.id)).resolves.toEqual([80003]);
    await patch(eve, { deactivated: false, deleted: true });
    await expect(refusal(adam, eve.id)).resolves.toEqual([80003]);
    const rival = await service.register();
    await patch(rival, { deleted: true });
    await expect(refusal(adam, rival.id)).resolves.toEqual([80002]);
    await expect(refusal(adam, adam.id)).resolves.toEqual([80001]);
  });

  it('knows nobody, staff, and a sender who is not there', async () => {
    const [adam, eve] = await writers();
    for (const nobody of [123_456_789, 'nobody', { $gt: 0 }, { toString: 0 }, '-1']) {
      await expect(refusal(adam, nobody)).resolves.toEqual([80013]);
    }
    const form = await adam.post('/messages').type('form').send('profileid[0][a]=0&text=hello');
    expect(form).toMatchObject({ status: 403, body: { failcode: [80013] } });
    await expect(refusal(adam, 0)).resolves.toEqual([80015]);
    await expect(refusal(adam, '0')).resolves.toEqual([80015]);
    const ghost = await service.caller(987_654, adam.memberId, 'ghost');
    await expect(refusal(ghost, eve.id)).resolves.toEqual([80012]);
    await patch(adam, { suspended: true });
    await expect(refusal(adam, eve.id)).resolves.toBe(401);
    await patch(adam, { suspended: false, deactivated: true });
    await say(adam, eve, 'x').expect(403, { fail: 'Deactivated' });
  });

  it('80016 where the message cannot be stored; nothing is left of it', async () => {
    const [adam, eve] = await writers();
    const failing = jest.spyOn(service.context.messages, 'insert').mockRejectedValueOnce(new Error('full'));
    await expect(refusal(adam, eve.id)).resolves.toEqual([80016]);
    failing.mockRestore();
    await expect(texts(eve, adam)).resolves.toEqual([]);
    await expect(refusal(adam, eve.id)).resolves.toBe(200);
  });

  it('a connection or an existing thread is enough, also towards a hidden member', async () => {
    const [adam, eve] = await writers();
    await expect(refusal(eve, adam.id)).resolves.toEqual([80008]);
    await say(adam, eve, 'hello').expect(200);
    await patch(adam, {
      ...platinum('none'),
      fields: { gender: 'Male', gender_preference: 'Female', searchable: false },
    });
    await expect(refusal(eve, adam.id)).resolves.toBe(200);
    await expect(refusal(adam, eve.id)).resolves.toBe(200);

    const [ben, joy] = await writers();
    await patch(ben, platinum('none'));
    await ben.post('/like', { profileid: joy.id });
    await expect(refusal(ben, joy.id)).resolves.toEqual([80008]);
    await joy.post('/like', { profileid: ben.id });
    await expect(refusal(ben, joy.id)).resolves.toBe(200);
  });

  it('the record’s flags follow', async () => {
    const [adam, eve] = await writers();
    await expect(flags(adam, eve)).resolves.toEqual([false, false, false, 'y']);
    await say(adam, eve, 'hello').expect(200);
    await expect(flags(adam, eve)).resolves.toEqual([false, false, true, 'y']);
    await expect(flags(eve, adam)).resolves.toEqual([true, true, false, 'n']);
    await eve.post('/block', { profileid: adam.id }).expect(200);
    await expect(flags(eve, adam)).resolves.toEqual([true, true, false, 'n']);
  });
});

describe('threads', () => {
  it('are listed newest first in pages, with unread counts and records', async () => {
    const eve = await woman();
    const men = await Promise.all(Array.from({ length: 5 }, () => service.register()));
    for (const man of men) {
      await patch(man, platinum());
      await say(man, eve, `one of ${man.id}`).expect(200);
    }
    const [first] = men;
    if (!first) throw new Error('no men');
    await say(first, eve, 'again').expect(200);
    const order = [first, ...men.slice(1).toReversed()].map(({ id }) => id);
    const seen: { profileid: number; unread: number; user: { id: number }; last: { text: string } }[] = [];
    let cursor: string | null = '';
    for (let page = 0; cursor !== null; page += 1) {
      const query: string = cursor && `&cursor=${cursor}`;
      const { body } = await eve.get(`/messages?pagesize=2${query}`).expect(200);
      expect(body.unread).toBe(6);
      expect(body.threads.length).toBe(page < 2 ? 2 : 1);
      seen.push(...body.threads);
      cursor = body.next;
    }
    expect(seen.map(({ profileid }) => profileid)).toEqual(order);
    expect(seen.map(({ user }) => user.id)).toEqual(order);
    expect(seen.map(({ unread }) => unread)).toEqual([2, 1, 1, 1, 1]);
    expect(seen[0]?.last.text).toBe('again');
    await eve.get('/messages?pagesize=0').expect(403, { fail: 'Invalid Argument' });
    await eve.get('/messages?cursor=x').expect(403, { fail: 'Invalid Argument' });
  });

  it('show nobody who may not be seen, and no one else’s messages', async () => {
    const [adam, eve] = await writers();
    const [ben, joy] = await writers();
    await say(adam, eve, 'private').expect(200);
    await say(ben, joy, 'also').expect(200);
    await eve.post('/block', { profileid: adam.id }).expect(200);
    expect((await adam.get('/messages')).body.threads).toMatchObject([{ profileid: eve.id, user: null }]);
    await expect(texts(joy, eve)).resolves.toEqual([]);
    await expect(texts(joy, adam)).resolves.toEqual([]);
    expect((await joy.get('/messages')).body.threads).toMatchObject([{ profileid: ben.id }]);
    expect((await joy.get('/messages/123456789')).body.failcode).toEqual([80013]);
    expect((await joy.get(`/messages/${joy.id}`)).body.failcode).toEqual([80001]);
  });

  it('page through one thread, newest first', async () => {
    const [adam, eve] = await writers();
    for (let index = 0; index < 5; index += 1)
      await say(index % 2 ? eve : adam, index % 2 ? adam : eve, `${index}`);
    const page = await adam.get(`/messages/${eve.memberId}?pagesize=3`).expect(200);
    expect(page.body.messages.map(({ text }: { text: string }) => text)).toEqual(['4', '3', '2']);
    const rest = await adam.get(`/messages/${eve.id}?pagesize=3&cursor=${page.body.next}`).expect(200);
    expect(rest.body.messages.map(({ text }: { text: string }) => text)).toEqual(['1', '0']);
    expect(rest.body.next).toBeNull();
  });

  it('are marked as read up to a message, or all', async () => {
    const [adam, eve] = await writers();
    const [ben] = await writers();
    const sent = [];
    await say(ben, eve, 'ben').expect(200);
    for (const text of ['1', '2', '3']) sent.push((await say(adam, eve, text)).body.id);
    await expect(eve.post(`/messages/${adam.id}/read`, { messageid: sent[1] })).resolves.toMatchObject({
      status: 200,
      body: { unread: 1 },
    });
    const { body } = await adam.get(`/messages/${eve.id}`);
    expect(body.unread).toBe(0);
    expect(body.messages.map(({ read_at }: { read_at: string | null }) => read_at !== null)).toEqual([
      false,
      true,
      true,
    ]);
    // Nobody reads for another.
    await adam.post(`/messages/${eve.id}/read`).expect(200);
    const [one, none] = [{ unread: 1 }, { unread: 0 }];
    expect((await eve.get('/messages')).body).toMatchObject({ unread: 2, threads: [one, one] });
    await eve.post(`/messages/${adam.id}/read`).expect(200, { unread: 0 });
    expect((await eve.get('/messages')).body).toMatchObject({ unread: 1, threads: [none, one] });
  });

  it('are deleted for the one who asks, whole or message by message', async () => {
    const [adam, eve] = await writers();
    const [ben] = await writers();
    const sent: string[] = [];
    for (const text of ['1', '2', '3']) sent.push((await say(adam, eve, text)).body.id);
    await say(ben, eve, 'ben').expect(200);
    const remove = (path: string) => eve.delete(`/messages/${path}`);
    await remove(`${adam.id}/${sent[2]?.toUpperCase()}`).expect(200, {});
    await remove(`${adam.id}/${sent[2]}`).expect(200, {});
    await remove(`${adam.id}/no-message`).expect(404);
    await remove(`${ben.id}/${sent[1]}`).expect(404);
    await expect(texts(eve, adam)).resolves.toEqual(['2', '1']);
    await expect(texts(adam, eve)).resolves.toEqual(['3', '2', '1']);
    const { body } = await eve.get('/messages');
    expect(body).toMatchObject({
      unread: 3,
      threads: [{ profileid: ben.id }, { profileid: adam.id, unread: 2, last: { text: '2' } }],
    });
    await remove(`${adam.id}`).expect(200, {});
    await remove(`${adam.id}`).expect(200, {});
    expect((await eve.get('/messages')).body).toMatchObject({ unread: 1, threads: [{ profileid: ben.id }] });
    await expect(texts(eve, adam)).resolves.toEqual([]);
    await expect(texts(adam, eve)).resolves.toEqual(['3', '2', '1']);
    await say(adam, eve, 'anew').expect(200);
    await expect(texts(eve, adam)).resolves.toEqual(['anew']);
    expect((await eve.get('/messages')).body.threads).toMatchObject([
      { profileid: adam.id, unread: 1 },
      { profileid: ben.id },
    ]);
  });

  it('a deletion that ends half-way takes no thread along that still has messages', async () => {
    const [adam, eve] = await writers();
    await say(adam, eve, '1').expect(200);
    const { body } = await say(adam, eve, '2').expect(200);
    jest.spyOn(service.context.messages, 'list').mockRejectedValueOnce(new Error('the process ends here'));
    await eve.delete(`/messages/${adam.id}/${body.id}`).expect(500);
    const { threads } = (await eve.get('/messages').expect(200)).body;
    expect(threads).toMatchObject([{ profileid: adam.id, last: { text: '1' } }]);
  });
});
