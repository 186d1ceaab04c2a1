import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startService, type TestMember, type ServiceUnderTest } from '../harness.ts';
import { excludedFrom } from '../support/excluded.ts';

let service: ServiceUnderTest;
beforeAll(async () => {
  service = await startService('interest');
});
afterAll(() => service.close());

const man = (fields: object = {}) => service.register(fields);
const woman = (fields: object = {}) =>
  service.register({ gender: 'Female', genderpreference: 'Male', ...fields });
const excluded = (viewer: TestMember, kinds: string[]) => excludedFrom(service, viewer.id, kinds);

describe('POST /pass', () => {
  it('excludes for 30 days from the last pass, and is no covalence', async () => {
    const [adam, eve] = await Promise.all([man(), woman()]);
    const day = 86_400_000;
    await adam.post('/pass', { profileid: eve.id }).expect(200, {});
    await expect(excluded(adam, ['passes'])).resolves.toEqual([eve.id]);
    await expect(excluded(adam, ['likes', 'blocks', 'declines'])).resolves.toEqual([]);
    await expect(excluded(eve, ['passes'])).resolves.toEqual([]);
    const { body } = await adam.get(`/users/${eve.id}`);
    expect(body).toMatchObject({ covalence: 'none', blocked: 'none' });
    service.advance(20 * day);
    await adam.post('/pass', { profileid: eve.id }).expect(200, {});
    service.advance(29 * day);
    await expect(excluded(adam, ['passes'])).resolves.toEqual([eve.id]);
    service.advance(day + 1_000);
    await expect(excluded(adam, ['passes'])).resolves.toEqual([]);
  });

  it('refuses oneself, an unknown member and a missing profileid', async () => {
    const adam = await man();
    expect((await adam.post('/pass', { profileid: adam.id })).body.failcode).toEqual([80001]);
    expect((await adam.post('/pass', { profileid: 123_456_789 })).body.failcode).toEqual([80013]);
    await adam.post('/pass').expect(403, { fail: 'Invalid Argument' });
  });
});

const toTheHour = (hour: number) => {
  const now = service.context.clock();
  const wanted = new Date(now);
  wanted.setUTCHours(hour, 0, 0, 0);
  service.advance(wanted.getTime() + (wanted > now ? 0 : 86_400_000) - now.getTime());
};

describe('likes a day', () => {
  it('reset at the member’s midnight, and never by a change of time zone', async () => {
    const viewer = await man({ siteid: 4, timezone: 'Asia/Tokyo' });
    const women = await Promise.all(Array.from({ length: 8 }, () => woman({ siteid: 4 })));
    const like = async () => {
      const { body, status } = await viewer.post('/like', { profileid: women.shift()?.id });
      return body.failcode ?? status;
    };
    // 23:30 in Tokyo is 14:30 UTC.
    toTheHour(14);
    service.advance(30 * 60_000);
    expect([await like(), await like(), await like(), await like()]).toEqual([200, 200, 200, [50001]]);
    service.advance(40 * 60_000);
    expect([await like(), await like()]).toEqual([200, 200]);
    // Still yesterday there: the likes of today go on.
    await viewer.post('/members/self', { timezone: 'America/Los_Angeles' }).expect(200);
    expect([await like(), await like()]).toEqual([200, [50001]]);
  });
});
