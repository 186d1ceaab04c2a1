import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startStackUnderTest, type StackUnderTest } from '@covalence/testing/stack-under-test';
import { until } from '@covalence/testing/until';
import { as, registerMember, type TestMember } from './support/members.ts';
import { openSocket } from './support/socket.ts';

const outageMs = 30_000;
const writers = 6;

/** Members who register and like the target while the engine is away, spread over the outage. Every write must be accepted. */
async function writeThroughout(stack: StackUnderTest, target: TestMember): Promise<TestMember[]> {
  const start = Date.now();
  const members: TestMember[] = [];
  while (members.length < writers) {
    const due = start + (members.length * outageMs) / writers;
    await until('the next write is due', () => Date.now() >= due, outageMs);
    const member = await registerMember(stack.url, stack.demo, {
      gender: 'Male',
      genderpreference: 'Female',
    });
    await as(stack.url, member).post('/like', { profileid: target.id }).expect(200);
    members.push(member);
  }
  await until('the outage has lasted its time', () => Date.now() >= start + outageMs, outageMs);
  return members;
}

describe.each(['rabbitmq', 'elasticsearch'] as const)('%s is away for 30 s during writes', (engine) => {
  let stack: StackUnderTest;
  let target: TestMember;

  beforeAll(async () => {
    stack = await startStackUnderTest({ members: 0, engines: 'own' });
    target = await registerMember(stack.url, stack.demo);
  }, 180_000);
  afterAll(() => stack?.stop());

  it('accepts every write, and afterwards sockets and index have everything', async () => {
    const socket = await openSocket(stack.url, target.tokens.access_token);
    stack.engine(engine).kill('SIGKILL');
    const members = await writeThroughout(stack, target);
    await stack.engine(engine).restart();

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
