import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { messaging, platinum, say, texts } from '../support/messaging.ts';
import { startService, type ServiceUnderTest } from '../harness.ts';

let service: ServiceUnderTest;
beforeAll(async () => {
  service = await startService('threads');
});
afterAll(() => service.close());

const { patch, woman, writers } = messaging(() => service);

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

  it('hide members who may not be seen, and messages of others', async () => {
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
    const whole = await adam.get(`/messages/${eve.id}`).expect(200);
    expect([page, rest, whole].map(({ body }) => body.unread)).toEqual([2, 2, 2]);
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

  it('are deleted for the caller alone, whole or by message', async () => {
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

  it('an interrupted deletion keeps a thread that has messages', async () => {
    const [adam, eve] = await writers();
    await say(adam, eve, '1').expect(200);
    const { body } = await say(adam, eve, '2').expect(200);
    jest
      .spyOn(service.context.messages.store, 'list')
      .mockRejectedValueOnce(new Error('the process ends here'));
    await eve.delete(`/messages/${adam.id}/${body.id}`).expect(500);
    const { threads } = (await eve.get('/messages').expect(200)).body;
    expect(threads).toMatchObject([{ profileid: adam.id, last: { text: '1' } }]);
  });
});
