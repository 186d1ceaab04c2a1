import { notFound, unavailable } from '@covalence/contract/failure';
import { createLogger } from '@covalence/runtime/logger';
import { createMetrics } from '@covalence/runtime/metrics';
import { createTestTokens, type TestTokens } from '@covalence/testing/test-tokens';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Server } from 'node:http';
import request from 'supertest';
import { z } from 'zod';
import { Accepted } from '../src/accepted.ts';
import type { StaffCall } from '../src/audit.ts';
import { endpoint, type Routes } from '../src/endpoint.ts';
import { createServiceApp } from '../src/mount.ts';
import { documentation } from './documentation.ts';

const ofOneSite = endpoint({
  access: 'staff',
  staff: {
    roles: ['support', 'search'],
    // Nobody knows the site of 0.
    site: ({ site }: { readonly site: number }) => Promise.resolve(site || undefined),
  },
  ...documentation,
  summary: 'About something on one site',
  input: z.object({ site: z.coerce.number() }),
  output: z.object({}),
  handler: () => Promise.resolve({}),
});

const ofSeveral = endpoint({
  access: 'staff',
  staff: { roles: ['support'], site: 'several' },
  ...documentation,
  summary: 'The sites of the role',
  input: z.object({}),
  output: z.object({ sites: z.union([z.literal('all'), z.array(z.int())]) }),
  handler: ({ sites }) => Promise.resolve({ sites: sites === 'all' ? sites : [...sites] }),
});

const ran: string[] = [];

const ofBody = endpoint({
  access: 'staff',
  staff: {
    roles: ['support'],
    site: 'every',
    about: ({ more }: { readonly id: string; readonly more: readonly string[] }) => more,
  },
  ...documentation,
  summary: 'About several things',
  statuses: [404],
  input: z.object({ id: z.string(), more: z.array(z.string()) }),
  output: z.object({}),
  async handler({ input: { id } }) {
    ran.push(id);
    if (id === '0') throw notFound();
    return Promise.resolve({});
  },
});

const ofLater = endpoint({
  access: 'staff',
  staff: { roles: ['support'], site: 'every', about: () => Promise.resolve(['b']) },
  ...documentation,
  summary: 'Takes effect later',
  input: z.object({}),
  output: z.object({ done: z.boolean() }),
  accepted: z.strictObject({ waits: z.literal(true) }),
  handler: () => Promise.resolve(new Accepted({ waits: true })),
});

const ofAnswer = endpoint({
  access: 'staff',
  staff: { roles: ['support'], site: 'several', about: () => [7], shows: ({ found }) => found },
  ...documentation,
  summary: 'Shows members',
  input: z.object({ fails: z.string().optional() }),
  output: z.object({ found: z.array(z.int()) }),
  statuses: [404],
  handler: ({ input: { fails } }) =>
    fails ? Promise.reject(notFound()) : Promise.resolve({ found: [1001, 1002, 7] }),
});

const ofNobody = endpoint({
  access: 'staff',
  staff: { roles: ['support'], site: 'every', shows: ({ found }) => found },
  ...documentation,
  summary: 'May show members',
  input: z.object({}),
  output: z.object({ found: z.array(z.int()) }),
  handler: () => Promise.resolve({ found: [] }),
});

const ofUnknown = endpoint({
  access: 'staff',
  staff: { roles: ['support'], site: 'every', about: () => Promise.reject(notFound()) },
  ...documentation,
  summary: 'About something unknown',
  input: z.object({}),
  output: z.object({}),
  statuses: [404],
  handler: () => Promise.reject(notFound()),
});

const forgotten = {
  access: 'staff' as const,
  ...documentation,
  summary: 'Names no role',
  input: z.object({}),
  output: z.object({}),
  handler: () => Promise.resolve({}),
};
// @ts-expect-error An endpoint for staff without its roles does not compile.
endpoint(forgotten);

describe('an endpoint for staff', () => {
  let tokens: TestTokens;
  let server: Server;
  const lines: string[] = [];
  const audited: StaffCall[] = [];
  let isAuditAway = false;
  const audit = (call: StaffCall) => {
    if (isAuditAway) return Promise.reject(unavailable());
    return Promise.resolve(void audited.push(call));
  };
  const appOf = (routes: Routes<null>) =>
    createServiceApp(routes, null, {
      logger: createLogger('test', 'info', { write: (line) => void lines.push(line) }),
      metrics: createMetrics('test'),
      bearer: tokens.bearer,
      audit,
      checkOutput: true,
    });
  beforeAll(async () => {
    tokens = await createTestTokens();
    server = appOf({
      'GET /one': ofOneSite,
      'GET /several': ofSeveral,
      'POST /things/:id': ofBody,
      'GET /later/:id': ofLater,
      'GET /shown': ofAnswer,
      'POST /shown': ofAnswer,
      'GET /nobody': ofNobody,
      'GET /unknown/:id': ofUnknown,
    }).listen(0);
  });
  afterAll(() => void server.close());

  const memberId = '0197fa5e-0000-7000-8000-000000000001';
  const call = async (path: string, roles: Record<string, string[]>) =>
    request(server)
      .get(path)
      .set(
        'Authorization',
        await tokens.authorization({ id: 0, memberId, siteid: 0, scope: 'staff', roles }),
      );

  it.each([
    ['support everywhere, on any site', { '*': ['support'] }, 7, 200],
    ['support everywhere, where the site is not known', { '*': ['support'] }, 0, 200],
    ['the other role', { '*': ['search'] }, 7, 200],
    ['admin everywhere', { '*': ['admin'] }, 7, 200],
    ['admin of the site', { 7: ['admin'] }, 7, 200],
    ['support of the site', { 7: ['support'], 8: ['moderator'] }, 7, 200],
    ['support of another site', { 8: ['support'] }, 7, 403],
    ['support of one site, where the site is not known', { 7: ['support'] }, 0, 403],
    ['another role on the site', { 7: ['moderator', 'operator'], 8: ['support'] }, 7, 403],
    ['a role that is unknown here', { '*': ['everything'] }, 7, 403],
    ['no role', {}, 7, 403],
    ['no role, with wrong parameters', {}, 'x', 403],
  ])('admits by role and site: %s', async (_name, roles, site, status) => {
    const answer = await call(`/one?site=${site}`, roles);
    expect([answer.status, answer.body]).toEqual([status, status === 200 ? {} : { fail: 'Forbidden' }]);
  });

  it.each([
    [{ '*': ['support'], 7: ['support'] }, 'all'],
    [{ 7: ['support'], 8: ['moderator'], 9: ['admin'] }, [7, 9]],
  ])('gets the sites of %j for a call about several', async (roles, sites) => {
    expect((await call('/several', roles)).body).toEqual({ sites });
  });

  it('stops the start of a service when it names no role', () => {
    const { staff: _roles, ...open } = ofSeveral;
    expect(() => appOf({ 'GET /several': open })).toThrow("/several has access 'staff'");
  });

  const change = async (id: string, body: object, roles: Record<string, string[]> = { '*': ['support'] }) => {
    audited.length = 0;
    const caller = { id: 0, memberId, siteid: 0, scope: 'staff', roles };
    const { status } = await request(server)
      .post(`/things/${id}`)
      .set('Authorization', await tokens.authorization(caller))
      .send(body);
    return { status, audited: audited.map(({ staff: _staff, ...call }) => call) };
  };
  const entry = { call: 'POST /things/:id', about: ['5', 'a', 'b'] };

  it('is in the audit log before it runs, with what it is about', async () => {
    expect(await change('5', { more: ['a', 'b'] })).toEqual({ status: 200, audited: [entry] });
    expect(audited[0]?.staff).toBe(memberId);
    audited.length = 0;
    await call('/several', { '*': ['support'] });
    expect(audited).toEqual([]);
  });

  it('answers 202 when it takes effect later, with what it is about in the audit log', async () => {
    audited.length = 0;
    const { status, body } = await call('/later/5', { '*': ['support'] });
    expect([status, body]).toEqual([202, { waits: true }]);
    const later = { call: 'GET /later/:id', about: ['5', 'b'] };
    expect(audited).toEqual([
      { ...later, staff: memberId },
      { ...later, staff: memberId, status: 202 },
    ]);
  });

  it('has a second entry in the audit log when it is refused', async () => {
    const refusal = { call: 'POST /things/:id', about: ['0'] };
    const whole = { ...refusal, about: ['0', 'a'] };
    expect(await change('0', { more: ['a'] })).toEqual({
      status: 404,
      audited: [whole, { ...whole, status: 404 }],
    });
    expect(await change('0', { more: [] }, { '*': ['search'] })).toEqual({
      status: 403,
      audited: [{ ...refusal, status: 403 }],
    });
  });

  it('is in the audit log with whom it shows, before it shows them', async () => {
    audited.length = 0;
    const support = { '*': ['support'] };
    const shown = { staff: memberId, call: 'GET /shown' };
    expect((await call('/shown', support)).body).toEqual({ found: [1001, 1002, 7] });
    expect((await call('/shown?fails=1', support)).status).toBe(404);
    expect(audited).toEqual([
      { ...shown, about: ['7', '1001', '1002'] },
      { ...shown, about: ['7'], status: 404 },
    ]);
    isAuditAway = true;
    const { status, body } = await call('/shown', support);
    isAuditAway = false;
    expect([status, body.found]).toEqual([503, undefined]);
  });

  it('that reads and shows nobody is answered also while the audit log is unavailable', async () => {
    audited.length = 0;
    isAuditAway = true;
    const { status } = await call('/nobody', { '*': ['support'] });
    isAuditAway = false;
    expect([status, audited]).toEqual([200, []]);
  });

  it('that changes something and shows members is in the audit log before it runs, and with whom it shows', async () => {
    audited.length = 0;
    const authorization = await tokens.authorization({
      id: 0,
      memberId,
      siteid: 0,
      scope: 'staff',
      roles: { '*': ['support'] },
    });
    const { body } = await request(server).post('/shown').set('Authorization', authorization).send({});
    expect(body).toEqual({ found: [1001, 1002, 7] });
    const shown = { staff: memberId, call: 'POST /shown' };
    expect(audited).toEqual([
      { ...shown, about: ['7'] },
      { ...shown, about: ['7', '1001', '1002'] },
    ]);
  });

  it('is in the audit log also where it names something unknown', async () => {
    audited.length = 0;
    expect((await call('/unknown/5', { '*': ['support'] })).status).toBe(404);
    const unknown = { staff: memberId, call: 'GET /unknown/:id', about: ['5'] };
    expect(audited).toEqual([unknown, { ...unknown, status: 404 }]);
  });

  it('does not run while the audit log is unavailable', async () => {
    isAuditAway = true;
    ran.length = 0;
    expect(await change('5', { more: [] })).toEqual({ status: 503, audited: [] });
    isAuditAway = false;
    expect(ran).toEqual([]);
  });

  it('records who was refused for the role', async () => {
    lines.length = 0;
    await call('/one?site=7', { 8: ['support'] });
    const facts = { security_event: 'staff_call_refused', reason: 'role', staff: memberId };
    expect(lines.map((line) => JSON.parse(line) as object)).toContainEqual(expect.objectContaining(facts));
  });

  it('refuses a member whose token names roles', async () => {
    const authorization = await tokens.authorization({ id: 42, roles: { '*': ['admin'] } });
    const { status } = await request(server).get('/one?site=7').set('Authorization', authorization);
    expect(status).toBe(403);
  });
});
