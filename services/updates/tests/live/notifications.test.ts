import { propagation, trace } from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { testNamespace, testStores } from '@covalence/testing/test-stores';
import { createTestTokens, type TestTokens } from '@covalence/testing/test-tokens';
import { until } from '@covalence/testing/until';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import { memberKeys } from '../../src/live/member-keys.ts';
import {
  connectMember,
  startService,
  startPublisher,
  type ServiceUnderTest,
  type TestPublisher,
} from '../harness.ts';

describe('notifications', () => {
  const namespace = testNamespace('told');
  let tokens: TestTokens;
  let one: ServiceUnderTest;
  let two: ServiceUnderTest;
  let publisher: TestPublisher;
  let redis: Redis;
  const search = '9b2c1f8e-54a4-4f0b-8f0e-3a8d2f6c7b11';
  let nextMember = 100;
  const member = () => (nextMember += 1);

  beforeAll(async () => {
    tokens = await createTestTokens();
    redis = new Redis(testStores().REDIS_URL);
    one = await startService('told', { namespace, tokens });
    two = await startService('told', { namespace, tokens });
    publisher = await startPublisher(namespace);
  });
  afterAll(async () => {
    await publisher.close();
    await Promise.all([one.close(), two.close()]);
    redis.disconnect();
  });

  it.each([
    ['pair.liked', 'like'],
    ['pair.mutual', 'mutual'],
    ['pair.declined', 'decline'],
    ['pair.viewed', 'view'],
    ['pair.shared', 'photo'],
  ] as const)('%s sends the other one %s, with ids only', async (event, type) => {
    const [actor, other] = [member(), member()];
    const told = await connectMember(one, tokens, other);
    const actorSocket = await connectMember(one, tokens, actor);
    await publisher.publish(event, actor, other);
    const [frame] = await told.waitFor(type);
    expect(frame?.data).toEqual({ profileid: actor });
    expect(told.frames.map((found) => found.type)).toEqual(['ready', type]);
    expect(actorSocket.frames.map((found) => found.type)).toEqual(['ready']);
  });

  it('search.matched sends the searcher match, with the member and the search', async () => {
    const [searcher, fitting] = [member(), member()];
    const told = await connectMember(one, tokens, searcher);
    await publisher.matched(searcher, fitting, search);
    const [frame] = await told.waitFor('match');
    expect(frame?.data).toEqual({ profileid: fitting, searchid: search });
  });

  it('moderation.warned sends the member fraud_warning, with the banned one, who receives nothing', async () => {
    const [warned, banned] = [member(), member()];
    const told = await connectMember(one, tokens, warned);
    const bannedSocket = await connectMember(one, tokens, banned);
    await publisher.publish('moderation.warned', warned, banned);
    const [frame] = await told.waitFor('fraud_warning');
    expect(frame?.data).toEqual({ profileid: banned });
    expect(bannedSocket.frames.map((found) => found.type)).toEqual(['ready']);
  });

  it('are a span of the trace of their event, on each process that delivers', async () => {
    const exporter = new InMemorySpanExporter();
    propagation.setGlobalPropagator(new W3CTraceContextPropagator());
    const spanProcessors = [new SimpleSpanProcessor({ exporter })];
    trace.setGlobalTracerProvider(new TracerProvider({ spanProcessors }));
    try {
      const [actor, other] = [member(), member()];
      const sockets = await Promise.all([one, one, two].map((each) => connectMember(each, tokens, other)));
      const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
      await publisher.publish('pair.liked', actor, other, { traceparent });
      await publisher.publish('pair.viewed', actor, other, { traceparent: traceparent.replace(/1$/, '0') });
      for (const socket of sockets) expect((await socket.waitFor('view')).length).toBe(1);
      const sent = exporter.getFinishedSpans().filter(({ name }) => name === 'send /ws/updates');
      const places = sent.map((span) => [span.spanContext().traceId, span.parentSpanContext?.spanId]);
      const [, traceId, spanId] = traceparent.split('-');
      expect(places).toEqual([
        [traceId, spanId],
        [traceId, spanId],
      ]);
      const counts = sent.map(({ attributes }) => attributes['covalence.sockets']);
      expect(counts.map(Number).toSorted((a, b) => a - b)).toEqual([1, 2]);
      expect(sockets.map(({ frames }) => frames.map(({ type }) => type))).toEqual(
        sockets.map(() => ['ready', 'like', 'view']),
      );
    } finally {
      trace.disable();
      propagation.disable();
    }
  });

  it('photo.changed sends the owner photo', async () => {
    const owner = member();
    const told = await connectMember(one, tokens, owner);
    await publisher.photoApproved(owner, 12);
    const [frame] = await told.waitFor('photo');
    expect(frame?.data).toEqual({ photoid: 12, status: 'approved', primary: true });
  });

  it('membership.changed sends the member membership, as in the record', async () => {
    const id = member();
    const told = await connectMember(one, tokens, id);
    const expires_at = '2030-01-02T03:04:05.000Z';
    await publisher.membership(id, { status: 'active', autorenew: true, expires_at });
    await publisher.membership(id, { status: 'none', autorenew: false, expires_at: null });
    const frames = await told.waitFor('membership', 2);
    expect(frames.map(({ data }) => data)).toEqual([
      { membership_status: 'active', autorenew: true, expirationdate: expires_at },
      { membership_status: 'none', autorenew: false, expirationdate: null },
    ]);
  });

  it.each([
    [
      { subject: 'text', decision: 'rejected', field: 'headline' },
      { subject: 'text', decision: 'rejected', field: 'headline' },
    ],
    [
      { subject: 'photo', decision: 'approved', photo: 12 },
      { subject: 'photo', decision: 'approved', photoid: 12 },
    ],
    [
      { subject: 'profile', decision: 'approved' },
      { subject: 'profile', decision: 'approved' },
    ],
  ] as const)('a decision of Customer Service sends the member moderation: %j', async (event, data) => {
    const id = member();
    const told = await connectMember(one, tokens, id);
    await publisher.decided(id, event);
    const [frame] = await told.waitFor('moderation');
    expect(frame?.data).toEqual(data);
  });

  it('counters.changed sends the member, on every device, the current counters', async () => {
    const id = member();
    const devices = await Promise.all([one, two].map((process) => connectMember(process, tokens, id)));
    const counters = {
      connections_since_reset: 1,
      connections_total: 4,
      likedme_since_reset: 0,
      likedme_total: 2,
      views_since_reset: 12,
      views_total: 96,
    };
    await publisher.counters(id, counters);
    for (const device of devices) {
      const [frame] = await device.waitFor('counters');
      expect(frame?.data).toEqual(counters);
    }
  });

  it('message.sent sends the recipient the id of the message', async () => {
    const [actor, other] = [member(), member()];
    const told = await connectMember(one, tokens, other);
    const message = await publisher.message(actor, other);
    const [frame] = await told.waitFor('message');
    expect(frame?.data).toEqual({ profileid: actor, messageid: message });
  });

  it('reach every socket of a member on every process once and in order', async () => {
    const other = member();
    const sockets = await Promise.all([
      connectMember(one, tokens, other),
      connectMember(one, tokens, other),
      connectMember(two, tokens, other),
    ]);
    const actors = Array.from({ length: 60 }, (_none, index) => 10_000 + index);
    await Promise.all(actors.map((actor) => publisher.publish('pair.liked', actor, other)));
    for (const socket of sockets) await socket.waitFor('like', actors.length);
    const [first, ...others] = sockets.map(({ frames }) => frames.filter(({ type }) => type === 'like'));
    expect(new Set(first?.map(({ data }) => data['profileid']))).toEqual(new Set(actors));
    const numbers = first?.map(({ id }) => Number(id.split('-')[1])) ?? [];
    expect(numbers).toEqual(Array.from({ length: actors.length }, (_none, index) => index + 1));
    for (const frames of others) expect(frames).toEqual(first);
  });

  it('sends a repeated event once', async () => {
    const other = member();
    const socket = await connectMember(two, tokens, other);
    const id = await publisher.publish('pair.liked', 7, other);
    await publisher.again(id, 'pair.liked', 7, other);
    await publisher.again(id, 'pair.liked', 7, other);
    await publisher.publish('pair.mutual', 7, other);
    await socket.waitFor('mutual');
    expect(socket.frames.map(({ type }) => type)).toEqual(['ready', 'like', 'mutual']);
  });

  it('are read from the history when one was lost on the channel', async () => {
    const other = member();
    const socket = await connectMember(one, tokens, other);
    const keys = memberKeys(namespace, other);
    // Appended as by another process, but never published.
    await redis.hincrby(keys.head, 'number', 1);
    const lost = { type: 'view', at: new Date().toISOString(), data: { profileid: 5 } };
    await redis.hset(keys.head, 'tag', 'aaaaaaaa');
    await redis.xadd(keys.stream, '1-0', 'm', JSON.stringify(lost), 't', 'aaaaaaaa', 'e', 'lost');
    await publisher.publish('pair.liked', 6, other);
    await socket.waitFor('like');
    expect(socket.frames.map(({ type, data }) => [type, data['profileid']])).toEqual([
      ['ready', undefined],
      ['view', 5],
      ['like', 6],
    ]);
  });

  it('are not lost when the connection to Redis breaks', async () => {
    const other = member();
    const socket = await connectMember(one, tokens, other);
    await publisher.publish('pair.viewed', 1, other);
    await socket.waitFor('view');
    const keys = memberKeys(namespace, other);
    const { subscribed } = await withoutSubscribers(redis, async () => {
      await redis.hincrby(keys.head, 'number', 1);
      const missed = { type: 'decline', at: new Date().toISOString(), data: { profileid: 2 } };
      await redis.hset(keys.head, 'tag', 'aaaaaaaa');
      await redis.xadd(keys.stream, '2-0', 'm', JSON.stringify(missed), 't', 'aaaaaaaa', 'e', 'missed');
    });
    expect(subscribed).toBeGreaterThan(0);
    await socket.waitFor('decline');
    await until('subscribed again', async () => {
      const [, count] = (await redis.pubsub('NUMSUB', keys.channel)) as [string, number];
      return count > 0;
    });
    await publisher.publish('pair.liked', 3, other);
    await socket.waitFor('like');
    expect(socket.frames.map(({ type }) => type)).toEqual(['ready', 'view', 'decline', 'like']);
  });

  it('counts an open socket as present and its member as seen', async () => {
    const id = member();
    const before = Date.now();
    await connectMember(one, tokens, id);
    expect(Number(await redis.zscore(`${namespace}:present`, id))).toBeGreaterThan(before + 60_000);
    expect(Number(await redis.zscore(`${namespace}:seen`, id))).toBeGreaterThanOrEqual(before);
  });
});

/** Kills every subscribed connection, then does `work`; returns the number of connections. */
async function withoutSubscribers(redis: Redis, work: () => Promise<void>): Promise<{ subscribed: number }> {
  const subscribed = Number(await redis.call('CLIENT', 'KILL', 'TYPE', 'pubsub'));
  await work();
  return { subscribed };
}
