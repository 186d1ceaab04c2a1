import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type request from 'supertest';
import { testClient } from '../../support/fake-auth.ts';
import { startService, type ServiceUnderTest } from '../../harness.ts';

let strict: ServiceUnderTest;

const from = (address: string, fields: object = {}) =>
  strict.tryRegister(fields).set('X-Forwarded-For', address);
const tooMany = ({ status, body, headers }: request.Response) => {
  expect([status, body]).toEqual([429, { fail: 'Too Many Requests' }]);
  expect(Number(headers['retry-after'])).toBeGreaterThan(60);
};

/** Registrations of the tests' client that ended so. */
const count = async (outcome: string) => {
  const { values } = await strict.context.metrics.registrations.get();
  return values.find(({ labels }) => labels.outcome === outcome && labels.client === testClient.client_id)
    ?.value;
};

describe('registrations from one address', () => {
  beforeAll(async () => {
    strict = await startService('register-limits', {
      environment: {
        REGISTRATIONS_PER_HOUR: '4',
        TAKEN_NAMES_PER_HOUR: '4',
        USERNAMES_PER_HOUR: '3',
      },
    });
    await from('192.0.2.200', { username: 'occupied', email: 'occupied@example.org' }).expect(200);
  });
  afterAll(() => strict.close());

  it('are refused beyond the hourly limit, and those of other addresses are not', async () => {
    await from('192.0.2.1', { gender: 'x' }).expect(403);
    const answers = await Promise.all(Array.from({ length: 9 }, () => from('192.0.2.1')));
    expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(4);
    expect(answers.every(({ status }) => status === 200 || status === 429)).toBe(true);
    // Held for those that were under way at once: in the end four of one address are done, and no fifth.
    let done = answers.filter(({ status }) => status === 200).length;
    for (; done < 4; done += 1) await from('192.0.2.1').expect(200);
    const calls = strict.auth.calls.length;
    tooMany(await from('192.0.2.1'));
    tooMany(await from('::ffff:192.0.2.1'));
    expect(strict.auth.calls.slice(calls)).toEqual(['verify', 'verify']);
    await from('192.0.2.2').expect(200);
  });

  it('learn no more taken names than the hourly limit, in registrations and updates together', async () => {
    const probe = (turn: number) => from(`2001:db8::${turn}`, { email: 'occupied@example.org' });
    const member = await strict.register();
    const rename = (address: string, username: string) =>
      member.post('/members/self', { username }).set('X-Forwarded-For', address);
    const many = await Promise.all(Array.from({ length: 12 }, (_, turn) => probe(turn)));
    const told = many.filter(({ status }) => status === 403).length;
    expect(told).toBeLessThanOrEqual(3);
    for (let turn = told; turn < 3; turn += 1) {
      expect((await probe(20 + turn).expect(403)).body.failcode).toEqual([10302]);
    }
    // A registration asks for two names; one is left, for an update.
    tooMany(await probe(96));
    await rename('2001:db8::95', 'occupied').expect(403, { fail: 'Invalid Argument', failcode: [10101] });
    const calls = strict.auth.calls.length;
    tooMany(await probe(99));
    tooMany(await from('2001:db8::98'));
    tooMany(await rename('2001:db8::97', 'occupied'));
    expect(strict.auth.calls.slice(calls)).toEqual(['verify', 'verify']);
    // The member has one left: who is refused by address alone has asked too.
    await rename('192.0.2.3', 'occupied').expect(403, { fail: 'Invalid Argument', failcode: [10101] });
    tooMany(await rename('192.0.2.3', 'freename'));
    await from('2001:db8:0:1::1', { email: 'occupied@example.org' }).expect(403);
  });

  it('are counted by client without a limit', async () => {
    const [done = 0, taken = 0, limited = 0] = [
      await count('done'),
      await count('taken'),
      await count('limited'),
    ];
    await from('192.0.2.4').expect(200);
    await from('192.0.2.4', { username: 'Occupied' }).expect(403);
    tooMany(await from('192.0.2.1'));
    expect([await count('done'), await count('taken'), await count('limited')]).toEqual([
      done + 1,
      taken + 1,
      limited + 1,
    ]);
  });
});

describe('taken names', () => {
  let crowd: ServiceUnderTest;
  const taken = { username: 'occupied', email: 'occupied@example.org' };
  const register = (address: string, fields: object = {}) =>
    crowd.tryRegister(fields).set('X-Forwarded-For', address);
  beforeAll(async () => {
    crowd = await startService('taken-names', { environment: { TAKEN_NAMES_PER_HOUR: '4' } });
    await register('192.0.2.200', taken).expect(200);
  });
  afterAll(() => crowd.close());

  it('are counted when reported, also two in one answer', async () => {
    for (let turn = 0; turn < 2; turn += 1) {
      const { body } = await register('192.0.2.1', taken).expect(403);
      expect(body.failcode).toEqual([10101, 10302]);
    }
    tooMany(await register('192.0.2.1', taken));
    await register('192.0.2.2', { username: 'occupied' }).expect(403);
    await register('192.0.2.2', taken).expect(403);
    await register('192.0.2.2').expect(429);
  });

  it('do not count free names, however many register at once', async () => {
    const answers = await Promise.all(Array.from({ length: 12 }, () => register('192.0.2.3')));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    await register('192.0.2.3', taken).expect(403);
    await register('192.0.2.3', taken).expect(403);
    tooMany(await register('192.0.2.3', taken));
  });

  it('that many request at once are reported up to the limit', async () => {
    const answers = await Promise.all(Array.from({ length: 9 }, () => register('192.0.2.4', taken)));
    const told = answers.filter(({ status }) => status === 403);
    expect(told).toHaveLength(2);
    for (const answer of answers) if (!told.includes(answer)) tooMany(answer);
  });

  it('are counted where another member takes the name between look-up and claim', async () => {
    for (let turn = 0; turn < 3; turn += 1) {
      crowd.auth.loseNextClaim();
      const { body } = await register('192.0.2.5').expect(403);
      expect(body.failcode).toEqual([10101]);
    }
    tooMany(await register('192.0.2.5'));
  });
});
