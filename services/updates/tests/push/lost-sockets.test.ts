import { until } from '@covalence/testing/until';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { beat } from '../../src/sockets/heartbeat.ts';
import { connectMember, tokenOf, type ServiceUnderTest } from '../harness.ts';
import { startPushSystem, type PushSystem } from '../push-harness.ts';
import { bytesOf, openRaw, textFrame } from '../raw-socket.ts';

describe('push messages for sockets that answer no more', () => {
  let system: PushSystem;
  let process: ServiceUnderTest;
  beforeAll(async () => {
    system = await startPushSystem('lost');
    process = await system.start();
  });
  afterAll(() => system?.close());

  const like = (from: number, id: number) => system.publisher.publish('pair.liked', from, id);
  /** Opens a socket that never answers a ping, like that of a phone that left the network. */
  const openMute = async (id: number) => {
    const raw = await openRaw(process.url);
    const before = process.context.sockets.registry.members().length;
    raw.send(bytesOf(textFrame(await tokenOf(system.tokens, id))));
    await until('the socket', () => process.context.sockets.registry.members().length > before);
    await until('it listens', () => process.context.live.channels.hasListener(id));
    return raw;
  };

  it('come when the socket is given up, of what no other socket received', async () => {
    const { id, device } = await system.onApple(process, { types: ['like', 'view'] });
    const healthy = await connectMember(process, system.tokens, id);
    await like(11, id);
    await healthy.waitFor('like');
    await beat(process.context);
    healthy.socket.close();
    await until('it is gone', async () => !(await process.context.live.channels.hasListener(id)));
    const raw = await openMute(id);
    await like(12, id);
    await system.publisher.publish('pair.declined', 13, id);
    await beat(process.context);
    await like(14, id);
    // An update that no socket received is pushed, but only once.
    await beat(process.context);
    await raw.ended;
    await until('it came', () => device.received.length > 0);
    await system.settled(process);
    expect(device.received.map(({ payload }) => payload['data'])).toEqual([{ profileid: 14 }]);
    expect(device.received[0]?.payload).toMatchObject({
      aps: { alert: { body: expect.stringContaining('2') } },
    });
  });

  it('do not come while another socket of the member is open', async () => {
    const { id, device } = await system.onApple(process, { types: ['like'] });
    const raw = await openMute(id);
    const other = await connectMember(process, system.tokens, id);
    await like(15, id);
    await other.waitFor('like');
    await beat(process.context);
    await beat(process.context);
    await raw.ended;
    await system.settled(process);
    expect(device.requests()).toBe(0);
    other.socket.close();
  });
});
