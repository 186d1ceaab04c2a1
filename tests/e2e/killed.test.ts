import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startStackUnderTest, type StackUnderTest } from '@covalence/testing/stack-under-test';
import { until } from '@covalence/testing/until';
import { as, male, registerMember, type TestMember } from './support/members.ts';
import { restoreCases } from './support/restore-cases.ts';
import { openSocket, type LiveSocket } from './support/socket.ts';

/** The members whose likes a socket received, in frame order. */
const toldLikes = (socket: LiveSocket) =>
  socket.frames.filter(({ type }) => type === 'like').map(({ data }) => data['profileid']);

// Starting engines takes half a minute, so all cases share them.
let stack: StackUnderTest;
beforeAll(async () => {
  stack = await startStackUnderTest({ engines: 'own', env: { ERASURE_POLL_MS: '1000' } });
}, 180_000);
afterAll(() => stack?.stop());

describe('services killed with SIGKILL', () => {
  let target: TestMember;
  let likers: TestMember[];
  let writers: Record<'redis' | 'rabbitmq', TestMember>;

  // Before the first kill: nobody registers while Redis is away.
  beforeAll(async () => {
    const member = () => registerMember(stack.url, stack.demo, male);
    target = await registerMember(stack.url, stack.demo);
    likers = await Promise.all(Array.from({ length: 5 }, member));
    writers = { redis: await member(), rabbitmq: await member() };
  });

  const like = async (liker: TestMember | undefined) => {
    if (!liker) throw new Error('no such liker');
    await as(stack.url, liker).post('/like', { profileid: target.id }).expect(200);
    return liker.id;
  };

  it('profile, right after its answers: everything accepted is stored and notified once', async () => {
    const socket = await openSocket(stack.url, target.tokens.access_token);
    const [first, second] = await Promise.all([like(likers[0]), like(likers[1])]);
    stack.service('profile').kill('SIGKILL');
    await stack.service('profile').restart();
    await socket.next('like', ({ data }) => data['profileid'] === first, 30_000);
    await socket.next('like', ({ data }) => data['profileid'] === second, 30_000);
    expect(toldLikes(socket)).toHaveLength(2);
    const { body } = await as(stack.url, target).post('/members/self/activity/reset/connections').expect(200);
    expect(body).toMatchObject({ likedme_total: 2 });
    socket.close();
  });

  it('updates: what happened meanwhile comes after a resume, in order, none twice', async () => {
    const before = await openSocket(stack.url, target.tokens.access_token);
    const last = before.frames.at(-1)?.id ?? '';
    stack.service('updates').kill('SIGKILL');
    const missed = await like(likers[2]);
    await stack.service('updates').restart();
    // The first like may arrive live; after it the second can only arrive by the resume.
    const first = await openSocket(stack.url, target.tokens.access_token, { resume: last });
    await first.next('like', ({ data }) => data['profileid'] === missed, 30_000);
    first.close();
    const after = await openSocket(stack.url, target.tokens.access_token, { resume: last });
    await after.next('like', ({ data }) => data['profileid'] === missed, 30_000);
    const next = await like(likers[3]);
    await after.next('like', ({ data }) => data['profileid'] === next);
    expect(toldLikes(after)).toEqual([missed, next]);
    expect(after.frames.map(({ type }) => type)).not.toContain('reset');
    after.close();
  });

  it('Redis: writes continue, and an open socket receives updates after the restart', async () => {
    const socket = await openSocket(stack.url, target.tokens.access_token);
    stack.engine('redis').kill('SIGKILL');
    const meanwhile = await like(likers[4]);
    await stack.engine('redis').restart();
    await socket.next('like', ({ data }) => data['profileid'] === meanwhile, 30_000);
    expect(toldLikes(socket)).toEqual([meanwhile]);
    socket.close();
  });

  it.each(['redis', 'rabbitmq'] as const)(
    '%s, under load: every message that was answered arrives once and in order, over a resume',
    async (engine) => {
      const writer = writers[engine];
      await as(stack.url, target).post('/like', { profileid: writer.id }).expect(200);
      await as(stack.url, writer).post('/like', { profileid: target.id }).expect(200);
      const before = await openSocket(stack.url, target.tokens.access_token);
      const answered: string[] = [];
      const write = async (number: number) => {
        const text = { profileid: target.id, text: 'Hello', client_message_id: `${engine}-${number}` };
        const { status, body } = await as(stack.url, writer).post('/messages', text);
        if (status === 200) answered.push(String(body.id));
      };
      for (let number = 0; number < 60; number += 1) {
        await write(number);
        if (number === 20) stack.engine(engine).kill('SIGKILL');
      }
      await stack.engine(engine).restart();
      for (let number = 60; number < 70; number += 1) await write(number);
      expect(answered.length).toBeGreaterThan(50);
      before.close();
      // Frames may arrive until the close is acknowledged.
      await before.closed;
      const resume = before.frames.at(-1)?.id ?? '';
      // A client retries after 1013, which it may receive while the engine restarts.
      const after = await until(
        'a socket again',
        () => openSocket(stack.url, target.tokens.access_token, { resume }).catch(() => undefined),
        20_000,
      );
      const frames = () =>
        [...before.frames, ...after.frames].filter(
          ({ type, data }) => type === 'message' && data['profileid'] === writer.id,
        );
      await until('all of them', () => frames().length >= answered.length, 40_000);
      const told = frames().map(({ data }) => String(data['messageid']));
      expect(told.toSorted()).toEqual(answered.toSorted());
      expect(new Set(frames().map(({ id }) => id)).size).toBe(answered.length);
      const numbers = frames().map(({ id }) => Number(id.split('-')[1]));
      expect(numbers).toEqual(numbers.toSorted((one, other) => one - other));
      expect(after.frames.map(({ type }) => type)).not.toContain('reset');
      after.close();
      // A device that was offline during the kill receives the rest by its resume alone.
      const [tenth] = frames().slice(9);
      const device = await openSocket(stack.url, target.tokens.access_token, { resume: tenth?.id ?? '' });
      await device.next('message', ({ data }) => data['messageid'] === told.at(-1));
      const heard = device.frames.filter(({ type }) => type === 'message');
      expect(heard.map(({ data }) => data['messageid'])).toEqual(told.slice(10));
      device.close();
    },
    90_000,
  );

  it('MongoDB: answers 503 with Retry-After, then keeps every accepted write', async () => {
    stack.engine('mongodb').kill('SIGKILL');
    const refused = await as(stack.url, target).get('/users/self').timeout(15_000);
    expect(refused.status).toBe(503);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    await stack.engine('mongodb').restart();
    const counted = await until(
      'the members are back',
      async () => {
        const answer = await as(stack.url, target).post('/members/self/activity/reset/likedme');
        return answer.status === 200 && answer;
      },
      30_000,
    );
    expect(counted.body).toMatchObject({ likedme_total: likers.length });
  });
});

const outageMs = 30_000;
/** Delay between the two outages, ms. */
const apartMs = 10_000;
const registrations = 12;
/** Members of a separate group of sites, so that searches find nobody else. */
const siteid = 3;

/** Start of each outage in ms after the first write: one engine, both, then the other alone. */
const outages = [
  ['rabbitmq', 0],
  ['elasticsearch', apartMs],
] as const;
const lastMs = apartMs + outageMs;

const at = (moment: number) => until('the moment has come', () => Date.now() >= moment, lastMs);

/** Stops each engine for its outage. */
const outagesOf = (start: number) =>
  outages.map(async ([engine, from]) => {
    await at(start + from);
    stack.engine(engine).kill('SIGKILL');
    await at(start + from + outageMs);
    await stack.engine(engine).restart();
  });

/** Members register and like the target during the outages. Every write must be accepted. */
async function writeThroughout(target: TestMember, start: number): Promise<TestMember[]> {
  const members: TestMember[] = [];
  while (members.length < registrations) {
    await at(start + (members.length * lastMs) / registrations);
    const member = await registerMember(stack.url, stack.demo, { ...male, siteid });
    await as(stack.url, member).post('/like', { profileid: target.id }).expect(200);
    members.push(member);
  }
  return members;
}

describe('RabbitMQ and Elasticsearch stop for 30 s each during writes', () => {
  it('accepts every write, and delivers all of them to sockets and index afterwards', async () => {
    const target = await registerMember(stack.url, stack.demo, { siteid });
    const socket = await openSocket(stack.url, target.tokens.access_token);
    const start = Date.now();
    const [members] = await Promise.all([writeThroughout(target, start), ...outagesOf(start)]);

    for (const { id } of members) {
      await socket.next('like', (frame) => frame.data['profileid'] === id, 60_000);
    }
    const told = socket.frames.filter(({ type }) => type === 'like').map(({ data }) => data['profileid']);
    expect(told).toHaveLength(members.length);
    expect(new Set(told)).toEqual(new Set(members.map(({ id }) => id)));

    const search = as(stack.url, target);
    await until(
      'the index has everybody',
      async () => {
        const { body } = await search.post('/searches', { age: { from: 18, to: 99 } });
        return body.totalmatches === members.length;
      },
      60_000,
    );
    socket.close();
  }, 180_000);
});

restoreCases(() => stack);
