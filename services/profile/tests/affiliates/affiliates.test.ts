import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { parseAffiliates } from '../../src/affiliates/affiliates.ts';
import { toNoon } from '../support/noon.ts';
import { startService, type ServiceUnderTest } from '../harness.ts';

let service: ServiceUnderTest;
beforeAll(async () => {
  service = await startService('affiliates');
});
afterAll(() => service.close());

const redirect_url = 'https://heartland.example/welcome?from=old-banners';

describe('a registration from an affiliate', () => {
  it('is refused with 10701 where the affiliate is suspended, beside other codes', async () => {
    const { status, body } = await service.tryRegister({ affiliateid: 'old-banners' });
    expect({ status, body }).toEqual({ status: 403, body: { fail: 'Invalid Argument', failcode: [10701] } });
    const more = await service.tryRegister({
      affiliateid: 'old-banners',
      firstname: '',
      aboutme: '',
      gender: 'x',
    });
    expect(more.body.failcode).toEqual([10001, 10021, 10701, 10601]);
  });

  it.each(['summer-campaign', 'somebody-new', 4711])('from %s is taken and kept', async (affiliateid) => {
    const { id } = await service.register({ affiliateid, subid: 'banner-7' });
    const member = await service.context.members.store.byId(id);
    expect(member).toMatchObject({ affiliateid: String(affiliateid), subid: 'banner-7' });
  });

  it.each(['', null])('has no affiliate for %p', async (affiliateid) => {
    const { id } = await service.register({ affiliateid, subid: affiliateid });
    const member = await service.context.members.store.byId(id);
    expect([member?.affiliateid, member?.subid]).toEqual([undefined, undefined]);
  });
});

describe('/recordaffiliatehit', () => {
  it('answers the redirect URL of a suspended affiliate, by GET and POST, as JSON and form', async () => {
    const affiliateid = 'old-banners';
    const hit = () => request(service.app).post('/recordaffiliatehit');
    const answers = [
      await request(service.app).get('/recordaffiliatehit').query({ affiliateid }),
      await hit().send({ affiliateid }),
      await hit().type('form').send({ affiliateid }),
    ];
    expect(answers.map(({ status, body }) => ({ status, body }))).toEqual(
      answers.map(() => ({ status: 200, body: { redirect_url } })),
    );
  });

  it('counts the visits of each day', async () => {
    toNoon(service);
    const visit = () => request(service.app).get('/recordaffiliatehit?affiliateid=partner-radio');
    const answers = await Promise.all(Array.from({ length: 5 }, visit));
    expect(answers.map(({ body }) => body)).toEqual(answers.map(() => ({ redirect_url: null })));
    const day = service.context.clock().toISOString().slice(0, 10);
    const hits = service.context.connection.collection('affiliate_hits');
    const counted = await hits.find({ affiliateid: 'partner-radio' }).toArray();
    expect(counted).toMatchObject([{ day, hits: 5, redirected: 0 }]);
    const suspended = await hits.findOne({ affiliateid: 'old-banners' });
    expect(suspended).toMatchObject({ redirected: suspended?.['hits'] });
  });

  it.each(['', '?affiliateid=nobody', '?affiliateid[$ne]=x'])('"%s" is 403 without code', async (query) => {
    const { status, body } = await request(service.app).get(`/recordaffiliatehit${query}`);
    expect({ status, body }).toEqual({ status: 403, body: { fail: 'Invalid Argument' } });
  });
});

describe('the affiliates file', () => {
  const active = { affiliateid: 'a', name: 'A', status: 'active' };
  it.each([
    ['a suspended affiliate without redirect_url', 'redirect_url', [{ ...active, status: 'suspended' }]],
    ['an affiliate twice', 'must be unique', [active, active]],
    ['an unknown status', 'status', [{ ...active, status: 'paused' }]],
  ])('is refused with %s', (_name, problem, data) => {
    expect(() => parseAffiliates(data)).toThrow(problem);
  });
});
