import { testNamespace, testStores } from '@covalence/testing/test-stores';
import { createTestTokens, type TestTokens } from '@covalence/testing/test-tokens';
import { until } from '@covalence/testing/until';
import { serviceAuthorization } from '@covalence/testing/service-tokens';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import { memberKeys } from '../../src/live/member-keys.ts';
import {
  connectMember,
  startService,
  startPublisher,
  type TestClient,
  type ServiceUnderTest,
  type TestPublisher,
} from '../harness.ts';

const historyLength = 20;

const likers = ({ frames }: TestClient) =>
  frames.filter(({ type }) => type === 'like').map(({ data }) => Number(data['profileid']));

describe('resuming', () => {
  const namespace = testNamespace('resume');
  let tokens: TestTokens;
  let service: ServiceUnderTest;
  let publisher: TestPublisher;
  let redis: Redis;
  let nextMember = 1;
  const member = () => (nextMember += 1);
  const like = async (other: number, ...actors: number[]) => {
    for (const actor of actors) await publisher.publish('pair.liked', actor, other);
  };

  beforeAll(async () => {
    tokens = await createTestTokens();
    redis = new Redis(testStores().REDIS_URL);
    service = await startService('resume', {
      namespace,
      tokens,
      environment: { HISTORY_LENGTH: String(historyLength) },
    });
    publisher = await startPublisher(namespace);
  });
  afterAll(async () => {
    await publisher.close();
    await service.close();
    redis.disconnect();
  });

  /** A member whose socket closed, and the id of its last frame. */
  const away = async (id: number, ...actors: number[]) => {
    const socket = await connectMember(service, tokens, id);
    await like(id, ...actors);
    if (actors.length) await socket.waitFor('like', actors.length);
    socket.socket.close();
    await socket.closed;
    return socket.frames.at(-1)?.id ?? '';
  };

  it('sends what was missed, in order, then continues', async () => {
    const id = member();
    const last = await away(id, 11, 12);
    await like(id, 13, 14, 15);
    const { head, stream } = memberKeys(namespace, id);
    await until('all are stored', async () => (await redis.hget(head, 'number')) === '5');
    const watcher = await connectMember(service, tokens, id);
    const back = await connectMember(service, tokens, id, last);
    await back.waitFor('like', 3);
    await like(id, 16);
    await back.waitFor('like', 4);
    await watcher.waitFor('like');
    expect(likers(back)).toEqual([13, 14, 15, 16]);
    expect(likers(watcher)).toEqual([16]);
    expect(back.frames[0]?.type).toBe('ready');
    expect(new Set(back.frames.map(({ id: frame }) => frame)).size).toBe(5);
    // It expires after a day, also without later messages.
    for (const key of [stream, head]) expect(await redis.ttl(key)).toBeGreaterThan(86_000);
    expect(await redis.ttl(stream)).toBeLessThanOrEqual(86_400);
  });

  it('gives ready and reset unique ids, so that deduplicating clients drop nothing', async () => {
    const id = member();
    const last = await away(id, 81);
    await like(id, 82, 83);
    const { head } = memberKeys(namespace, id);
    await until('both are stored', async () => (await redis.hget(head, 'number')) === '3');
    const back = await connectMember(service, tokens, id, last);
    await back.waitFor('like', 2);
    const lost = await connectMember(service, tokens, id, 'nonsense');
    await lost.waitFor('reset');
    const again = await connectMember(service, tokens, id, 'nonsense');
    await again.waitFor('reset');
    const ids = [back, lost, again].flatMap(({ frames }) => frames.map((frame) => frame.id));
    expect(new Set(ids).size).toBe(3 + 2 + 2);
    // A client can resume from each: after all earlier messages.
    const places = [...lost.frames, ...back.frames.slice(0, 1)];
    const next = await Promise.all(places.map(({ id: after }) => connectMember(service, tokens, id, after)));
    await like(id, 84);
    for (const socket of next) {
      await socket.waitFor('like');
      expect(socket.frames.map(({ type }) => type)).toEqual(['ready', 'like']);
    }
  });

  it('works from the id of ready, and sends nothing if nothing was missed', async () => {
    const id = member();
    const ready = await away(id);
    const same = await connectMember(service, tokens, id, ready);
    await like(id, 21);
    await same.waitFor('like');
    expect(same.frames.map(({ type }) => type)).toEqual(['ready', 'like']);
    const later = await connectMember(service, tokens, id, ready);
    await later.waitFor('like');
    expect(likers(later)).toEqual([21]);
  });

  it('on an open socket sends only what that socket was not sent', async () => {
    const id = member();
    const last = await away(id, 31);
    await like(id, 32);
    const witness = await connectMember(service, tokens, id, last);
    await witness.waitFor('like');
    const back = await connectMember(service, tokens, id);
    await like(id, 33);
    await back.waitFor('like');
    back.send({ type: 'resume', after: last });
    await back.waitFor('like', 2);
    back.send({ type: 'resume', after: last });
    await like(id, 34);
    await back.waitFor('like', 3);
    expect(likers(back).toSorted((a, b) => a - b)).toEqual([32, 33, 34]);
  });

  it('answers reset when more was missed than is stored', async () => {
    const id = member();
    const last = await away(id, 41);
    const actors = Array.from({ length: historyLength }, (_none, index) => 1_000 + index);
    const witness = await connectMember(service, tokens, id);
    await like(id, ...actors);
    await witness.waitFor('like', historyLength);
    const whole = await connectMember(service, tokens, id, last);
    await whole.waitFor('like', historyLength);
    await like(id, 2_000);
    await witness.waitFor('like', historyLength + 1);
    const back = await connectMember(service, tokens, id, last);
    const [reset] = await back.waitFor('reset');
    await like(id, 2_001);
    await back.waitFor('like');
    expect(back.frames.map(({ type }) => type)).toEqual(['ready', 'reset', 'like']);
    const after = await connectMember(service, tokens, id, reset?.id);
    await after.waitFor('like');
    expect(likers(after)).toEqual([2_001]);
  });

  it('answers reset when Redis was emptied, also to sockets that stayed open', async () => {
    const id = member();
    const last = await away(id, 51, 52);
    const open = await connectMember(service, tokens, id);
    const { head, stream } = memberKeys(namespace, id);
    await redis.del(head, stream);
    const back = await connectMember(service, tokens, id, last);
    await back.waitFor('reset');
    await like(id, 53);
    await back.waitFor('like');
    await open.waitFor('reset');
    expect(likers(back)).toEqual([53]);
    const [reset] = await open.waitFor('reset');
    expect(open.frames.at(0)?.id.split('-')[0]).not.toBe(reset?.id.split('-')[0]);
  });

  it('answers reset when the store lost its last message and has another one in its place', async () => {
    const id = member();
    const { head, stream } = memberKeys(namespace, id);
    const open = await connectMember(service, tokens, id);
    await like(id, 54);
    await open.waitFor('like');
    const before = await Promise.all([redis.dumpBuffer(head), redis.dumpBuffer(stream)]);
    await like(id, 55);
    const [, last] = await open.waitFor('like', 2);
    await Promise.all([
      redis.restore(head, 0, before[0], 'REPLACE'),
      redis.restore(stream, 0, before[1], 'REPLACE'),
    ]);
    await like(id, 56);
    // The open socket has received number 2, and the other one has seen another number 2.
    await open.waitFor('reset');
    const back = await connectMember(service, tokens, id, last?.id);
    await back.waitFor('reset');
    expect(likers(back)).toEqual([]);
    await like(id, 57, 58);
    const behind = await connectMember(service, tokens, id, last?.id);
    await behind.waitFor('reset');
    await back.waitFor('like', 2);
    expect(likers(open)).toEqual([54, 55, 57, 58]);
  });

  it('answers reset when the store has other messages before the last one sent', async () => {
    const id = member();
    const { head, stream, delivered } = memberKeys(namespace, id);
    const stored = (count: number) => until('it is stored', async () => (await redis.xlen(stream)) === count);
    await like(id, 64);
    await stored(1);
    const before = await Promise.all([redis.dumpBuffer(head), redis.dumpBuffer(stream)]);
    const open = await connectMember(service, tokens, id);
    const events = [
      await publisher.publish('pair.liked', 65, id),
      await publisher.publish('pair.liked', 66, id),
    ];
    const [, last] = await open.waitFor('like', 2);
    open.socket.close();
    await Promise.all([
      redis.restore(head, 0, before[0], 'REPLACE'),
      redis.restore(stream, 0, before[1], 'REPLACE'),
      redis.del(events.map(delivered)),
    ]);
    // One process appends a new message before another one replays its last ones in another order.
    await like(id, 67);
    await stored(2);
    for (const [index, actor] of [66, 65].entries()) {
      await publisher.again(events[1 - index] ?? '', 'pair.liked', actor, id);
      await stored(3 + index);
    }
    const back = await connectMember(service, tokens, id, last?.id);
    await back.waitFor('reset');
    expect(likers(back)).toEqual([]);
  });

  it('answers reset when the stored messages have expired', async () => {
    const id = member();
    const last = await away(id, 61);
    await like(id, 62);
    const witness = await connectMember(service, tokens, id, last);
    await witness.waitFor('like');
    await redis.del(memberKeys(namespace, id).stream);
    const back = await connectMember(service, tokens, id, last);
    expect(await back.waitFor('reset')).toHaveLength(1);
    expect(likers(back)).toEqual([]);
  });

  it.each(['', 'nonsense', '0123456789abcdef-0', '1-1', '0123456789abcdef-999999999999999'])(
    'answers reset to an id that was never given: %j',
    async (after) => {
      const back = await connectMember(service, tokens, member(), after);
      await back.waitFor('reset');
      expect(back.frames.map(({ type }) => type)).toEqual(['ready', 'reset']);
    },
  );

  it('answers reset to an id of another member', async () => {
    const last = await away(member(), 71);
    const back = await connectMember(service, tokens, member(), last);
    await back.waitFor('reset');
    expect(likers(back)).toEqual([]);
  });

  it('deletes messages older than a day with the next message', async () => {
    const id = member();
    const day = 86_400_000;
    for (const age of [2 * day, 1.5 * day, 0]) {
      const at = new Date(Date.now() - age).toISOString();
      await service.context.live.history.append({
        member: id,
        eventId: `${id}:${age}`,
        update: { type: 'like', at, data: { profileid: age } },
      });
    }
    const kept = await service.context.live.history.all(id);
    expect(kept.map((text) => JSON.parse(text).data.profileid)).toEqual([0]);
  });

  it("exports a member's updates, and deletes them with the member", async () => {
    const id = member();
    const last = await away(id, 11, 12);
    const internal = (path: string) =>
      fetch(new URL(path, service.url), {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          Authorization: serviceAuthorization({ from: 'profile', to: 'updates' }),
        },
        body: JSON.stringify({ id, member_id: '0190a000-0000-7000-8000-000000000001' }),
      });
    const exported = (await (await internal('/internal/members/export')).json()) as {
      live_updates: object[];
    };
    expect(exported.live_updates).toMatchObject([
      { type: 'like', data: { profileid: 11 } },
      { type: 'like', data: { profileid: 12 } },
    ]);
    for (let time = 0; time < 2; time += 1)
      expect((await internal('/internal/members/erase')).status).toBe(200);
    const { head, stream } = memberKeys(namespace, id);
    expect(await redis.exists(head, stream)).toBe(0);
    const back = await connectMember(service, tokens, id, last);
    await back.waitFor('reset', 1);
    expect(likers(back)).toEqual([]);
    back.socket.close();
  });
});
