import { Failure } from '@covalence/contract/failure';
import { internalApi } from '@covalence/contract/peers/api';
import { internalCallers } from '@covalence/contract/peers/callers';
import type { Exchange } from '@covalence/contract/peers/exchange';
import { createLogger } from '@covalence/runtime/logger';
import { createMetrics } from '@covalence/runtime/metrics';
import { publicTextOf } from '@covalence/runtime/service-keys';
import {
  serviceAuthorization,
  testCredential,
  testPublicKeys,
  testServiceSecret,
  type TestServiceToken,
} from '@covalence/testing/service-tokens';
import { createTestTokens } from '@covalence/testing/test-tokens';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { Server } from 'node:http';
import request from 'supertest';
import { z } from 'zod';
import { serviceEndpoint } from '../src/endpoint.ts';
import { createServiceApp } from '../src/mount.ts';
import { createServiceCredential } from '../src/service-credential.ts';
import { createServiceGate } from '../src/service-gate.ts';

const path = '/internal/projections';
const internal = serviceEndpoint({ input: z.object({}), output: z.object({}) }, () => Promise.resolve({}));
const silent = createLogger('test', 'silent');
const good: TestServiceToken = { from: 'search', to: 'profile' };
const stranger = testServiceSecret('stranger');

/** Runs work with the clock moved by some seconds. */
async function later<Result>(seconds: number, work: () => Promise<Result>): Promise<Result> {
  const at = Date.now() + seconds * 1_000;
  const clock = jest.useFakeTimers({ now: at, doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
  try {
    return await work();
  } finally {
    clock.useRealTimers();
  }
}

describe('an internal endpoint', () => {
  let server: Server;
  const lines: string[] = [];
  beforeAll(async () => {
    const logger = createLogger('test', 'info', { write: (line) => void lines.push(line) });
    const app = createServiceApp({ [`POST ${path}` as const]: internal }, null, {
      logger,
      metrics: createMetrics('test'),
      bearer: (await createTestTokens()).bearer,
      services: createServiceGate('profile', testPublicKeys, logger),
    });
    server = app.listen(0);
  });
  afterAll(() => void server.close());

  const call = async (authorization?: string) => {
    const sent = request(server).post(path).send({});
    const { status } = await (authorization === undefined ? sent : sent.set('Authorization', authorization));
    return status;
  };

  it('admits a caller of the table repeatedly', async () => {
    const authorization = serviceAuthorization(good);
    expect([await call(authorization), await call(authorization)]).toEqual([200, 200]);
    expect(await call(await testCredential('search').authorizationFor('profile'))).toBe(200);
  });

  it.each(internalCallers.filter((caller) => caller !== 'search'))('answers 403 to %s', async (from) => {
    expect(await call(serviceAuthorization({ from, to: 'profile' }))).toBe(403);
    const [refused] = lines.slice(-2).map((line) => JSON.parse(line) as object);
    expect(refused).toMatchObject({ caller: from, path });
  });

  const made = serviceAuthorization(good);
  it.each<[string, string | undefined]>([
    ['no token', undefined],
    ['another scheme', made.replace('Bearer', 'Basic')],
    ['what is no token', 'Bearer abc'],
    ['a shared secret', `Bearer ${'s'.repeat(43)}`],
    ['a token for another service', serviceAuthorization({ ...good, to: 'auth' })],
    ['a token of a member', serviceAuthorization({ ...good, type: 'at+jwt' })],
    ['a token that nobody has signed', serviceAuthorization({ ...good, algorithm: 'none' })],
    ['a key that nobody knows', serviceAuthorization({ ...good, secret: stranger })],
    [
      'a signature by another key than the token names',
      serviceAuthorization({ ...good, secret: stranger, kid: publicTextOf(testServiceSecret('search')) }),
    ],
    [
      'a caller who uses the name of another',
      serviceAuthorization({ ...good, secret: testServiceSecret('updates') }),
    ],
    ['a token that has expired', serviceAuthorization({ ...good, at: -120 })],
    ['a token that lives longer than a minute', serviceAuthorization({ ...good, at: -120, lifetime: 600 })],
    ['a token of the future', serviceAuthorization({ ...good, at: 120 })],
    ['a changed signature', made.replace(/.{4}$/, 'AAAA')],
    ['a token over 1 KiB', `${made}${'A'.repeat(1_024)}`],
  ])('answers 401 to %s', async (_name, authorization) => {
    expect(await call(authorization)).toBe(401);
  });

  it('refuses a cached token after its expiry', async () => {
    const gate = createServiceGate('profile', testPublicKeys, silent).at(path);
    const authorization = serviceAuthorization(good);
    expect(await gate(authorization)).toBe('search');
    expect(await later(80, () => gate(authorization))).toBe('search');
    await expect(later(100, () => gate(authorization))).rejects.toMatchObject({ status: 401 });
  });

  it('accepts an old and a new key while both are listed', async () => {
    const renewed = { caller: 'search', key: publicTextOf(stranger) } as const;
    const both = createServiceGate('profile', [...testPublicKeys, renewed], silent).at(path);
    const after = [renewed, ...testPublicKeys.filter(({ caller }) => caller !== 'search')];
    const renewedOnly = createServiceGate('profile', after, silent).at(path);
    const [old, fresh] = await Promise.all(
      [[testServiceSecret('search')], [stranger, testServiceSecret('search')]].map((secrets) =>
        createServiceCredential('search', secrets).authorizationFor('profile'),
      ),
    );
    expect([await both(old), await both(fresh), await renewedOnly(fresh)]).toEqual(
      Array.from({ length: 3 }, () => 'search'),
    );
    await expect(renewedOnly(old)).rejects.toBeInstanceOf(Failure);
  });

  it('cannot be created without callers', () => {
    const gate = createServiceGate('profile', testPublicKeys, silent);
    expect(() => gate.at('/internal/unheard-of')).toThrow('has no callers');
    expect(() => gate.at('constructor')).toThrow('has no callers');
  });
});

describe('the credential of a caller', () => {
  it('signs one token per called service every half minute', async () => {
    const credential = testCredential('profile');
    const [first, again, other] = await Promise.all([
      credential.authorizationFor('auth'),
      credential.authorizationFor('auth'),
      credential.authorizationFor('search'),
    ]);
    expect(again).toBe(first);
    expect(other).not.toBe(first);
    expect(await later(20, () => credential.authorizationFor('auth'))).toBe(first);
    expect(await later(31, () => credential.authorizationFor('auth'))).not.toBe(first);
  });
});

describe('the table of callers', () => {
  it('reserves staff accounts and their tokens for the command line, but for the look at who asked', () => {
    const read = '/internal/staff/read';
    const staff = Object.values(internalApi.auth).filter(
      ({ path }) => path.startsWith('/internal/staff/') && path !== read,
    );
    expect(staff.length).toBeGreaterThanOrEqual(5);
    expect(staff.map(({ callers }) => callers)).toEqual(staff.map(() => ['staff-cli']));
    expect(Object.values(internalApi.auth).find(({ path }) => path === read)?.callers).toEqual(['profile']);
  });

  it('lists no service as a caller of its own endpoints', () => {
    for (const [service, api] of Object.entries(internalApi))
      expect(Object.values<Exchange>(api).flatMap(({ callers }) => callers)).not.toContain(service);
  });
});
