import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startStackUnderTest, type StackUnderTest } from '@covalence/testing/stack-under-test';
import { until } from '@covalence/testing/until';
import request from 'supertest';
import { as, registerMember, type TestMember } from './support/members.ts';
import { signIn, tokensFor } from './support/sign-in.ts';
import { openSocket } from './support/socket.ts';
import { startTraceCollector, type TraceCollector } from './support/trace-collector.ts';

interface Found {
  readonly id: number;
  readonly relevance: number;
  readonly exactmatch: boolean;
  readonly distance: number | null;
}

describe('the main journey, through the gateway only', () => {
  let stack: StackUnderTest;
  let nora: TestMember;
  let tom: TestMember;
  let collector: TraceCollector;

  const ask = (etag = '') => request(stack.url).get('/questions?siteid=1').set('If-None-Match', etag);

  beforeAll(async () => {
    collector = await startTraceCollector();
    stack = await startStackUnderTest({ members: 0, env: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url } });
  }, 120_000);
  afterAll(async () => {
    await stack?.stop();
    collector.close();
  });

  it('tells what a member can fill in, and 304 whoever has it already', async () => {
    const { body, headers } = await ask().expect(200);
    expect(headers).toMatchObject({
      etag: expect.stringMatching(/^"/),
      'cache-control': 'private, no-cache',
    });
    const smoking = (body.questions as { name: string; values?: { value: unknown }[] }[]).find(
      ({ name }) => name === 'smoking',
    );
    expect(smoking?.values?.map(({ value }) => value)).toEqual([10, 20, 30, 40]);
    const again = await ask(headers['etag']).expect(304);
    expect(again.text).toBe('');
    expect(again.headers['etag']).toBe(headers['etag']);
    await ask('"another"').expect(200);
  });

  it.each([
    [{ zip: '78701' }, { city: 'Austin', state: 'Texas', latitude: expect.closeTo(30.27, 1) }],
    [{ city: 'Boston' }, { state: 'Massachusetts', longitude: expect.closeTo(-71.06, 1) }],
    [
      { country: undefined, latitude: 48.137, longitude: 11.575 },
      { city: 'Munich', state: 'Bavaria', country: 'DE' },
    ],
  ])('completes the place of a registration with %j', async (given, expected) => {
    const nowhere = {
      city: undefined,
      state: undefined,
      zip: undefined,
      latitude: undefined,
      longitude: undefined,
    };
    const { record } = await registerMember(stack.url, stack.demo, { ...nowhere, ...given });
    expect(record).toMatchObject(expected);
  });

  it('registers two members; each code gives tokens and the self record', async () => {
    nora = await registerMember(stack.url, stack.demo, { smoking: 10, height: 168 });
    tom = await registerMember(stack.url, stack.demo, {
      gender: 'Male',
      genderpreference: 'Female',
      dateofbirth: '09/02/1988',
      latitude: 40.9,
      longitude: -96.7,
      smoking: 20,
      height: 182,
    });
    expect(nora.record).toMatchObject({ username: nora.username, gender: 'Female', userstatus: 'approved' });
    expect(nora.tokens).toEqual({
      access_token: expect.any(String),
      refresh_token: expect.any(String),
      expires_in: 1800,
    });
    const self = await as(stack.url, tom).get('/users/self').expect(200);
    expect(self.body).toMatchObject({ id: tom.id, email: expect.stringContaining('@mail.example') });
  });

  it('signs in on the hosted pages and returns the state unchanged', async () => {
    const back = await signIn(stack.url, stack.demo, nora.username, nora.password, {
      siteid: '1',
      state: 'a/b c+d&e=f',
    });
    expect(back.get('state')).toBe('a/b c+d&e=f');
    const tokens = await tokensFor(stack.url, stack.demo, back.get('code') ?? '');
    await as(stack.url, { tokens }).get('/users/self').expect(200);
  });

  it('finds the right people with distance, relevance and exactmatch', async () => {
    const { post } = as(stack.url, nora);
    const found = await until('tom in the results', async () => {
      const { body } = await post('/searches', { age: { from: 30, to: 45 }, smoking: { values: [10, 20] } });
      return (body.users as Found[]).find(({ id }) => id === tom.id);
    });
    expect(found).toMatchObject({ relevance: 1, exactmatch: true, distance: 8 });

    const near = await post('/searches', {
      age: { from: 30, to: 45 },
      smoking: { value: 30 },
      height: { from: 175, to: 190 },
    }).expect(200);
    const partly = (near.body.users as Found[]).find(({ id }) => id === tom.id);
    expect(partly?.exactmatch).toBe(false);
    expect(partly?.relevance).toBeGreaterThan(0);
    expect(partly?.relevance).toBeLessThan(1);

    const younger = await post('/searches', { age: { from: 18, to: 25 } }).expect(200);
    expect((younger.body.users as Found[]).map(({ id }) => id)).not.toContain(tom.id);
  });

  it('tells the other of a like, both of a mutual one, and counts', async () => {
    const [ofNora, ofTom] = await Promise.all([
      openSocket(stack.url, nora.tokens.access_token),
      openSocket(stack.url, tom.tokens.access_token),
    ]);
    const found = async (control = {}) => {
      const { body } = await as(stack.url, nora).post('/searches', { age: { from: 30, to: 45 }, ...control });
      return (body.users as Found[]).some(({ id }) => id === tom.id);
    };
    expect(await found()).toBe(true);
    await as(stack.url, nora).post('/like', { profileid: tom.id }).expect(200);
    // What she just did counts in her very next search (D30).
    expect([await found(), await found({ exclude: 'none' })]).toEqual([false, true]);
    const like = await ofTom.next('like');
    expect(like.data).toMatchObject({ profileid: nora.id });

    const counted = await as(stack.url, tom).post('/like', { profileid: nora.id }).expect(200);
    expect(counted.body).toMatchObject({
      connections_since_reset: 1,
      connections_total: 1,
      likedme_total: 0,
    });
    await Promise.all([ofNora.next('mutual'), ofTom.next('mutual')]);

    const seen = await as(stack.url, nora).get(`/users/${tom.id}`).expect(200);
    expect(seen.body).toMatchObject({ id: tom.id, covalence: 'mutual' });
    const reset = await as(stack.url, nora).post('/members/self/activity/reset/connections').expect(200);
    expect(reset.body).toMatchObject({ connections_since_reset: 0, connections_total: 1 });
    ofNora.close();
    ofTom.close();
  });

  it('can be followed: one trace from the gateway through the event to the live update', async () => {
    const { spans } = collector;
    const like = await until('the like in the traces', () =>
      spans.find(({ part, name }) => part === 'gateway' && name === 'POST /like'),
    );
    expect(like.parentSpanId ?? '').toBe('');
    const ofLike = await until('all of its spans', () => {
      const found = spans.filter(({ traceId }) => traceId === like.traceId);
      return found.some(({ part }) => part === 'updates') && found.length >= 3 ? found : undefined;
    });
    const [handled, told] = ['profile', 'updates'].map((name) => ofLike.find(({ part }) => part === name));
    expect(handled).toMatchObject({ name: 'POST /like', parentSpanId: like.spanId });
    expect(told).toMatchObject({ name: 'process updates.live', parentSpanId: handled?.spanId });
    const calls = () =>
      spans.filter(({ part, name }) => part === 'profile' && name === 'POST /internal/accounts/reserve');
    const [call, answer] = await until('a call of another service', () =>
      calls()
        .map((one) => [one, spans.find(({ parentSpanId }) => parentSpanId === one.spanId)] as const)
        .find(([, other]) => other),
    );
    expect(answer).toMatchObject({ part: 'auth', name: call.name, traceId: call.traceId });
    expect(spans.filter(({ name }) => name.includes(String(tom.id)))).toEqual([]);
  });

  it('lists packages', async () => {
    const { body } = await as(stack.url, nora).get('/packages').expect(200);
    expect(body.can_purchase).toBe(true);
    expect(new Set(body.packages.map((one: { days: number }) => one.days))).toEqual(
      new Set([30, 90, 180, 365]),
    );
  });

  it('stops a deactivated member at once', async () => {
    await as(stack.url, tom).post('/members/self', { deactivated: true }).expect(200, {});
    const refused = await as(stack.url, tom).get('/users/self').expect(403);
    expect(refused.body).toEqual({ fail: 'Deactivated' });
  });
});
