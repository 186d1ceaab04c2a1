import { createDeviceKey, type DeviceKey } from '@covalence/testing/device-key';
import { createTestTokens, type TestTokens } from '@covalence/testing/test-tokens';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { v7 } from 'uuid';
import { WebSocket } from 'ws';
import { connectClient, connectMember, startService, tokenOf, type ServiceUnderTest } from '../harness.ts';

describe('a client message', () => {
  const time = { ahead: 0 };
  const clock = () => new Date(Date.now() + time.ahead);
  let tokens: TestTokens;
  let service: ServiceUnderTest;

  beforeAll(async () => {
    tokens = await createTestTokens();
    service = await startService('client-messages', { tokens, overrides: { clock } });
  });
  afterAll(() => service.close());

  it('is closed 1009 by a message over 64 KiB and not by one of 64 KiB', async () => {
    const client = await connectMember(service, tokens, 7);
    client.send(JSON.stringify({ type: 'other', text: '' }).padEnd(64 * 1024));
    client.send(await tokenOf(tokens, 7, { memberId: v7() }));
    expect(await client.closed).toBe(4401);
    const second = await connectMember(service, tokens, 7);
    second.send('x'.repeat(64 * 1024 + 1));
    expect(await second.closed).toBe(1009);
  });

  it.each([
    ['Bearer before it', (token: string) => `Bearer ${token}`],
    ['another case and blanks', (token: string) => ` bearer   ${token}\n`],
    ['Bearer in a command', (token: string) => ({ type: 'token', token: `Bearer ${token}` })],
  ])('may be a token with %s', async (_case, written) => {
    const client = await connectClient(service.url);
    client.send(written(await tokenOf(tokens, 12)));
    expect(await client.waitFor('ready')).toHaveLength(1);
  });

  it('with a token that is bound to a key needs a proof of that key (DPoP)', async () => {
    const key = await createDeviceKey();
    const authorization = await tokens.authorization({ id: 13, key: key.thumbprint });
    const token = authorization.replace('DPoP ', '');
    const prove = (by: DeviceKey) => by.prove({ htm: 'GET', htu: 'http://api.test/ws/updates', token });
    const client = await connectClient(service.url);
    client.send({ type: 'token', token, dpop: await prove(key) });
    expect(await client.waitFor('ready')).toHaveLength(1);
    const thief = await createDeviceKey();
    for (const sent of [{ token }, { token, dpop: await prove(thief) }]) {
      const refused = await connectClient(service.url);
      refused.send({ type: 'token', ...sent });
      expect(await refused.closed).toBe(4401);
    }
  });

  it('is ignored when it is unknown', async () => {
    const client = await connectMember(service, tokens, 8);
    client.send('hello');
    client.send({ type: 'unheard-of' });
    client.socket.send(Buffer.from([1, 2, 3]), { binary: true });
    client.send({ type: 'resume', after: 'x' });
    await client.waitFor('reset');
    expect(client.socket.readyState).toBe(WebSocket.OPEN);
  });

  it.each([
    ['null', { after: null }],
    ['a number', { after: 42 }],
    ['nothing', {}],
    ['a long text', { after: 'x'.repeat(101) }],
  ])('is answered with a reset after %s', async (_case, resume) => {
    const client = await connectMember(service, tokens, 11);
    client.send({ type: 'resume', ...resume });
    expect(await client.waitFor('reset')).toHaveLength(1);
  });

  it('is closed 1013 when it sends faster than it can be served', async () => {
    const client = await connectMember(service, tokens, 9);
    for (let index = 0; index < 200; index += 1) client.send({ type: 'resume', after: 'x' });
    expect(await client.closed).toBe(1013);
  });

  it('is limited to a burst of 16 and one per second; more close the socket with 1013', async () => {
    const client = await connectMember(service, tokens, 10);
    let resets = 0;
    const resume = async () => {
      client.send({ type: 'resume', after: 'x' });
      await client.waitFor('reset', (resets += 1));
    };
    // The token was the first message.
    for (let count = 1; count < 16; count += 1) await resume();
    time.ahead += 16_000;
    for (let count = 0; count < 16; count += 1) await resume();
    for (let count = 0; count < 3; count += 1) {
      time.ahead += 1_000;
      await resume();
    }
    for (let count = 0; count < 16; count += 1) client.send({ type: 'resume', after: 'x' });
    expect(await client.closed).toBe(1013);
  });
});
