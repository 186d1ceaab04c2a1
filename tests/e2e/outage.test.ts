import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startStackUnderTest, type StackUnderTest } from '@covalence/testing/stack-under-test';
import { until } from '@covalence/testing/until';
import { as, registerMember, type TestMember } from './support/members.ts';
import { openSocket } from './support/socket.ts';

const outageMs = 30_000;
const writers = 9;

/** When each engine goes, in ms after the first write: first alone, then both are away, then the other alone. */
const outages = [
  ['rabbitmq', 0],
  ['elasticsearch', outageMs / 2],
] as const;
const lastMs = outageMs / 2 + outageMs;

const at = (moment: number) => until('the moment has come', () => Date.now() >= moment, lastMs);

/** Takes the engines away, each for its time. */
const outagesOf = (stack: StackUnderTest, start: number) =>
  outages.map(async ([engine, from]) => {
    await at(start + from);
    stack.engine(engine).kill('SIGKILL');
    await at(start + from + outageMs);
    await stack.engine(engine).restart();
  });

/** Members who register and like the target while engines are away, spread over the outages. Every write must be accepted. */
async function writeThroughout(
  stack: StackUnderTest,
  target: TestMember,
  start: number,
): Promise<TestMember[]> {
  const members: TestMember[] = [];
  while (members.length < writers) {
    await at(start + (members.length * lastMs) / writers);
    const member = await registerMember(stack.url, stack.demo, {
      gender: 'Male',
      genderpreference: 'Female',
    });
    await as(stack.url, member).post('/like', { profileid: target.id }).expect(200);
    members.push(member);
  }
  return members;
}

describe('RabbitMQ and Elasticsearch are away for 30 s each during writes', () => {
  let stack: StackUnderTest;
  let target: TestMember;

  beforeAll(async () => {
    stack = await startStackUnderTest({ members: 0, engines: 'own' });
    target = await registerMember(stack.url, stack.demo);
  }, 180_000);
  afterAll(() => stack?.stop());

  it('accepts every write, and afterwards sockets and index have everything', async () => {
    const socket = await openSocket(stack.url, target.tokens.access_token);
    const start = Date.now();
    const [members] = await Promise.all([writeThroughout(stack, target, start), ...outagesOf(stack, start)]);

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
