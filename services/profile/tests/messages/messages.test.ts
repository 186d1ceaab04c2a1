import type { Event } from '@covalence/contract/events';
import { until } from '@covalence/testing/until';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { settleMessages, settleMessage } from '../../src/messages/send-message.ts';
import { messaging, platinum, say, texts } from '../support/messaging.ts';
import { startService, type TestMember, type ServiceUnderTest } from '../harness.ts';

let service: ServiceUnderTest;
let live: Event[];
beforeAll(async () => {
  service = await startService('messages');
  live = service.gather('updates.live');
});
afterAll(() => service.close());

const { patch, woman, writers } = messaging(() => service);
const refusal = async (from: TestMember, profileid: unknown) => {
  const { status, body } = await from.post('/messages', { profileid, text: 'hello' });
  return status === 200 ? 200 : (body.failcode ?? status);
};
const told = (to: TestMember) =>
  live.filter((event) => event.type === 'message.sent' && event.data.other === to.id);

const flags = async (viewer: TestMember, other: TestMember) => {
  const { body } = await viewer.get(`/users/${other.id}`).expect(200);
  const { has_been_messaged, viewer_messaged_by_member, member_messaged_by_viewer, cansendto } = body;
  return [has_been_messaged, viewer_messaged_by_member, member_messaged_by_viewer, cansendto];
};

describe('POST /messages', () => {
  it('stores, answers and notifies the other, with ids only', async () => {
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

  it('stores once for each client id, also when repeated in parallel', async () => {
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

  it.each(['', null])('treats %p as no client id', async (client_message_id) => {
    const [adam, eve] = await writers();
    const send = () => adam.post('/messages', { profileid: eve.id, text: 'hello', client_message_id });
    const [first, second] = [await send().expect(200), await send().expect(200)];
    expect(first.body.client_message_id).toBeNull();
    expect(second.body.id).not.toBe(first.body.id);
  });

  it('replaces a lone surrogate, and stays idempotent', async () => {
    const [adam, eve] = await writers();
    const first = await say(adam, eve, 'cut \ud83d', 'cut');
    expect(first).toMatchObject({ status: 200, body: { text: 'cut \ufffd' } });
    const again = await say(adam, eve, 'cut \ud83d', 'cut');
    expect(again).toMatchObject({ status: 200, body: first.body });
  });

  it('keeps client ids of two senders apart', async () => {
    const [adam, eve] = await writers();
    await say(adam, eve, 'from adam', '1').expect(200);
    await say(eve, adam, 'from eve', '1').expect(200);
    await expect(texts(eve, adam)).resolves.toEqual(['from eve', 'from adam']);
  });

  it('accepts 1 to 4,000 characters', async () => {
    const [adam, eve] = await writers();
    for (const text of [undefined, '', '  \n', '\u200b\u3164', 'x'.repeat(4001), 7, { $gt: '' }]) {
      const { status, body } = await adam.post('/messages', { profileid: eve.id, text });
      expect({ status, body }).toEqual({ status: 403, body: { fail: 'Invalid Argument' } });
    }
    await say(adam, eve, '👋'.repeat(4000)).expect(200);
    await say(adam, eve, 'x', 'a b').expect(403, { fail: 'Invalid Argument' });
    await adam.post('/messages', { text: 'to nobody' }).expect(403, { fail: 'Invalid Argument' });
  });

  it('answers a stored message, and completes what a crash interrupted', async () => {
    const [adam, eve] = await writers();
    const interrupted = jest.spyOn(service.context.pairs.store, 'act');
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
    await expect(
      service.context.messages.store.unsettled(new Date(Date.now() + 60_000), 10),
    ).resolves.toEqual([]);
    // Another process that was at it, and is late, does not put the thread back.
    const [half] = await service.context.messages.store.list(eve.id, adam.id, 1);
    const [ben] = await writers();
    for (const man of [ben, adam]) await say(man, eve, 'later').expect(200);
    if (half) await settleMessage(service.context, half);
    const threads = [{ profileid: adam.id, last: { text: 'later' } }, { profileid: ben.id }];
    expect((await eve.get('/messages')).body.threads).toMatchObject(threads);
  });
});

describe('a message that is recorded', () => {
  it('is settled by the write that removes its event', async () => {
    const [adam, eve] = await writers();
    const alone = jest.spyOn(service.context.messages.store, 'settled');
    await say(adam, eve, 'hello').expect(200);
    const later = new Date(Date.now() + 60_000);
    const isSettled = async () => !(await service.context.messages.store.unsettled(later, 10)).length;
    await until('the message settled', isSettled);
    expect(alone).not.toHaveBeenCalled();
    alone.mockRestore();
  });
});

describe('eligibility to write', () => {
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
    await patch(eve, { deactivated: true });
    await expect(refusal(adam, eve.id)).resolves.toEqual([80064]);
    await patch(eve, { siteid: 3 });
    await expect(refusal(adam, eve.id)).resolves.toEqual([80007]);
    await patch(eve, { userstatus: 'rejected' });
    await expect(refusal(adam, eve.id)).resolves.toEqual([80006]);
    await adam.post('/block', { profileid: eve.id }).expect(200);
    await expect(refusal(adam, eve.id)).resolves.toEqual([80005]);
    await service.context.pairs.store.act(eve.id, adam.id, 'block');
    await expect(refusal(adam, eve.id)).resolves.toEqual([80004]);
    await patch(eve, { erase_at: new Date(Date.now() + 86_400_000) });
    await expect(refusal(adam, eve.id)).resolves.toEqual([80003]);
    await patch(eve, { erase_at: undefined, deleted: true });
    await expect(refusal(adam, eve.id)).resolves.toEqual([80003]);
    const rival = await service.register();
    await patch(rival, { deleted: true });
    await expect(refusal(adam, rival.id)).resolves.toEqual([80002]);
    await expect(refusal(adam, adam.id)).resolves.toEqual([80001]);
  });

  it('refuses unknown members, staff, and a deleted sender', async () => {
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

  it('answers 80016 where the message cannot be stored, and leaves nothing', async () => {
    const [adam, eve] = await writers();
    const failing = jest
      .spyOn(service.context.messages.store, 'insert')
      .mockRejectedValueOnce(new Error('full'));
    await expect(refusal(adam, eve.id)).resolves.toEqual([80016]);
    failing.mockRestore();
    await expect(texts(eve, adam)).resolves.toEqual([]);
    await expect(refusal(adam, eve.id)).resolves.toBe(200);
  });

  it('a connection or an existing thread is enough, also for a hidden receiver', async () => {
    const [adam, eve] = await writers();
    await expect(refusal(eve, adam.id)).resolves.toEqual([80008]);
    await say(adam, eve, 'hello').expect(200);
    await patch(adam, {
      ...platinum('none'),
      fields: { gender: 'Male', gender_preference: 'Female', searchable: false },
    });
    await expect(refusal(adam, eve.id)).resolves.toBe(200);
    await expect(refusal(eve, adam.id)).resolves.toBe(200);

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
