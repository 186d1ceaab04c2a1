import { redisKeys } from '@covalence/contract/redis-keys';
import { testNamespace, testStores } from '@covalence/testing/test-stores';
import { createTestTokens, type TestTokens } from '@covalence/testing/test-tokens';
import { until } from '@covalence/testing/until';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import { createPresenceCheck } from '../../src/presence/watch-presence.ts';
import { beat } from '../../src/sockets/heartbeat.ts';
import { startFakeProfile } from '../fake-profile.ts';
import {
  connectMember,
  startService,
  startPublisher,
  type TestClient,
  type ServiceUnderTest,
  type TestPublisher,
} from '../harness.ts';

const minute = 60_000;

/** Milliseconds by which the clock of the processes is ahead. */
let ahead = 0;
const clock = () => new Date(Date.now() + ahead);

const check = (process: ServiceUnderTest) => createPresenceCheck(process.context).run();

const leave = async (client: TestClient) => {
  client.socket.close();
  await client.closed;
};

describe('presence', () => {
  const namespace = testNamespace('presence');
  let tokens: TestTokens;
  let redis: Redis;
  let profile: Awaited<ReturnType<typeof startFakeProfile>>;
  let one: ServiceUnderTest;
  let two: ServiceUnderTest;
  let publisher: TestPublisher;
  let nextMember = 1;
  const sockets: TestClient[] = [];

  beforeAll(async () => {
    tokens = await createTestTokens();
    redis = new Redis(testStores().REDIS_URL);
    profile = await startFakeProfile();
    const start = () =>
      startService('presence', {
        namespace,
        tokens,
        environment: { PROFILE_URL: profile.url },
        overrides: { clock },
      });
    [one, two] = await Promise.all([start(), start()]);
    publisher = await startPublisher(namespace);
  });
  afterAll(async () => {
    await publisher.close();
    await Promise.all([one.close(), two.close()]);
    redis.disconnect();
    profile.close();
  });
  afterEach(async () => {
    for (const { socket } of sockets.splice(0)) socket.terminate();
    await until(
      'all are gone',
      () => one.context.sockets.registry.size + two.context.sockets.registry.size === 0,
    );
    ahead = 0;
    const names = ['seen', 'present', 'presence:due', 'presence:shown', 'presence:lease'];
    await redis.del(...names.map((name) => `${namespace}:${name}`));
  });

  const connect = async (process: ServiceUnderTest, id: number) => {
    const client = await connectMember(process, tokens, id);
    sockets.push(client);
    return client;
  };
  /** A member, and a connected member with an open socket. */
  const pair = async (process = one) => {
    const [member, recipient] = [(nextMember += 1), (nextMember += 1)];
    profile.recipients.set(member, { shown: true, recipients: [recipient] });
    profile.recipients.set(recipient, { shown: true, recipients: [] });
    return { member, recipient, client: await connect(process, recipient) };
  };
  /** The presence frames of a client; earlier ones have arrived, because this one is sent after them. */
  const received = async (recipient: number, client: TestClient) => {
    const before = client.frames.filter(({ type }) => type === 'like').length;
    await publisher.publish('pair.liked', 999_999, recipient);
    await client.waitFor('like', before + 1);
    return client.frames.flatMap(({ type, data }) =>
      type === 'presence' ? [[data['profileid'], data['online']]] : [],
    );
  };
  /** Advances the clock; open sockets stay open. */
  const pass = async (ms: number) => {
    ahead += ms;
    await Promise.all([one, two].map(({ context }) => beat(context)));
  };

  it('notifies connections on any process once when a member comes online and once when they go offline', async () => {
    const { member, recipient, client } = await pair(two);
    const own = await connect(one, member);
    await check(one);
    await check(one);
    await check(one);
    expect(await received(recipient, client)).toEqual([[member, true]]);
    expect(own.frames.map(({ type }) => type)).toEqual(['ready']);
    await leave(own);
    await pass(minute);
    await check(one);
    expect(await received(recipient, client)).toEqual([[member, true]]);
    await pass(5 * minute);
    await check(one);
    await check(one);
    expect(await received(recipient, client)).toEqual([
      [member, true],
      [member, false],
    ]);
    expect(await redis.zscore(`${namespace}:presence:due`, member)).toBeNull();
  });

  it('does not flap when a member reconnects or another process takes over', async () => {
    const { member, recipient, client } = await pair();
    const first = await connect(one, member);
    await check(one);
    const second = await connect(two, member);
    await leave(first);
    await pass(6 * minute);
    await check(one);
    await leave(second);
    await pass(minute);
    await connect(one, member);
    await one.context.presence.release();
    await pass(6 * minute);
    await check(two);
    await check(two);
    expect(await received(recipient, client)).toEqual([[member, true]]);
  });

  it('skips a member for whom profile fails', async () => {
    const [broken, whole] = [await pair(), await pair()];
    profile.refused.set(broken.member, { status: 500, body: { fail: 'Internal Server Error' } });
    await connect(one, broken.member);
    await connect(one, whole.member);
    await check(one);
    expect(await received(whole.recipient, whole.client)).toEqual([[whole.member, true]]);
    const before = profile.presenceCalls.length;
    await check(one);
    expect(profile.presenceCalls).toHaveLength(before);
    profile.refused.clear();
    await one.context.presence.recheck([broken.member]);
    await check(one);
    expect(await received(broken.recipient, broken.client)).toEqual([[broken.member, true]]);
  });

  it('counts a call like a socket, and does not call profile while a member stays online', async () => {
    const { member, recipient, client } = await pair();
    await check(one);
    const seen = (at: number) => redis.zadd(redisKeys.seen(namespace), at, member);
    await seen(Date.now());
    await check(one);
    expect(await received(recipient, client)).toEqual([[member, true]]);
    const before = profile.presenceCalls.length;
    await seen(Date.now() + 4 * minute);
    await pass(6 * minute);
    await check(one);
    expect(profile.presenceCalls).toHaveLength(before);
    await pass(6 * minute);
    await check(one);
    expect(await received(recipient, client)).toEqual([
      [member, true],
      [member, false],
    ]);
  });

  it('is checked by one process at a time', async () => {
    const { member, recipient, client } = await pair();
    await connect(one, member);
    await check(one);
    const before = profile.presenceCalls.length;
    await connect(two, nextMember + 1);
    await check(two);
    expect(profile.presenceCalls).toHaveLength(before);
    expect(await received(recipient, client)).toEqual([[member, true]]);
  });

  it('reports a hidden member as offline once, then nothing', async () => {
    const { member, recipient, client } = await pair();
    profile.recipients.set(member, { shown: false, recipients: [recipient] });
    await connect(one, member);
    await check(one);
    expect(await received(recipient, client)).toEqual([]);
    const turn = async (shown: boolean) => {
      profile.recipients.set(member, { shown, recipients: [recipient] });
      await publisher.presenceChanged(member);
      await until('to be looked at', async () => {
        const due = await redis.zscore(`${namespace}:presence:due`, member);
        return due !== null && Number(due) < 0;
      });
      await check(one);
    };
    await turn(true);
    expect(await received(recipient, client)).toEqual([[member, true]]);
    await turn(false);
    await turn(false);
    const all = [
      [member, true],
      [member, false],
    ];
    expect(await received(recipient, client)).toEqual(all);
    await pass(10 * minute);
    await check(one);
    expect(await received(recipient, client)).toEqual(all);
  });

  it('notifies only the recipients that profile names, and deletes the presence of erased members', async () => {
    const { member, recipient, client } = await pair();
    const other = await connect(one, (nextMember += 1));
    await connect(one, member);
    profile.recipients.set(member, { shown: true, recipients: [nextMember] });
    await check(one);
    await other.waitFor('presence');
    expect(await received(recipient, client)).toEqual([]);
    profile.recipients.delete(member);
    await one.context.presence.recheck([member]);
    await check(one);
    expect(await redis.sismember(`${namespace}:presence:shown`, member)).toBe(0);
    expect(await redis.zscore(`${namespace}:presence:due`, member)).toBeNull();
  });

  it('catches up after profile was down', async () => {
    const { member, recipient, client } = await pair();
    await connect(one, member);
    const hidden = profile.calls.get('/internal/presence/recipients');
    profile.calls.delete('/internal/presence/recipients');
    await expect(check(one)).rejects.toThrow('/internal/presence/recipients');
    if (hidden) profile.calls.set('/internal/presence/recipients', hidden);
    await check(one);
    expect(await received(recipient, client)).toEqual([[member, true]]);
  });

  it('is sent in the background', async () => {
    const environment = { PROFILE_URL: profile.url, PRESENCE_EVERY_MS: '50' };
    const watching = await startService('presence', { namespace, tokens, environment, overrides: { clock } });
    try {
      const { member, client } = await pair();
      await connect(one, member);
      const [frame] = await client.waitFor('presence');
      expect(frame?.data).toEqual({ profileid: member, online: true });
    } finally {
      await watching.close();
    }
  });

  it('sends presence again after Redis lost its data', async () => {
    const { member, recipient, client } = await pair();
    await connect(one, member);
    await check(one);
    await redis.del(...['due', 'shown', 'turn'].map((name) => `${namespace}:presence:${name}`));
    await pass(6 * minute);
    await check(one);
    expect(await received(recipient, client)).toEqual([
      [member, true],
      [member, true],
    ]);
    expect(await redis.sismember(`${namespace}:presence:shown`, recipient)).toBe(1);
  });

  it('reports a member online again whose process had lost Redis', async () => {
    const { member, recipient, client } = await pair();
    await connect(one, member);
    const round = createPresenceCheck(one.context);
    await round.run();
    await round.run();
    ahead += 6 * minute;
    await round.run();
    await beat(one.context);
    await round.run();
    await round.run();
    expect(await received(recipient, client)).toEqual([
      [member, true],
      [member, false],
      [member, true],
    ]);
  });

  it('is in no history: a resume after its frame begins at the last stored message', async () => {
    const { member, recipient, client } = await pair();
    await publisher.publish('pair.viewed', 999_999, recipient);
    const [view] = await client.waitFor('view');
    await connect(one, member);
    await check(one);
    const [frame] = await client.waitFor('presence');
    expect(frame?.id.startsWith(`${view?.id}-`)).toBe(true);
    await publisher.publish('pair.liked', 999_999, recipient);
    const [like] = await client.waitFor('like');
    const again = await connectMember(two, tokens, recipient, frame?.id);
    sockets.push(again);
    await again.waitFor('like');
    expect(again.frames.slice(1).map(({ id }) => id)).toEqual([like?.id]);
  });
});
