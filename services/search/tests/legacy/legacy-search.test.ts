import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { person } from '../person.ts';
import { startService, type ServiceUnderTest } from '../harness.ts';

const [nora, subscriber, placeless] = [
  person(1, 'Female'),
  person(2, 'Female'),
  person(6, 'Female', { position: null, country: null }),
];
const near = person(3, 'Male');
const far = person(4, 'Male', { position: { lat: 40.71, lon: -74.01 }, zip: '10007', state: 'New York' });
const abroad = person(5, 'Male', { country: 'DE', zip: '10198', position: { lat: 52.52, lon: 13.4 } });
const old = person(7, 'Male', { date_of_birth: '1950-01-01' });

const cases: [name: string, parameters: object, code: number][] = [
  ['a distance out of the set', { distance: 25 }, 101],
  ['a distance that is no number', { distance: 'far' }, 101],
  ['a distance for subscribers', { distance: 20 }, 101],
  ['agefrom alone', { agefrom: 30 }, 201],
  ['ageto alone', { ageto: 30 }, 201],
  ['an age that is not numeric', { agefrom: 'x', ageto: 30 }, 202],
  ['an age below 18', { agefrom: 17, ageto: 30 }, 203],
  ['an age above 120', { agefrom: 30, ageto: 121 }, 203],
  ['an age upside down', { agefrom: 40, ageto: 30 }, 203],
  ['a lookingfor that is no gender', { lookingfor: 'Anyone' }, 301],
];

const everything = { distance: 1, agefrom: 1, lookingfor: 1, zippostalcode: 'x', country: 'XX' };

const refusal = (...failcode: number[]) => [
  403,
  { fail: 'Invalid Argument', ...(failcode.length && { failcode }) },
];

describe('v1', () => {
  let service: ServiceUnderTest;

  beforeAll(async () => {
    service = await startService('legacy', {
      members: [nora, subscriber, placeless, near, far, abroad, old],
    });
    service.profile.platinum.add(subscriber.id);
  });
  afterAll(() => service?.close());

  const call = (path: string, parameters: object, viewer = nora.id) =>
    service.call(viewer, 'post', path, parameters);

  const found = async (parameters: object, viewer = nora.id) => {
    const { status, body } = await call('/search', parameters, viewer);
    expect([status, body.fail]).toEqual([200, undefined]);
    return (body.users as { id: number }[]).map(({ id }) => id);
  };

  describe('POST /search', () => {
    it('is the search of v2 with age, location and country', async () => {
      const legacy = await call('/search', { agefrom: 30, ageto: 40, distance: 150, country: 'US' });
      const current = await service.search(nora.id, {
        age: { from: 30, to: 40 },
        location: { within: 150 },
        country: { value: 'US' },
      });
      expect(legacy.body).toEqual(current);
      expect(legacy.body.users).toMatchObject([{ id: near.id, relevance: 1, distance: 1 }]);
    });

    it("defaults to the member's search ages and position", async () => {
      expect(await found({})).toEqual([near.id, old.id, far.id, abroad.id]);
      service.profile.settings.set(nora.id, { agefrom: 30, ageto: 40 });
      expect(await found({})).toEqual([near.id, far.id, abroad.id]);
      service.profile.settings.delete(nora.id);
    });

    it('measures from a postal code, also of another country', async () => {
      const ages = { agefrom: 30, ageto: 40 };
      expect(await found({ ...ages, distance: 150, zippostalcode: '10007' })).toEqual([far.id]);
      const berlin = { ...ages, distance: 150, zippostalcode: '10198', country: 'DE' };
      expect(await found(berlin)).toEqual([abroad.id]);
      expect(await found({ ...ages, zip: 10_007 })).toEqual([far.id, near.id, abroad.id]);
    });

    it('finds no members of a gender that the profile does not prefer', async () => {
      expect(await found({ lookingfor: 'Male' })).toHaveLength(4);
      const other = await call('/search', { lookingfor: 'Female' });
      expect(other.body).toEqual({
        totalmatches: 0,
        page: 1,
        pagesize: 20,
        currentpagesize: 0,
        users: [],
      });
    });

    it('accepts the small distances of a subscriber', async () => {
      expect(await found({ distance: 20, agefrom: 30, ageto: 40 }, subscriber.id)).toEqual([near.id]);
    });

    it.each(cases)('refuses %s', async (_name, parameters, code) => {
      const { status, body } = await call('/search', parameters);
      expect([status, body]).toEqual(refusal(40_000 + code));
    });

    it('rejects several parameters at once, without a code if v1 has none', async () => {
      expect((await call('/search', everything)).body).toEqual(refusal(40101, 40201, 40301)[1]);
      for (const parameters of [{ zippostalcode: '123' }, { zippostalcode: '00000' }, { country: 'XX' }]) {
        const { status, body } = await call('/search', parameters);
        expect([status, body]).toEqual(refusal());
      }
      expect((await call('/search', { distance: 150 }, placeless.id)).body.failcode).toEqual([40101]);
    });
  });

  describe('POST /members/self/matchcriteria', () => {
    const path = '/members/self/matchcriteria';

    it("merges into v2's criteria", async () => {
      const first = { distance: 150, agefrom: 30, ageto: 40, lookingfor: 'Male', country: 'us' };
      const stored = { age: { from: 30, to: 40 }, location: { within: 150 }, country: { value: 'US' } };
      const answer = await call(path, first);
      expect([answer.status, answer.body]).toEqual([200, { ...stored, lookingfor: 'Male' }]);
      const { body } = await service.call(nora.id, 'get', '/members/self/criteria');
      expect(body).toEqual(stored);

      const moved = await call(path, { zippostalcode: '68508' });
      expect(moved.body.location).toEqual({ within: 150, of: '68508' });
      const abroadNow = await call(path, { zippostalcode: '10198', country: 'DE' });
      // One member lives there, whose position must not be revealed.
      expect(abroad.position).toEqual({ lat: 52.52, lon: 13.4 });
      expect(abroadNow.body.location).toEqual({ within: 150, of: '52.5000,13.4000' });
      expect((await call(path, {})).body).toEqual(abroadNow.body);
    });

    it('keeps both of two concurrent changes of the location', async () => {
      const { matchCriteria } = service.context.saved;
      const read = matchCriteria.read.bind(matchCriteria);
      const both = Promise.withResolvers<void>();
      let reads = 0;
      matchCriteria.read = async (member) => {
        const stored = await read(member);
        if ((reads += 1) === 2) both.resolve();
        await both.promise;
        return stored;
      };
      await Promise.all([{ distance: 20 }, { zip: '10007' }].map((one) => call(path, one, subscriber.id)));
      matchCriteria.read = read;
      expect((await call(path, {}, subscriber.id)).body).toEqual({ location: { within: 20, of: '10007' } });
    });

    it.each([
      ...cases,
      ['a postal code not of the country', { zippostalcode: '68508', country: 'GB' }, 401],
      ['a postal code that nobody knows', { zippostalcode: '00000' }, 401],
      ['a country that does not exist', { country: 'XX' }, 501],
    ] satisfies typeof cases)('refuses %s', async (_name, parameters, code) => {
      const { status, body } = await call(path, parameters);
      expect([status, body]).toEqual(refusal(30_000 + code));
    });

    it('rejects several parameters in the order of the table', async () => {
      const { body } = await call(path, everything);
      expect(body.failcode).toEqual([30101, 30201, 30301, 30401, 30501]);
    });
  });
});
