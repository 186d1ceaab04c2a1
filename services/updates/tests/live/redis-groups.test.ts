import { redisKeys } from '@covalence/contract/redis-keys';
import { startRedisGroup, type RedisGroup } from '@covalence/testing/redis-group';
import { testNamespace } from '@covalence/testing/test-stores';
import { createTestTokens, type TestTokens } from '@covalence/testing/test-tokens';
import { until } from '@covalence/testing/until';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  connectMember,
  startService,
  startPublisher,
  type TestClient,
  type ServiceUnderTest,
  type TestPublisher,
} from '../harness.ts';

const member = 7;
const failoverMs = 40_000;

const likers = ({ frames }: TestClient): number[] =>
  frames.filter(({ type }) => type === 'like').map(({ data }) => Number(data['profileid']));

const received = (client: TestClient, count: number) =>
  until(`${count} likes`, () => likers(client).length >= count, failoverMs);

describe.each(['cluster', 'sentinel'] as const)('live updates on several Redis servers (%s)', (form) => {
  const namespace = testNamespace(form);
  let group: RedisGroup;
  let tokens: TestTokens;
  let publisher: TestPublisher;
  let process: ServiceUnderTest;

  beforeAll(async () => {
    [group, tokens, publisher] = await Promise.all([
      startRedisGroup(form),
      createTestTokens(),
      startPublisher(namespace),
    ]);
    process = await start();
  });
  afterAll(async () => {
    await publisher?.close();
    await process?.close();
    await group?.stop();
  });

  const start = () => startService(form, { namespace, tokens, environment: { REDIS_URL: group.url } });
  const like = (actors: readonly number[], other = member) =>
    Promise.all(actors.map((actor) => publisher.publish('pair.liked', actor, other)));

  it('reach the sockets of members on every server, at every process', async () => {
    const other = await start();
    const members = Array.from({ length: 12 }, (_none, index) => 100 + index);
    const clients = await Promise.all(
      members.map((id) => connectMember(id % 2 ? process : other, tokens, id)),
    );
    await Promise.all(members.map((id) => like([1], id)));
    await Promise.all(clients.map((client) => received(client, 1)));
    expect(clients.flatMap(likers)).toEqual(members.map(() => 1));
    for (const { socket } of clients) socket.close();
    const { channels } = process.context.live;
    await until('the subscriptions to end', async () => !(await channels.hasListener(members[0] ?? 0)));
    await other.close();
  });

  it('go on while the server that has the last ones answers, but is cut off from the others', async () => {
    const other = 8;
    const client = await connectMember(process, tokens, other);
    await like([1, 2, 3], other);
    await received(client, 3);
    await group.cutOff(redisKeys.live(namespace, other), async () => {
      await like([4, 5, 6], other);
      await received(client, 6);
    });
    await like([7, 8, 9], other);
    await received(client, 9);
    expect(likers(client).toSorted((one, next) => one - next)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(client.frames.map(({ type }) => type)).not.toContain('reset');
    client.socket.close();
  });

  it('are neither lost nor repeated, and keep their order, when the only server dies that has the last ones', async () => {
    const other = await start();
    const client = await connectMember(process, tokens, member);
    await like([1, 2, 3]);
    await received(client, 3);
    const first = client.frames.find(({ type }) => type === 'like')?.id;
    // Both processes take some of them.
    await group.failOver(redisKeys.live(namespace, member), async () => {
      await like([4, 5, 6, 7, 8, 9]);
      await received(client, 9);
    });
    const { history } = process.context.live;
    await until('both to write again', async () => (await history.all(member)).length === 9, failoverMs);
    await like([10, 11, 12]);
    await received(client, 12);
    expect(likers(client).toSorted((one, next) => one - next)).toEqual([
      1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12,
    ]);
    expect(client.frames.map(({ type }) => type)).not.toContain('reset');
    const resumed = await connectMember(other, tokens, member, first);
    await received(resumed, 11);
    expect(likers(resumed)).toEqual(likers(client).slice(1));
    for (const { socket } of [client, resumed]) socket.close();
    await other.close();
  });
});
