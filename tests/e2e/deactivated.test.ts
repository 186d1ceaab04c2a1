import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startStackUnderTest, type StackUnderTest } from '@covalence/testing/stack-under-test';
import request from 'supertest';
import { as, registerMember, type TestMember } from './support/members.ts';
import { signIn, tokensFor } from './support/sign-in.ts';
import { openSocket } from './support/socket.ts';

describe('a deactivated member, through the gateway (spec 3.3, 5.8)', () => {
  let stack: StackUnderTest;
  let member: TestMember;
  beforeAll(async () => {
    stack = await startStackUnderTest({ members: 0 });
    member = await registerMember(stack.url, stack.demo);
  }, 120_000);
  afterAll(() => stack?.stop());

  const refused = { fail: 'Deactivated' };
  const refresh = () => {
    const { client_id, client_secret } = stack.demo;
    const { refresh_token } = member.tokens;
    const form = { client_id, client_secret, refresh_token, grant_type: 'refresh_token' };
    return request(stack.url).post('/token').type('form').send(form);
  };

  it('is refused with every token at once, on an open socket too', async () => {
    const socket = await openSocket(stack.url, member.tokens.access_token);
    await as(stack.url, member).post('/members/self', { deactivated: true }).expect(200);
    for (const path of ['/users/self', '/packages']) {
      const answer = await as(stack.url, member).get(path);
      expect([path, answer.status, answer.body]).toEqual([path, 403, refused]);
    }
    expect((await as(stack.url, member).post('/searches', { age: { from: 18, to: 99 } })).body).toEqual(
      refused,
    );
    expect((await refresh()).body).toMatchObject({ error: 'invalid_grant' });
    await expect(socket.next('like', () => true, 3_000)).rejects.toMatchObject({
      cause: { message: 'socket closed with 4403' },
    });
    await expect(openSocket(stack.url, member.tokens.access_token)).rejects.toMatchObject({
      cause: { message: 'socket closed with 4403' },
    });
  }, 60_000);

  it('gives both entries twice, and then all is back', async () => {
    const enter = (entries: number) =>
      signIn(stack.url, stack.demo, member.username, member.password, { siteid: '1' }, entries);
    await expect(enter(1)).rejects.toThrow('not signed in: 200');
    expect((await as(stack.url, member).get('/users/self')).body).toEqual(refused);
    const tokens = await tokensFor(stack.url, stack.demo, (await enter(2)).get('code') ?? '');
    const self = await as(stack.url, { tokens }).get('/users/self').expect(200);
    expect(self.body).toMatchObject({ id: member.id, username: member.username });
    const socket = await openSocket(stack.url, tokens.access_token);
    socket.close();
  }, 60_000);
});
