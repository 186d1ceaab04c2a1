import { testNamespace } from '@covalence/testing/test-stores';
import { createTestTokens, type TestTokens } from '@covalence/testing/test-tokens';
import { until } from '@covalence/testing/until';
import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { WebSocket } from 'ws';
import { frameOf } from '../../src/live/position.ts';

import { beat } from '../../src/sockets/heartbeat.ts';
import { connectMember, startService, type ServiceUnderTest } from '../harness.ts';

describe('a slow socket', () => {
  const namespace = testNamespace('slow-readers');
  const processes: ServiceUnderTest[] = [];
  let tokens: TestTokens;

  beforeAll(async () => {
    tokens = await createTestTokens();
  });
  afterEach(async () => {
    await Promise.all(processes.splice(0).map((one) => one.close()));
  });

  const start = async (environment: Record<string, string> = {}) => {
    const service = await startService('slow-readers', { namespace, tokens, environment });
    processes.push(service);
    return service;
  };

  it('is dropped when it does not read, and the others receive on', async () => {
    const service = await start({ MAX_BUFFERED_BYTES: '1000', CLOSE_WAIT_MS: '50' });
    const slow = await connectMember(service, tokens, 10);
    const quick = await connectMember(service, tokens, 10);
    slow.socket.pause();
    const [connection] = [...service.context.sockets.registry.of(10)];
    const frame = Buffer.from(JSON.stringify({ filler: 'x'.repeat(100_000) }));
    await until('the slow one is being closed', () => {
      connection?.send(frame);
      return connection?.closing;
    });
    await until('it is gone', () => service.context.sockets.registry.of(10).length === 1);
    slow.socket.terminate();
    quick.send({ type: 'resume', after: 'x' });
    expect(await quick.waitFor('reset')).toHaveLength(1);
  });

  it('is closed 1013 when it reads too slowly, after whole frames only', async () => {
    const service = await start({ MAX_BUFFERED_BYTES: '1000', CLOSE_WAIT_MS: '20000' });
    const slow = await connectMember(service, tokens, 19);
    slow.socket.pause();
    const [connection] = service.context.sockets.registry.of(19);
    const at = new Date().toISOString();
    const frame = frameOf('x'.repeat(100_000), JSON.stringify({ type: 'like', at, data: { profileid: 1 } }));
    let sent = 0;
    await until('it is being closed', () => {
      connection?.send(frame);
      sent += 1;
      return connection?.closing;
    });
    slow.socket.resume();
    expect(await slow.closed).toBe(1013);
    // The last frame was not sent, because the buffer was full.
    expect(await slow.waitFor('like', sent - 1)).toHaveLength(sent - 1);
  });

  it('is cut off when it does not read the pongs to its pings', async () => {
    const service = await start();
    const client = await connectMember(service, tokens, 20);
    client.socket.pause();
    const ping = Buffer.alloc(125);
    await until('it is gone', () => {
      for (let index = 0; index < 5_000; index += 1) client.socket.ping(ping);
      return service.context.sockets.registry.of(20).length === 0;
    });
    expect(service.context.sockets.registry.size).toBe(0);
    client.socket.terminate();
  });

  it('is cut off when it does not answer pings', async () => {
    const service = await start();
    const [dead, live] = await Promise.all([
      connectMember(service, tokens, 11),
      connectMember(service, tokens, 12),
    ]);
    dead.socket.pause();
    const pinged = once(live.socket, 'ping');
    await beat(service.context);
    await pinged;
    // Its pong arrives before this one.
    live.send({ type: 'resume', after: 'x' });
    await live.waitFor('reset');
    await beat(service.context);
    await until('it is gone', () => service.context.sockets.registry.of(11).length === 0);
    expect(service.context.sockets.registry.of(12).length).toBe(1);
    expect(live.socket.readyState).toBe(WebSocket.OPEN);
    dead.socket.terminate();
  });
});
