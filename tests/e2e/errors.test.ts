import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { failureCodes } from '@covalence/contract/failure-codes';
import { startStackUnderTest, type StackUnderTest } from '@covalence/testing/stack-under-test';
import request from 'supertest';
import { as, registerMember, registration, type TestMember } from './support/members.ts';
import { refusedSearchCalls } from './support/search-codes.ts';

describe('bad input through the gateway', () => {
  let stack: StackUnderTest;
  let member: TestMember;

  beforeAll(async () => {
    stack = await startStackUnderTest({ members: 0 });
    member = await registerMember(stack.url, stack.demo);
  }, 120_000);
  afterAll(() => stack?.stop());

  it.each([
    ['an unknown field', { favourite_dinosaur: 'rex' }, [10000]],
    ['gender', { gender: 'male' }, [10001]],
    ['several fields, in the order of the table', { email: 'nobody', gender: '' }, [10001, 10301]],
  ])('registration answers the code of %s', async (_name, overrides, failcode) => {
    const { body } = await request(stack.url)
      .post('/members')
      .send(registration(stack.demo, overrides))
      .expect(403);
    expect(body).toEqual({ fail: 'Invalid Argument', failcode });
  });

  it('a registration by way of a suspended affiliate is 10701, and its visitors are sent elsewhere', async () => {
    const affiliateid = 'old-banners';
    const { body } = await request(stack.url)
      .post('/members')
      .send(registration(stack.demo, { affiliateid }))
      .expect(403);
    expect(body).toEqual({ fail: 'Invalid Argument', failcode: [10701] });
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
      .post('/members/self', { first_name: 'Ann', favourite_dinosaur: 'rex' })
      .expect(403);
    expect(body).toEqual({ fail: 'Invalid Argument', failcode: [10000] });
    const self = await as(stack.url, member).get('/users/self').expect(200);
    expect(self.body.first_name).toBe('');
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

  it('no token is 401 with a bare challenge, a bad one names its error', async () => {
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

  it('every code of searches, saved searches and match criteria is raised', async () => {
    const { post } = as(stack.url, member);
    await post('/searches/saved', { name: 'taken', age: { from: 28, to: 45 } }).expect(200);
    for (const [code, path, parameters] of refusedSearchCalls) {
      const { status, body } = await post(path, parameters);
      expect({ code, status, body }).toEqual({
        code,
        status: 403,
        body: { fail: 'Invalid Argument', failcode: [code] },
      });
    }
    const groups = ['saved searches', 'match criteria v1', 'search v2', 'search v1'];
    const all = failureCodes.filter(({ group }) => groups.includes(group)).map(({ code }) => code);
    expect(all).toHaveLength(28);
    expect(refusedSearchCalls.map(([code]) => code)).toEqual(all);
  });

  it('gives the client its own request id back', async () => {
    const { headers } = await request(stack.url).get('/users/self').set('X-Request-Id', 'mine-1');
    expect(headers['x-request-id']).toBe('mine-1');
  });
});
