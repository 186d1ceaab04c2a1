import { milesBetween } from '@covalence/contract/position';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { completePlace, movedPlace } from '../../../src/members/places/complete-place.ts';
import { startService, type ServiceUnderTest } from '../../harness.ts';

let service: ServiceUnderTest;
beforeAll(async () => {
  service = await startService('places');
});
afterAll(() => service.close());

const nowhere = { city: undefined, state: undefined, zip: undefined, country: undefined };
const number = expect.any(Number);

describe('a registration', () => {
  it.each<[string, object, object]>([
    [
      'a US postal code alone',
      { country: 'US', zip: '78701' },
      { city: 'Austin', state: 'Texas', latitude: number },
    ],
    [
      'a city alone',
      { country: 'GR', city: 'Αθήνα' },
      { city: 'Αθήνα', state: 'Attica', latitude: 37.98376, longitude: 23.72784, zip: '' },
    ],
    [
      'a city and its state',
      { country: 'US', city: 'Portland', state: 'Maine' },
      { state: 'Maine', latitude: 43.65737 },
    ],
    [
      'the abbreviation of a state',
      { country: 'US', city: 'Denver', state: 'CO' },
      { city: 'Denver', state: 'Colorado', latitude: 39.73915 },
    ],
    [
      'the abbreviation of a province',
      { country: 'CA', city: 'Hamilton', state: 'on', zip: 'L8P 1A1' },
      { city: 'Hamilton', state: 'Ontario', zip: 'L8P 1A1' },
    ],
    ['letters that abbreviate nothing', { country: 'DE', state: 'CO' }, { state: 'CO', country: 'DE' }],
    [
      'coordinates alone',
      { latitude: 48.1374, longitude: 11.5755 },
      { city: 'Munich', state: 'Bavaria', country: 'DE', latitude: 48.1374, zip: '' },
    ],
    [
      'coordinates on the ocean',
      { latitude: 0, longitude: -30 },
      { city: '', state: '', country: '', latitude: 0 },
    ],
    [
      'a place nobody knows',
      { country: 'DE', city: 'Hintertupfing' },
      { city: 'Hintertupfing', latitude: null },
    ],
    [
      'another country than the coordinates',
      { country: 'FR', latitude: 48.1374, longitude: 11.5755 },
      { city: '', country: 'FR' },
    ],
  ])('with %s is completed', async (_name, place, expected) => {
    const { status, body } = await service.tryRegister({ ...nowhere, ...place });
    expect(status).toBe(200);
    expect(body).toMatchObject(expected);
  });

  it('with only a city has a location and is found by distance', async () => {
    const { id } = await service.register({ ...nowhere, country: 'US', city: 'Austin' });
    const viewer = await service.register({ gender: 'Female', genderpreference: 'Male' });
    const { body } = await viewer.get(`/users/${id}`);
    expect(body.location).toBe('Austin, Texas');
    const answer = await service.internal('/internal/projections', { ids: [id] });
    expect(answer.body.projections[0]).toMatchObject({
      position: { lat: expect.closeTo(30.27, 0), lon: expect.closeTo(-97.74, 0) },
      state: 'Texas',
    });
  });

  it.each([
    ['US', '7'.repeat(20)],
    ['AR', '1425'],
    ['GB', 'SW1A 1AA'],
  ])(
    'in %s takes the postal code %s, as any of up to 20 characters, and again in an update',
    async (country, zip) => {
      const member = await service.register({ ...nowhere, country, zip });
      await member.post('/members/self', { zip, country, smoking: 10 }).expect(200, {});
      expect((await member.get('/users/self')).body).toMatchObject({ country, zip });
    },
  );
});

const moved = async (update: object, start: object = {}) => {
  const member = await service.register(start);
  const { status, body } = await member.post('/members/self', update);
  expect({ status, body }).toEqual({ status: 200, body: {} });
  return (await member.get('/users/self')).body;
};

describe('an update', () => {
  it.each<[string, object, object]>([
    [
      'to another postal code',
      { zip: '10001' },
      { city: 'New York', state: 'New York', zip: '10001', latitude: number },
    ],
    [
      'to another city',
      { city: 'Boston' },
      { city: 'Boston', state: 'Massachusetts', zip: '', latitude: 42.35843 },
    ],
    [
      'to a state by its abbreviation',
      { city: 'Denver', state: 'co' },
      { city: 'Denver', state: 'Colorado', zip: '', latitude: 39.73915 },
    ],
    [
      'to a city of the same name as another',
      { city: 'Portland', state: 'Maine' },
      { state: 'Maine', latitude: 43.65737 },
    ],
    [
      'to another city of the same state',
      { city: 'Houston' },
      { state: 'Texas', zip: '', latitude: 29.76328 },
    ],
    [
      'abroad',
      { country: 'DE', city: 'München' },
      { city: 'München', state: 'Bavaria', zip: '', country: 'DE', latitude: 48.13743 },
    ],
    [
      'abroad by a postal code alone',
      { country: 'DE', zip: '80331' },
      { city: 'Munich', state: 'Bavaria', zip: '80331', country: 'DE', latitude: 48.137 },
    ],
    [
      'far away by coordinates',
      { latitude: 52.52, longitude: 13.405 },
      { city: 'Berlin', country: 'DE', zip: '', latitude: 52.52 },
    ],
    [
      'abroad by coordinates, with the postal code of there',
      { latitude: 51.501, longitude: -0.142, zip: 'SW1A 1AA' },
      { city: expect.any(String), country: 'GB', zip: 'SW1A 1AA', latitude: 51.501 },
    ],
    [
      'near by by coordinates',
      { latitude: 30.3, longitude: -97.7 },
      { city: 'Austin', zip: '78701', latitude: 30.3 },
    ],
    [
      'to a place nobody knows',
      { city: 'Hintertupfing' },
      { city: 'Hintertupfing', state: 'Texas', latitude: null, longitude: null },
    ],
    [
      'nowhere, with what the member has',
      { zip: '78701', city: 'Austin' },
      { zip: '78701', state: 'Texas', latitude: number },
    ],
  ])('%s', async (_name, update, expected) => {
    expect(await moved(update)).toMatchObject(expected);
  });

  it('to a postal code that the gazetteer does not know keeps the city', async () => {
    const start = { ...nowhere, country: 'DE', city: 'Berlin', zip: '10198' };
    const record = await moved({ zip: '10199' }, start);
    expect(record).toMatchObject({ city: 'Berlin', zip: '10199', latitude: 52.52437 });
  });

  it('needs a country where the member has none', async () => {
    const member = await service.register({ ...nowhere, latitude: 0, longitude: -30 });
    const alone = await member.post('/members/self', { city: 'Berlin' });
    expect(alone.body).toEqual({ fail: 'Invalid Argument', failcode: [20201] });
    await member.post('/members/self', { city: 'Berlin', country: 'DE' }).expect(200, {});
  });

  it('keeps the place while the city waits for review', async () => {
    const record = await moved({ city: 'Boston' }, { siteid: 2 });
    expect(record).toMatchObject({ city: 'Austin', city_moderated: 'Boston', zip: '78701', state: 'Texas' });
  });

  it.each([
    ['US', '7870', [20301]],
    ['US', '78701-12', [20301]],
    ['DE', '1234', [20301]],
    ['DE', '78701-1234', [20301]],
    ['GB', '12345', [20301]],
    ['GB', 'SW1A 1AA', undefined],
    ['CA', 'm5v 2t6', undefined],
    ['US', '78702-1234', undefined],
    ['US', '787021234', undefined],
    ['NL', '1012 ab', undefined],
    ['IE', 'd02x285', undefined],
    ['JP', '1000001', undefined],
    ['IN', '110 001', undefined],
  ])('to %s with the postal code %s answers %p', async (country, zip, failcode) => {
    const { body } = await (await service.register()).post('/members/self', { country, zip });
    expect(body.failcode).toEqual(failcode);
  });

  it.each([[{ zip: '1234' }], [{ latitude: 52.52, longitude: 13.405, zip: '78701-1234' }]])(
    'with a postal code that its country does not have: %p',
    async (update) => {
      const member = await service.register();
      const { body } = await member.post('/members/self', update);
      expect(body).toEqual({ fail: 'Invalid Argument', failcode: [20301] });
    },
  );

  it('to another country drops a postal code that is invalid there', async () => {
    const member = await service.register({ ...nowhere, country: 'AR', zip: '1425' });
    const { body } = await member.post('/members/self', { country: 'US', zip: '1425' });
    expect(body).toEqual({ fail: 'Invalid Argument', failcode: [20301] });
  });
});

describe('a place', () => {
  it('without a city is not near another without one', async () => {
    const he = await service.register({ ...nowhere, country: 'KE', zip: '00100' });
    const woman = { gender: 'Female', genderpreference: 'Male' };
    const she = await service.register({ ...nowhere, ...woman, country: 'KE', zip: '90119' });
    expect((await he.get(`/users/${she.id}`)).body).toMatchObject({ zip: '90119', location: 'Kenya' });
  });

  it('is never changed where it is complete', () => {
    const whole = { city: 'A', state: 'B', zip: '1', country: 'DE', latitude: 1, longitude: 2 };
    expect(completePlace(whole)).toEqual(whole);
    expect(movedPlace(whole, whole)).toEqual({});
    expect(movedPlace(whole, { headline: 'A new headline' })).toEqual({});
  });
});

describe('a position', () => {
  const home = { latitude: 30.26759, longitude: -97.74299 };
  const woman = { gender: 'Female', genderpreference: 'Male' };

  it('is displaced for the index, and exact only for the member and the member’s searches', async () => {
    const member = await service.register({ ...woman, ...home });
    const viewer = await service.register(home);
    expect((await member.get('/users/self')).body).toMatchObject(home);
    const searcher = await service.internal('/internal/viewers', { id: member.id });
    const exact = { lat: home.latitude, lon: home.longitude };
    expect(searcher.body.position).toEqual(exact);
    const indexed = await service.internal('/internal/projections', { ids: [member.id] });
    const [{ position }] = indexed.body.projections;
    expect(searcher.body.member.position).toEqual(position);
    const miles = milesBetween(position, exact);
    expect(miles > 0.8 && miles < 3.5).toBe(true);

    const single = await viewer.get(`/users/${member.id}`);
    const page = await service.internal('/internal/records', { viewer: viewer.id, ids: [member.id] });
    expect(page.body.records).toHaveLength(1);
    for (const { text } of [single, page, indexed]) expect(text).not.toMatch(/30\.2675|97\.7429/);
  });
});
