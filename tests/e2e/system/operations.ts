import type { Operations } from '@covalence/contract/peers/operations-api';
import { everySite } from '@covalence/contract/staff-roles';
import { spoilHistory } from '@covalence/testing/spoil-history';
import { until } from '@covalence/testing/until';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { v7 } from 'uuid';
import { runOperations } from '../support/commands.ts';
import { as, male, registerMember } from '../support/members.ts';
import { openSocket } from '../support/socket.ts';
import type { System } from '../support/system.ts';

interface Listed {
  readonly queues: readonly {
    readonly queue: string;
    readonly away: boolean;
    readonly waiting: number;
    readonly letters: readonly {
      readonly id: string;
      readonly type: string;
      readonly member: number | null;
    }[];
  }[];
}

const up = (...checks: string[]) => expect.arrayContaining(checks.map((check) => ({ check, up: true })));
const queue = (name: string) => expect.objectContaining({ queue: name, consumers: 1 });

/** Letters that are no dead letters. */
const missing = (count: number) => Array.from({ length: count }, () => ({ queue: 'updates.live', id: v7() }));

/** Tests of the operators' view of the system, and of their actions on dead letters. */
export function operationsCases(system: () => System): void {
  describe('the state of the system', () => {
    let stack: System;
    let operator: ReturnType<typeof as>;

    const staff = async (username: string, roles: Readonly<Record<string, ['operator' | 'support']>>) => {
      const auth = stack.peer('auth');
      await auth.createStaff({ username, password: 'copper-lantern-7', roles });
      return as(stack.url, { tokens: await auth.issueStaffToken({ username }) });
    };
    const read = async () => (await operator.get('/staff/operations').expect(200)).body as Operations;
    const statusOf = async (name: string) =>
      (await read()).services.find(({ service }) => service === name)?.status;
    const listed = async (queue: string) => {
      const { body } = await operator.get('/staff/operations/dead-letters').expect(200);
      return (body as Listed).queues.find((one) => one.queue === queue);
    };
    const letterOf = async (member: number) =>
      (await listed('updates.live'))?.letters.find(
        (one) => one.member === member && one.type === 'pair.liked',
      );
    const drop = (queue: string, id: string) =>
      operator.delete(`/staff/operations/dead-letters/${queue}/${id}`);
    const replay = (...letters: readonly { readonly queue: string; readonly id: string }[]) =>
      operator.post('/staff/operations/dead-letters/replay', { letters });

    beforeAll(async () => {
      stack = system();
      operator = await staff('operates', { [everySite]: ['operator'] });
    });

    it('is of every service, with its stores, queues, outbox, migrations and settings', async () => {
      const { services } = await read();
      const status = { ready: true, unknown: [], version: expect.stringMatching(/^\d+\.\d+\.\d+$/) };
      const outbox = { waiting: expect.any(Number) };
      expect(services).toMatchObject([
        {
          service: 'auth',
          status: {
            ...status,
            checks: up('mongodb', 'redis'),
            migrations: { open: expect.any(Array) },
            outbox: null,
          },
        },
        {
          service: 'profile',
          status: {
            ...status,
            outbox,
            queues: [queue('profile.memberships')],
            erasures: { overdue: 0 },
            settings: expect.arrayContaining([
              { name: 'PHOTO_SHARING', value: 'true', siteid: null },
              { name: 'likes_per_day', value: '5', siteid: 2 },
            ]),
          },
        },
        {
          service: 'search',
          status: {
            ...status,
            checks: up('elasticsearch', 'rabbitmq', 'mongodb'),
            queues: [queue('search.index'), queue('search.usage')],
            index: { current: true, complete: true },
          },
        },
        { service: 'billing', status: { ...status, outbox, payments: { hanging: 0, oldest: null } } },
        { service: 'updates', status: { ...status, queues: [queue('updates.live'), queue('updates.push')] } },
      ]);
    });

    it('is refused to staff of one site and to other roles', async () => {
      const others = [
        await staff('operates-one', { 1: ['operator'] }),
        await staff('supports', { [everySite]: ['support'] }),
      ];
      const letter = { queue: 'updates.live', id: v7() };
      for (const other of others) {
        const answers = await Promise.all([
          other.get('/staff/operations'),
          other.get('/staff/operations/dead-letters'),
          other.post('/staff/operations/dead-letters/replay', { letters: [letter] }),
          other.delete(`/staff/operations/dead-letters/${letter.queue}/${letter.id}`),
        ]);
        expect(answers.map(({ status, body }) => [status, body.fail])).toEqual(
          answers.map(() => [403, 'Forbidden']),
        );
      }
    });

    it('shows a service that is away, and shows it again', async () => {
      const billing = stack.service('billing');
      billing.kill('SIGKILL');
      const { problems } = await until('billing to be away', async () => {
        const answer = await read();
        return answer.services.some(({ service, status }) => service === 'billing' && !status) && answer;
      });
      const away = { kind: 'away', service: 'billing', runbook: 'covalenceservicemissing' };
      expect(problems).toContainEqual(expect.objectContaining(away));
      const printed = await runOperations(stack);
      expect(printed.code).toBe(1);
      expect(printed.out).toMatch(/^billing +away$/m);
      expect(printed.out).toMatch(/^billing: does not answer .*#covalenceservicemissing$/m);
      expect(printed.out).toMatch(/^search +ready/m);
      await billing.restart();
      await until('billing to be there', async () => (await statusOf('billing'))?.ready);
    });

    it('has a dead letter that is replayed once, by any of several callers, and recorded', async () => {
      const rita = await registerMember(stack.url, stack.demo);
      const carl = await registerMember(stack.url, stack.demo, male);
      const paul = await registerMember(stack.url, stack.demo, male);
      const socket = await openSocket(stack.url, rita.tokens.access_token);
      const mend = await spoilHistory(stack, rita.id);
      const likes = async (liker: typeof carl) => {
        await as(stack.url, liker).post('/like', { profileid: rita.id }).expect(200);
        return until('the dead letter', () => letterOf(liker.id));
      };
      const letter = await likes(carl);
      const unwanted = await likes(paul);
      expect(letter).toMatchObject({ type: 'pair.liked', tries: 5, replays: 0, reason: 'rejected' });
      const printed = await runOperations(stack, '--json');
      expect(printed.code).toBe(1);
      expect((JSON.parse(printed.out) as Operations).problems).toContainEqual(
        expect.objectContaining({ kind: 'dead_letters', service: 'updates', about: 'updates.live' }),
      );
      await mend();
      await drop('updates.live', unwanted.id).expect(200);
      await drop('updates.live', unwanted.id).expect(404);
      const place = { queue: 'updates.live', id: letter.id };
      const answers = await Promise.all([replay(place), replay(place)]);
      const outcomes = answers.flatMap(({ body }) => (body as { letters: { outcome: string }[] }).letters);
      expect(outcomes.map(({ outcome }) => outcome).toSorted()).toEqual(['gone', 'replayed']);
      await socket.next('like', ({ data }) => data['profileid'] === carl.id);
      // Later events are delivered, so a duplicate would have arrived.
      const later = await registerMember(stack.url, stack.demo, male);
      await as(stack.url, later).post('/like', { profileid: rita.id }).expect(200);
      await socket.next('like', ({ data }) => data['profileid'] === later.id);
      const told = socket.frames.flatMap(({ type, data }) => (type === 'like' ? [data['profileid']] : []));
      expect(told).toEqual([carl.id, later.id]);
      socket.close();
      // Other events of the like died too.
      const others = (await listed('updates.live'))?.letters ?? [];
      if (others.length) await replay(...others.map(({ id }) => ({ queue: 'updates.live', id }))).expect(200);
      expect((await listed('updates.live'))?.letters).toEqual([]);
      const { body: log } = await operator.get(`/staff/audit?about=${letter.id}`).expect(200);
      const call = 'POST /staff/operations/dead-letters/replay';
      expect(log.entries).toMatchObject([{ call }, { call }]);
      const { member } = letter;
      const { body: seen } = await operator.get(`/staff/audit?about=${member}`).expect(200);
      const list = 'GET /staff/operations/dead-letters';
      expect(seen.entries).toContainEqual(expect.objectContaining({ call: list, username: 'operates' }));
    });

    it('shows a thief of the session no secret and no address, and lets them replay and delete little', async () => {
      const answers = await Promise.all(
        ['/staff/operations', '/staff/operations/dead-letters'].map(
          async (path) => (await operator.get(path).expect(200)).text,
        ),
      );
      const text = answers.join();
      const { serviceSecrets, authSecret, positionSecret, usageSecret, vapid } = stack.instance;
      const secrets = [
        ...Object.values(serviceSecrets),
        authSecret,
        positionSecret,
        usageSecret,
        vapid.privateKey,
      ];
      expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
      // Of no service and no store, so no password in one either.
      expect(text).not.toMatch(/\w+:\/\/|127\.0\.0\.1|localhost|\w@\w/);
      await replay({ queue: 'nothing', id: v7() }).expect(404);
      await replay(...missing(101)).expect(403);
      const thief = await staff('operates-too', { [everySite]: ['operator'] });
      const path = '/staff/operations/dead-letters/replay';
      for (let calls = 0; calls < 5; calls += 1)
        await thief.post(path, { letters: missing(100) }).expect(200);
      const { status, headers } = await thief.post(path, { letters: missing(1) });
      expect([status, Number(headers['retry-after']) > 60]).toEqual([429, true]);
      await thief.delete(`/staff/operations/dead-letters/updates.live/${v7()}`).expect(429);
      await replay(...missing(1)).expect(200);
    });
  });
}
