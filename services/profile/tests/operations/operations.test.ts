import type { deadLetter, Operations } from '@covalence/contract/peers/operations-api';
import { sendSafely } from '@covalence/events/dead-letters/messages';
import { createLease } from '@covalence/events/lease';
import { deadExchangeOf, queueNames, queueOf, serviceOf } from '@covalence/events/topology';
import { until } from '@covalence/testing/until';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { v7 } from 'uuid';
import type { z } from 'zod';
import { problemsOf } from '../../src/operations/problems.ts';
import { eraseMembers } from '../../src/privacy/erase-member.ts';
import { startService, type ServiceUnderTest, type TestStaff } from '../harness.ts';

const queue = 'profile.memberships';
const list = '/staff/operations/dead-letters';

let service: ServiceUnderTest;
let operator: TestStaff;
beforeAll(async () => {
  // Nobody listens there.
  service = await startService('operations', { environment: { SEARCH_URL: 'http://127.0.0.1:9' } });
  operator = await service.staff({ '*': ['operator'] });
});
afterAll(() => service?.close());

/** Puts a letter among the dead, as a consumer does. */
async function bury(error: string): Promise<string> {
  const { broker } = service.context;
  const [id, at] = [v7(), new Date().toISOString()];
  const data = { note: 'a secret text' };
  const content = Buffer.from(JSON.stringify({ id, type: 'membership.changed', at, member: 7, data }));
  const to = { exchange: deadExchangeOf(broker.namespace), key: queueOf(broker.namespace, queue) };
  const headers = { 'covalence-death': { at, error, tries: 5 } };
  const properties = { messageId: id, type: 'membership.changed', headers };
  // The service declares its queues once it is connected.
  const send = async () => {
    try {
      return await broker.onChannel(5_000, (channel) => sendSafely(channel, to, content, properties));
    } catch {
      return false;
    }
  };
  await until('the queue', send);
  await until('the letter', async () => (await letters()).some((one) => one.id === id));
  return id;
}

const letters = async () => {
  const { body } = await operator.get(list).expect(200);
  return (body as { queues: { letters: z.infer<typeof deadLetter>[] }[] }).queues.flatMap(
    (one) => one.letters,
  );
};

describe('dead letters for operators', () => {
  it('have no content, and no values that an error quotes', async () => {
    await bury(
      `E11000 of 15125550123 and ben@mail.example: preview of field's value: 'I don't say, Ada', { email: "ada@mail.example`,
    );
    const { text, body } = await operator.get(list).expect(200);
    expect(body.queues).toContainEqual(
      expect.objectContaining({
        queue,
        away: false,
        waiting: 1,
        letters: [
          expect.objectContaining({
            member: 7,
            tries: 5,
            error: "E11000 of … and … preview of field's value: “…”",
            shape: '{ id: string, type: string, at: string, member: number, data: { note: string } }',
          }),
        ],
      }),
    );
    expect(text).not.toMatch(/ada|ben@|5125550123|secret/i);
    const shown = { staff: operator.memberId, call: `GET ${list}`, about: ['7'] };
    expect(service.auth.audited).toContainEqual(shown);
  });

  it('are recorded with every member they are about', async () => {
    const { deadLetters } = service.context.operations;
    const members = Array.from({ length: 500 }, (_, index) => 1_000 + index);
    const [letter] = await letters();
    if (!letter) throw new Error('no letter');
    const queues = Map.groupBy(members, (member) => queueNames[member % queueNames.length] ?? queue);
    const spies = Object.entries(deadLetters).map(([service, its]) =>
      jest.spyOn(its, 'list').mockResolvedValue({
        queues: [...queues]
          .filter(([name]) => serviceOf(name) === service)
          .map(([name, some]) => ({
            queue: name,
            waiting: some.length,
            letters: some.map((member) => ({ ...letter, member })),
          })),
      }),
    );
    try {
      expect(await letters()).toHaveLength(members.length);
      const about = service.auth.audited.at(-1)?.about.map(Number);
      expect(new Set(about)).toEqual(new Set(members));
    } finally {
      for (const spy of spies) spy.mockRestore();
    }
  });

  it('that say what was paid for are replayed, and not deleted', async () => {
    const id = await bury('TypeError: broken');
    await operator.delete(`${list}/${queue}/${id}`).expect(409);
    const again = { letters: [{ queue, id, outcome: 'replayed' }] };
    const { body } = await operator.post(`${list}/replay`, { letters: [{ queue, id }] }).expect(200);
    expect(body).toEqual(again);
    // It is no event of this version, so it comes back.
    await until('it again', async () => (await letters()).some((one) => one.id === id && one.replays === 1));
  });

  it('are listed a limited number of times in an hour', async () => {
    const eager = await service.staff({ '*': ['operator'] });
    await service.context.operations.listed.count(eager.memberId, 599);
    const statuses = [(await eager.get(list)).status, (await eager.get(list)).status];
    expect(statuses).toEqual([200, 429]);
  });

  it('are not read while another process reads those of the service, as the command line does', async () => {
    const id = await bury('TypeError: broken');
    const reader = createLease(service.context.connection, 'dead-letters:profile');
    expect(await reader.hold()).toBe(true);
    const { body } = await operator.get(list).expect(200);
    expect(body.queues).toContainEqual({ queue, away: true, waiting: 0, letters: [] });
    await reader.release();
    expect((await letters()).map((one) => one.id)).toContain(id);
  });

  it('of services that do not answer are named as such', async () => {
    const { body } = await operator.get(list).expect(200);
    expect(body.queues).toContainEqual({ queue: 'search.index', away: true, waiting: 0, letters: [] });
    const letter = { queue: 'search.index', id: v7() };
    const replayed = await operator.post(`${list}/replay`, { letters: [letter] }).expect(200);
    expect(replayed.body).toEqual({ letters: [{ ...letter, outcome: 'away' }] });
    await operator.delete(`${list}/search.index/${letter.id}`).expect(503);
  });
});

/** The overdue erasures as operators see them. */
async function erasures() {
  const { body } = await operator.get('/staff/operations').expect(200);
  const { services, problems } = body as Operations;
  const status = services.find((one) => one.service === 'profile')?.status;
  const kinds = problems.map(({ kind }) => kind).filter((kind) => kind === 'erasures');
  return { members: status?.erasures?.members, kinds };
}

/** Waits until operators see these members. */
const areNamed = (...members: number[]) =>
  until(`members ${members.join()}`, async () =>
    isDeepStrictEqual(await erasures(), { members, kinds: ['erasures'] }),
  );

describe('a member whose erasure is overdue', () => {
  const monthMs = 30 * 86_400_000;

  it('is named to operators, once, before the erasure begins and while it fails', async () => {
    const [member, other] = [await service.register(), await service.register()];
    await member.delete('/members/self').expect(200);
    service.advance(3_600_000);
    await other.delete('/members/self').expect(200);
    service.advance(monthMs + 60_000);
    try {
      expect(await areNamed(member.id)).toBe(true);
      const shown = { call: 'GET /staff/operations', about: [String(member.id)] };
      expect(service.auth.audited.at(-1)).toEqual({ staff: operator.memberId, ...shown });
      const { auth } = service.context;
      const failing = jest.spyOn(auth, 'eraseMember').mockRejectedValue(new Error('no answer'));
      await until('it began', async () => {
        await service.context.members.store.outbox.relayOnce(service.context.clock());
        return (await eraseMembers(service.context)) > 0;
      });
      service.advance(3_600_000);
      expect(await areNamed(member.id, other.id)).toBe(true);
      failing.mockRestore();
    } finally {
      service.advance(-monthMs - 7_260_000);
    }
  });
});

describe('the problems of the system', () => {
  it('name sections of the runbooks', async () => {
    const now = new Date();
    const old = new Date(now.getTime() - 120_000).toISOString();
    const status = {
      version: '0.1.0',
      ready: false,
      checks: [{ check: 'mongodb', up: false }],
      warnings: [],
      unknown: [],
      outbox: { waiting: 3, oldest: old },
      queues: [{ queue: 'search.index', ready: 20_000, consumers: 0, dead: 2 }],
      migrations: { applied: 0, open: [{ name: '0001', what: 'x', runs: 'before' as const }] },
      index: null,
      erasures: { due: 1, overdue: 1, oldest: old, members: [7] },
      payments: { hanging: 1, oldest: old, members: [7] },
      settings: [],
    };
    const problems = [...problemsOf('search', status, now), ...problemsOf('billing', null, now)];
    expect(problems.map(({ kind }) => kind)).toEqual([
      'store',
      'outbox',
      'dead_letters',
      'no_consumer',
      'long_queue',
      'migration',
      'erasures',
      'payments',
      'index',
      'away',
    ]);
    const page = readFileSync(new URL('../../../../docs/runbooks.md', import.meta.url), 'utf8');
    const sections = [...page.matchAll(/^## (.+)$/gm)].map(([, title = '']) =>
      title.toLowerCase().replaceAll(' ', '-'),
    );
    for (const { runbook } of problems) expect(sections).toContain(runbook);
  });

  it('are none while nothing is wrong, and a migration may wait for the end of a rollout', () => {
    const queues = [{ queue: 'profile.memberships', ready: 5, consumers: 1, dead: 0 }];
    const outbox = { waiting: 1, oldest: new Date().toISOString() };
    const open = [{ name: '0001', what: 'x', runs: 'after' as const }];
    const status = {
      version: '0.1.0',
      ready: true,
      checks: [{ check: 'mongodb', up: true }],
      warnings: [],
      unknown: ['payments'],
      outbox,
      queues,
      migrations: { applied: 0, open },
      index: null,
      erasures: { due: 3, overdue: 0, oldest: null, members: [] },
      payments: null,
      settings: [],
    };
    expect(problemsOf('profile', status, new Date())).toEqual([]);
  });
});
