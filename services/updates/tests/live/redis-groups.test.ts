import { startRedisGroup, type RedisGroup } from '@covalence/testing/redis-group';
import { testNamespace } from '@covalence/testing/test-stores';
import { createTestTokens, type TestTokens } from '@covalence/testing/test-tokens';
import { until } from '@covalence/testing/until';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  connectMember,
  startProcess,
  startPublisher,
  type TestClient,
  type TestProcess,
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
  let processes: [TestProcess, TestProcess];

  beforeAll(async () => {
    [group, tokens, publisher] = await Promise.all([
      startRedisGroup(form),
      createTestTokens(),
      startPublisher(namespace),
    ]);
    const start = () => startProcess(namespace, tokens, { environment: { REDIS_URL: group.url } });
    processes = await Promise.all([start(), start()]);
  }, 90_000);
  afterAll(async () => {
    await publisher?.close();
    for (const one of processes ?? []) await one.close();
    await group?.stop();
  });

  const like = (actors: readonly number[], other = member) =>
    Promise.all(actors.map((actor) => publisher.publish('pair.liked', actor, other)));

  it('reach the sockets of members on every server, at every process', async () => {
    const members = Array.from({ length: 12 }, (_none, index) => 100 + index);
    const clients = await Promise.all(
      members.map((id) => connectMember(id % 2 ? processes[0] : processes[1], tokens, id)),
    );
    await Promise.all(members.map((id) => like([1], id)));
    await Promise.all(clients.map((client) => received(client, 1)));
    expect(clients.flatMap(likers)).toEqual(members.map(() => 1));
    for (const { socket } of clients) socket.close();
    const { channels } = processes[0].context.live;
    await until('the subscriptions to end', async () => !(await channels.hasListener(members[0] ?? 0)));
  }, 60_000);
});
