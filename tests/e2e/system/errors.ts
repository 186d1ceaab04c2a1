import { beforeAll, describe, expect, it } from '@jest/globals';
import { failureCodes } from '@covalence/contract/failure-codes';
import { fuzzing, fuzzingMs } from '@covalence/testing/fuzzing';
import type { System } from '../support/system.ts';
import * as fc from 'fast-check';
import request from 'supertest';
import { as, registerMember, registration, type TestMember } from '../support/members.ts';
import { documentedAnswers, randomCalls, type RandomCall } from '../support/random-calls.ts';
import { refusedSearchCalls } from '../support/search-codes.ts';
import {
  invalid,
  registrationRefusals,
  updateRefusals,
  type Refusal,
  type Taken,
} from '../support/refusals.ts';
import { tokensFor } from '../support/sign-in.ts';

/** Placeholder for the registered member in names of cases. */
const named: Taken = { username: 'somebody', email: 'somebody@mail.example' };

const shortened = (_name: string, value: unknown) =>
  value === undefined
    ? '(missing)'
    : typeof value === 'string' && value.length > 30
      ? `(${value.length})`
      : value;
const nameOf = (row: Refusal | undefined) => JSON.stringify(row?.[0], shortened);

/** The cases of a table by name; the registered member is only known at run time. */
const table = (rows: typeof registrationRefusals) => rows(named).map((row, at) => [nameOf(row), at] as const);

/** Parameters without undefined ones, which forms would send as empty. */
const sent = (parameters: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(parameters).filter(([, value]) => value !== undefined));

/** Texts of maximum length and numbers at their limits. */
const utmost = (type: string) => ({
  username: (type + Date.now().toString(36)).padEnd(100, 'u'),
  firstname: 'f'.repeat(100),
  lastname: 'l'.repeat(100),
  headline: 'h'.repeat(75),
  aboutme: 'm'.repeat(1_500),
  city: 'c'.repeat(255),
  state: 's'.repeat(45),
  zip: 'z'.repeat(20),
  email: `${(type + Date.now().toString(36)).padEnd(115, 'e')}@mail.example`,
  latitude: 90,
  longitude: -180,
  affiliateid: 'summer-campaign',
  subid: 'i'.repeat(100),
  password: 'violet-harbours-'.repeat(16),
});

/** Refusals of invalid input. */
export function errorCases(system: () => System): void {
  describe('bad input through the gateway', () => {
    let stack: System;
    let member: TestMember;
    let other: Taken;

    beforeAll(async () => {
      stack = system();
      const { username, record } = await registerMember(stack.url, stack.demo);
      other = { username, email: String(record['email']) };
      member = await registerMember(stack.url, stack.demo);
      // Uses up the single allowed change of each.
      const changes = { gender: 'Male', date_of_birth: '04/24/1990' };
      await as(stack.url, member).post('/members/self', changes).expect(200, {});
    });

    describe.each(['json', 'form'] as const)('in a %s body', (type) => {
      it.each(table(registrationRefusals))('registration refuses %s', async (_name, at) => {
        const [parameters, failcode] = registrationRefusals(other)[at] ?? [{}, []];
        const { status, body } = await request(stack.url)
          .post('/members')
          .type(type)
          .send(sent(registration(stack.demo, parameters)));
        expect([status, body]).toEqual([403, invalid(...failcode)]);
      });

      it.each(table(updateRefusals))('an update refuses %s', async (_name, at) => {
        const [parameters, failcode] = updateRefusals(other)[at] ?? [{}, []];
        const { status, body } = await as(stack.url, member).post('/members/self', parameters).type(type);
        expect([status, body]).toEqual([403, invalid(...failcode)]);
      });

      it('registers values within the limits, and answers the own record and a code', async () => {
        const { status, body } = await request(stack.url)
          .post('/members')
          .type(type)
          .send(sent(registration(stack.demo, utmost(type))));
        expect(status).toBe(200);
        const { code, ...record } = body;
        const tokens = await tokensFor(stack.url, stack.demo, code);
        const self = await as(stack.url, { tokens }).get('/users/self').expect(200);
        // Allows for the time between the two answers.
        const moving = { since_active: expect.any(Number), online: expect.any(Boolean) };
        expect(record).toEqual({ ...self.body, ...moving });
        expect(Object.keys(record).length).toBeGreaterThan(60);
      });

      it('updates values within the limits, and answers {}', async () => {
        const { status, body } = await as(stack.url, member)
          .post('/members/self', {
            headline: 'a'.repeat(75),
            about_me: 'b'.repeat(100),
            online: 'true',
            searchable: 1,
            'world-plus': 'opted-in',
            display_name_preference: 'nickname',
            'eye-color': 20,
          })
          .type(type);
        expect([status, body]).toEqual([200, {}]);
      });
    });

    it(
      'whatever comes as parameters is answered as the document says, and by no defect',
      async () => {
        const { body: document } = await request(stack.url).get('/openapi.json').expect(200);
        const caller = as(stack.url, await registerMember(stack.url, stack.demo));
        const call = ({ method, path, type, parameters }: RandomCall) =>
          method === 'get' ? caller.get(path).query(parameters) : caller.post(path, parameters).type(type);
        await fc.assert(
          fc.asyncProperty(randomCalls, async (one) => {
            const { statuses, codes } = documentedAnswers(document, one);
            const { status, body } = await call(one);
            expect(statuses).toContain(status);
            expect(codes).toEqual(expect.arrayContaining(body?.failcode ?? []));
          }),
          fuzzing(150),
        );
      },
      fuzzingMs(60_000),
    );

    it('covers every code of both tables', () => {
      const raised = new Set(
        [...registrationRefusals(named), ...updateRefusals(named)].flatMap(([, failcode]) => failcode),
      );
      const both = failureCodes.filter(({ group }) => group === 'registration' || group === 'profile update');
      expect(both.map(({ code }) => code).filter((code) => !raised.has(code))).toEqual([]);
    });

    it.each(['username', 'email'] as const)('of many who register one %s at once, one does', async (name) => {
      const { username, email } = registration(stack.demo);
      const spelled = name === 'username' ? String(username) : String(email);
      const answers = await Promise.all(
        Array.from({ length: 6 }, (_one, at) =>
          request(stack.url)
            .post('/members')
            .send(registration(stack.demo, { [name]: at % 2 ? spelled.toUpperCase() : spelled })),
        ),
      );
      const refused = invalid(name === 'username' ? 10101 : 10302);
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      expect(answers.filter(({ status }) => status !== 200).map(({ body }) => body)).toEqual(
        Array.from({ length: 5 }, () => refused),
      );
    });

    it('a refused registration claims no names, and a refused update changes nothing', async () => {
      const parameters = registration(stack.demo);
      await request(stack.url)
        .post('/members')
        .send({ ...parameters, gender: 'x' })
        .expect(403);
      await request(stack.url).post('/members').send(parameters).expect(200);
      const before = await as(stack.url, member).get('/users/self').expect(200);
      await as(stack.url, member).post('/members/self', { first_name: 'Ann', gender: 'Female' }).expect(403);
      const { body } = await as(stack.url, member).get('/users/self').expect(200);
      expect(body.first_name).toBe(before.body.first_name);
    });

    it('a registration from a suspended affiliate is 10701, and its visitors are redirected', async () => {
      const affiliateid = 'old-banners';
      const { body } = await request(stack.url)
        .post('/members')
        .send(registration(stack.demo, { affiliateid }))
        .expect(403);
      expect(body).toEqual(invalid(10701));
      const hit = await request(stack.url).get('/recordaffiliatehit').query({ affiliateid }).expect(200);
      expect(hit.body).toEqual({ redirect_url: expect.stringMatching(/^https:/) });
      const active = await request(stack.url)
        .post('/recordaffiliatehit')
        .send({ affiliateid: 'partner-radio' });
      expect(active.body).toEqual({ redirect_url: null });
      await registerMember(stack.url, stack.demo, { affiliateid: 'partner-radio', subid: 'banner-7' });
    });

    it('an update with an unknown field is 10000 and changes nothing', async () => {
      const { body } = await as(stack.url, member)
        .post('/members/self', { first_name: 'Ann', favorite_dinosaur: 'rex' })
        .expect(403);
      expect(body).toEqual(invalid(10000));
      const self = await as(stack.url, member).get('/users/self').expect(200);
      expect(self.body.first_name).toBe('');
    });

    it.each([
      'platinum',
      'userstatus',
      'siteid',
      'member_id',
      '_id',
      'suspended',
      'version',
      'scope',
      'password',
      '$set',
    ])('what is not the member’s to set is an unknown field: %s', async (name) => {
      const { body } = await as(stack.url, member)
        .post('/members/self', { [name]: 'y' })
        .expect(403);
      expect(body).toEqual(invalid(10000));
    });

    it('a body that does not parse is 400', async () => {
      const { body, headers } = await request(stack.url)
        .post('/searches')
        .set('Authorization', `Bearer ${member.tokens.access_token}`)
        .set('Content-Type', 'application/json')
        .send('{"age":')
        .expect(400);
      expect(body).toEqual({ fail: 'Bad Request' });
      expect(headers['x-request-id']).toMatch(/./);
    });

    it('answers 401 with a bare challenge without token, and with an error for an invalid one', async () => {
      const none = await request(stack.url).get('/users/self').expect(401);
      expect(none.headers['www-authenticate']).toBe('Bearer realm="covalence"');
      const bad = await request(stack.url)
        .get('/users/self')
        .set('Authorization', 'Bearer not.a.token')
        .expect(401);
      expect(bad.headers['www-authenticate']).toContain('error="invalid_token"');
    });

    it('an unknown route is 404, a known one with another method 405', async () => {
      await request(stack.url).get('/no/such/route').expect(404, { fail: 'Not Found' });
      await request(stack.url).post('/internal/records').send({}).expect(404);
      const { headers } = await request(stack.url).delete('/packages').expect(405);
      expect(headers['allow']).toContain('GET');
    });

    it('raises every code of searches, saved searches and match criteria', async () => {
      const { post } = as(stack.url, member);
      await post('/searches/saved', { name: 'taken', age: { from: 28, to: 45 } }).expect(200);
      for (const [code, path, parameters] of refusedSearchCalls) {
        const { status, body } = await post(path, parameters);
        expect({ code, status, body }).toEqual({
          code,
          status: 403,
          body: invalid(code),
        });
      }
      const groups = ['saved searches', 'match criteria v1', 'search v2', 'search v1'];
      const all = failureCodes.filter(({ group }) => groups.includes(group)).map(({ code }) => code);
      expect(refusedSearchCalls.map(([code]) => code)).toEqual(all);
    });

    it("returns the client's own request id", async () => {
      const { headers } = await request(stack.url).get('/users/self').set('X-Request-Id', 'mine-1');
      expect(headers['x-request-id']).toBe('mine-1');
    });
  });
}
