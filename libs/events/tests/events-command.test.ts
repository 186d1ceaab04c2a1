import type { Event } from '@covalence/contract/events';
import { testStores } from '@covalence/testing/test-stores';
import { until } from '@covalence/testing/until';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { PassThrough } from 'node:stream';
import { createProgram, runProgram } from '@covalence/runtime/command';
import { addEventsCommands } from '../src/events-command.ts';
import { createLease } from '../src/lease.ts';
import { deadExchangeOf, type QueueName } from '../src/topology.ts';
import { memberUpdated, membershipChanged, recorder, startBus, type Bus } from './harness.ts';

let bus: Bus;
beforeAll(async () => {
  bus = await startBus('events-command');
});
afterEach(async () => {
  await bus.dead('search.index');
  await bus.dead('profile.memberships');
  await bus.raw.purgeQueue(bus.queue('search.index'));
});
afterAll(() => bus.close());

const secret = 'ada@mail.example';

/** Adds dead letters as a consumer does. */
async function bury(queue: QueueName, contents: readonly (Event | string)[], error?: string): Promise<void> {
  const headers = error && { 'covalence-death': { at: new Date().toISOString(), error, tries: 5 } };
  for (const content of contents) {
    const text = typeof content === 'string' ? content : JSON.stringify(content);
    bus.raw.publish(deadExchangeOf(bus.namespace), bus.queue(queue), Buffer.from(text), {
      persistent: true,
      ...(typeof content !== 'string' && { messageId: content.id, type: content.type }),
      ...(headers && { headers }),
    });
  }
  const dead = `${bus.queue(queue)}.dead`;
  await until('all there', async () => (await bus.raw.checkQueue(dead)).messageCount === contents.length);
}

const writerTo = (lines: string[]) =>
  new PassThrough().on('data', (chunk: Buffer) => lines.push(String(chunk)));

/** Runs the command; an answer simulates a terminal. */
async function run(
  args: readonly string[],
  {
    answer,
    url,
    more,
    record = async () => Promise.resolve(),
  }: {
    answer?: string;
    url?: string;
    more?: NodeJS.ProcessEnv;
    record?: ((call: string, about: readonly string[]) => Promise<void>) | null;
  } = {},
) {
  const [out, err] = [[] as string[], [] as string[]];
  const input = Object.assign(new PassThrough(), { isTTY: answer !== undefined });
  if (answer !== undefined) input.write(`${answer}\n`);
  const streams = { stdout: writerTo(out), stderr: writerTo(err) };
  const program = createProgram('covalence', 'test', streams);
  addEventsCommands(program, {
    environment: () => ({
      RABBITMQ_URL: url ?? testStores().RABBITMQ_URL,
      NAMESPACE: bus.namespace,
      ...more,
    }),
    terminal: { input, output: streams.stderr },
    ...(record && { record }),
  });
  const code = await runProgram(program, ['events', ...args]);
  // Listeners receive the output in the next turn.
  await new Promise(setImmediate);
  return { code, out: out.join(''), err: err.join('') };
}

const json = async <Shape>(args: readonly string[]) =>
  JSON.parse((await run([...args, '--json'])).out) as Shape;
const deadIds = async () =>
  (await json<{ id: string }[]>(['show', '--queue', 'search.index'])).map(({ id }) => id);

const three = () => [1, 2, 3].map(memberUpdated) as [Event, Event, Event];

describe('covalence events', () => {
  it('declares the queues repeatedly, and reports failures', async () => {
    for (const _again of [1, 2]) {
      expect(await run(['declare'])).toEqual({
        code: 0,
        out: `Exchanges, queues and bindings of ${bus.namespace} are declared.\n`,
        err: '',
      });
    }
    const away = await run(['declare'], { url: 'amqp://127.0.0.1:9' });
    expect(away).toMatchObject({ code: 1, out: '' });
    expect(away.err).toMatch(/^RabbitMQ cannot declare the queues now: .*ECONNREFUSED.*\n$/);
  });

  it('lists count, age, types and errors of each queue', async () => {
    await bury('search.index', three(), 'TypeError: a defect');
    await bury('profile.memberships', [membershipChanged(1)]);
    const { code, out } = await run(['list']);
    expect(code).toBe(0);
    expect(out).toMatch(
      /^search\.index: 3, the oldest for \d+ s \(since 20.*Z\)\n {2}3 member\.updated, rejected: TypeError: a defect\nsearch\.usage: none\nupdates\.live: none\nupdates\.push: none\nprofile\.memberships: 1\n/,
    );
    const [first] = await json<object[]>(['list']);
    expect(first).toMatchObject({
      queue: 'search.index',
      waiting: 3,
      kinds: [{ type: 'member.updated', reason: 'rejected', error: 'TypeError: a defect', count: 3 }],
    });
  });

  it('shows a letter, and its content only with --payload', async () => {
    const [first, second] = three();
    const letter = Object.assign(second, { data: { text: secret } });
    await bury('search.index', [first, letter], 'TypeError: a defect');
    const { code, out } = await run(['show', second.id]);
    expect(code).toBe(0);
    expect(out).toContain(`${second.id}  member.updated  search.index`);
    expect(out).toMatch(/tries +5\n/);
    expect(out).toMatch(/member +2\n/);
    expect(out).toContain('data: { text: string }');
    expect(out).toContain('--payload');
    expect(out).not.toContain(first.id);
    expect(out).not.toContain(secret);
    expect((await run(['show', second.id, '--payload'])).out).toContain(secret);
    const [whole] = await json<object[]>(['show', second.id, '--payload']);
    expect(whole).toMatchObject({ id: second.id, payload: letter });
    expect(await run(['show', 'nobody'])).toMatchObject({ code: 1, out: 'None of these wait.\n' });
  });

  it('identifies a letter without event by its content, and prints no control characters', async () => {
    await bury('search.index', ['\u001b[2Jnot json']);
    const [id = ''] = await deadIds();
    expect(id).toMatch(/^no-id-[0-9a-f]{12}$/);
    const { out } = await run(['show', id, '--payload']);
    expect(out).toContain('not json');
    expect(out).not.toContain('\u001b');
    expect((await run(['drop', id, '--yes'])).out).toBe('search.index: 1 dropped\n');
  });

  it('replays by id to the original queue, and keeps the others', async () => {
    const events = three();
    const [first, second, third] = events;
    await bury('search.index', events);
    expect(await run(['replay', second.id, '--yes'])).toMatchObject({
      code: 0,
      out: 'search.index: 1 replayed\n',
    });
    const received = recorder();
    const consumer = bus.consume({ queue: 'search.index', handle: received.handle });
    await received.has([second]);
    await consumer.close();
    expect(received.events).toEqual([second]);
    expect(await deadIds()).toEqual([first.id, third.id]);
  });

  it('asks for confirmation, and does nothing without it', async () => {
    await bury('search.index', three());
    const refused = await run(['drop', '--queue', 'search.index'], { answer: 'n' });
    expect(refused).toMatchObject({ code: 1, out: 'Nothing was done.\n' });
    expect(refused.err).toContain('drop 3 of search.index? The index is outdated');
    expect(await run(['drop', '--all'])).toMatchObject({ code: 1, out: '' });
    expect(await deadIds()).toHaveLength(3);
    expect((await run(['drop', '--queue', 'search.index'], { answer: 'y' })).out).toContain('3 dropped');
    expect(await deadIds()).toHaveLength(0);
  });

  it('writes what it is about to replay or drop to the audit log, and does neither where it cannot', async () => {
    const events = three();
    const ids = events.map(({ id }) => id);
    await bury('search.index', events);
    for (const name of ['replay', 'drop'])
      expect(
        await run([name, '--all', '--yes'], { record: () => Promise.reject(new Error('no answer')) }),
      ).toMatchObject({
        code: 1,
        out: '',
        err: expect.stringContaining('no answer'),
      });
    expect(await deadIds()).toEqual(ids);
    const recorded: unknown[] = [];
    const record = async (call: string, about: readonly string[]) => {
      recorded.push([call, about, (await deadIds()).length]);
    };
    await run(['drop', '--all'], { record, answer: 'n' });
    await run(['replay', ids[1] ?? '', '--yes'], { record });
    await run(['drop', '--all', '--yes'], { record });
    expect(recorded).toEqual([
      ['POST /staff/operations/dead-letters/replay', ['search.index', ids[1]], 3],
      [
        'DELETE /staff/operations/dead-letters/:queue/:letterid',
        ['search.index', ...ids.filter((id) => id !== ids[1])],
        2,
      ],
    ]);
  });

  it('neither replays nor drops without an audit log, as in the image of a service', async () => {
    for (const name of ['replay', 'drop'])
      expect(await run([name, '--all', '--yes'], { record: null })).toMatchObject({ code: 64, out: '' });
    expect((await run(['list'], { record: null })).code).toBe(0);
  });

  it('drops memberships only when their queue is named', async () => {
    await bury('profile.memberships', [membershipChanged(1)]);
    const refused = await run(['drop', '--all', '--yes']);
    expect(refused.code).toBe(1);
    expect(refused.err).toContain('--queue profile.memberships');
    expect((await run(['drop', '--queue', 'profile.memberships', '--yes'])).code).toBe(0);
  });

  it.each([
    ['nothing', [], 64, ''],
    ['an unknown action', ['eat'], 64, ''],
    ['an unknown option', ['list', '--hard'], 64, '--hard'],
    ['an unknown queue', ['list', '--queue', 'x'], 64, 'search.index, search.usage, updates.live'],
    ['no selection', ['drop', '--yes'], 64, '--all'],
    ['no number', ['show', '--limit', '0'], 64, '--limit'],
  ])('refuses %s', async (_case, args, code, problem) => {
    const ran = await run(args);
    expect(ran.code).toBe(code);
    expect(ran.err).toContain(problem);
  });

  it('reports an unavailable broker', async () => {
    const ran = await run(['list'], { url: 'amqp://127.0.0.1:1' });
    expect(ran).toMatchObject({ code: 1, err: expect.stringContaining('cannot do this now') });
  });

  it('takes turns with the console where it has the database of profile', async () => {
    const { MONGODB_URL } = testStores();
    const [event] = three();
    await bury('search.index', [event]);
    const database = bus.connection.useDb(`${bus.namespace}-profile`);
    const reader = createLease(database, 'dead-letters:search');
    await reader.hold();
    const turns = database.collection<{ _id: string }>('leases');
    const replay = run(['replay', event.id, '--queue', 'search.index', '--yes'], { more: { MONGODB_URL } });
    // Without turns, it would be over before the last of these.
    for (const _again of [1, 2, 3]) expect((await run(['list'])).out).toContain('search.index: 1');
    await reader.release();
    expect(await replay).toMatchObject({ code: 0, out: 'search.index: 1 replayed\n' });
    expect(await turns.countDocuments()).toBe(0);
    await database.dropDatabase();
  });

  it('loses nothing when it is killed, and continues when repeated', async () => {
    const events = Array.from({ length: 60 }, (_, number) => memberUpdated(number + 1));
    await bury('search.index', events);
    const eventsCommand = new URL('../src/events-command.ts', import.meta.url).href;
    const environment = { RABBITMQ_URL: testStores().RABBITMQ_URL, NAMESPACE: bus.namespace };
    const kit = new URL('../../runtime/src/command.ts', import.meta.url).href;
    const program = `import { createProgram, runProgram } from '${kit}';
      import { addEventsCommands } from '${eventsCommand}';
      const program = createProgram('covalence', 'test');
      addEventsCommands(program, { environment: () => (${JSON.stringify(environment)}), record: async () => {} });
      await runProgram(program, ['events', 'replay', '--queue', 'search.index', '--yes']);`;
    const child = spawn(process.execPath, ['--conditions=source', '--input-type=module', '--eval', program], {
      stdio: 'ignore',
    });
    const ended = new Promise((resolve) => child.once('exit', (_code, signal) => resolve(signal)));
    const replayed = async () => (await bus.raw.checkQueue(bus.queue('search.index'))).messageCount;
    await until('some are replayed', async () => (await replayed()) >= 5);
    child.kill('SIGKILL');
    expect(await ended).toBe('SIGKILL');

    const dead = `${bus.queue('search.index')}.dead`;
    const waiting = async () => (await bus.raw.checkQueue(dead)).messageCount;
    await until('the rest is back', async () => (await waiting()) + (await replayed()) >= events.length);
    expect(await waiting()).toBeGreaterThan(0);
    expect((await run(['replay', '--all', '--yes'])).code).toBe(0);
    expect(await waiting()).toBe(0);
    // Only the one in progress may be duplicated.
    expect(await replayed()).toBeLessThanOrEqual(events.length + 1);
    const received = recorder();
    const consumer = bus.consume({ queue: 'search.index', handle: received.handle });
    await received.has(events);
    await consumer.close();
  });
});
