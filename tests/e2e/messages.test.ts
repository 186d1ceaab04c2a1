import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startStackUnderTest, type StackUnderTest } from '@covalence/testing/stack-under-test';
import request from 'supertest';
import { as, registerMember, type TestMember } from './support/members.ts';
import { openSocket } from './support/socket.ts';

describe('messages, through the gateway only', () => {
  let stack: StackUnderTest;
  let nora: TestMember;
  let tom: TestMember;

  beforeAll(async () => {
    stack = await startStackUnderTest({ members: 0 });
    nora = await registerMember(stack.url, stack.demo);
    tom = await registerMember(stack.url, stack.demo, { gender: 'Male', genderpreference: 'Female' });
  }, 120_000);
  afterAll(() => stack?.stop());

  it('two strangers without platinum cannot write; connected they can, and the socket tells', async () => {
    const [ofNora, ofTom] = [as(stack.url, nora), as(stack.url, tom)];
    const hello = { profileid: tom.id, text: 'Hello Tom', client_message_id: 'n-1' };
    const refused = await ofNora.post('/messages', hello).expect(403);
    expect(refused.body).toEqual({ fail: 'Invalid Argument', failcode: [80008] });
    await ofNora.post('/like', { profileid: tom.id }).expect(200);
    await ofTom.post('/like', { profileid: nora.id }).expect(200);
    const liked = await ofNora.get('/members/self/activity/connections').expect(200);
    expect(liked.body.users).toMatchObject([{ id: tom.id, cansendto: 'y' }]);

    const socket = await openSocket(stack.url, tom.tokens.access_token);
    const sent = await ofNora.post('/messages', hello).expect(200);
    const again = await ofNora.post('/messages', hello).expect(200);
    expect(again.body).toEqual(sent.body);
    const frame = await socket.next('message');
    expect(frame.data).toEqual({ profileid: nora.id, messageid: sent.body.id });
    const answer = await ofTom.post('/messages', { profileid: nora.id, text: 'Hello Nora' }).expect(200);
    expect(answer.body).toMatchObject({ sent: true, profileid: nora.id });
    expect(socket.frames.filter(({ type }) => type === 'message')).toHaveLength(1);
    socket.close();
  });

  it('threads are read, marked and deleted for oneself', async () => {
    const [ofNora, ofTom] = [as(stack.url, nora), as(stack.url, tom)];
    const threads = await ofTom.get('/messages').expect(200);
    expect(threads.body).toMatchObject({
      unread: 1,
      threads: [{ profileid: nora.id, unread: 1, user: { id: nora.id }, last: { text: 'Hello Nora' } }],
    });
    const { body } = await ofTom.get(`/messages/${nora.id}`).expect(200);
    expect(body.messages.map(({ text }: { text: string }) => text)).toEqual(['Hello Nora', 'Hello Tom']);
    await ofTom.post(`/messages/${nora.id}/read`).expect(200, { unread: 0 });
    const remove = (path: string) =>
      request(stack.url).delete(path).set('Authorization', `Bearer ${tom.tokens.access_token}`);
    await remove(`/messages/${nora.id}/${body.messages[0].id}`).expect(200, {});
    await remove(`/messages/${nora.id}`).expect(200, {});
    expect((await ofTom.get('/messages')).body).toEqual({ threads: [], unread: 0, next: null });
    expect((await ofNora.get('/messages')).body.threads).toHaveLength(1);
  });

  it('passing over someone is one call', async () => {
    const { status, body } = await as(stack.url, nora).post('/pass', { profileid: tom.id });
    expect({ status, body }).toEqual({ status: 200, body: {} });
  });
});
