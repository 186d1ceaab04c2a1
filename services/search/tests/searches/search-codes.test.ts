import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { person } from '../person.ts';
import { startService, type ServiceUnderTest } from '../harness.ts';

const age = { from: 28, to: 45 };

const subscriber = person(1, 'Female');
const plain = person(2, 'Female');
const placeless = person(3, 'Female', { position: null, country: null });
const elsewhere = person(4, 'Female', { siteid: 2 });

type Case = [name: string, parameters: object, codes: number[] | undefined];

const refusals: Case[] = [
  ['a criterion that is no map', { age, smoking: 10 }, [31000]],
  ['a criterion that is a list', { age, smoking: [10] }, [31000]],
  ['a criterion that is null', { age: null }, [31000]],
  ['a general criterion without values', { age, smoking: {} }, [31003]],
  ['a general criterion with empty values', { age, smoking: { values: [] }, state: { value: '' } }, [31003]],
  ['a range without ends', { age: {} }, [31004]],
  ['a range that is not numeric', { age: { from: 'x', to: 40 } }, [31004]],
  ['a range in the general form', { age: { value: 30 } }, [31004]],
  ['a general criterion in the form of a range', { age, smoking: { from: 10, to: 20 } }, [31003]],
  ['a location in the general form', { age, location: { value: 150 } }, [31006]],
  ['an end that is a truth, and one that is a list', { age: { from: true, to: [40] } }, [31004]],
  ['a height that is upside down', { age, height: { from: 190, to: 170 } }, [31004]],
  ['a range that is upside down', { age: { from: 40, to: 30 } }, [31004]],
  ['a hexadecimal end', { age: { from: '0x20', to: 40 } }, [31004]],
  ['an age below 18', { age: { from: 17, to: 30 } }, [31005]],
  ['an age above 120', { age: { from: 30, to: 121 } }, [31005]],
  ['a height out of bounds', { age, height: { from: 10 } }, [31009]],
  ['a location without within and of', { age, location: {} }, [31006]],
  ['a within that is not in the set', { age, location: { within: 25 } }, [31006]],
  ['an empty of', { age, location: { within: 150, of: '' } }, [31006]],
  ['an of that is a map', { age, location: { within: 150, of: { lat: 40, lon: -96 } } }, [31006]],
  ['an of that is null', { age, location: { of: null } }, [31006]],
  ['an empty within', { age, location: { within: '', of: '68508' } }, [31006]],
  ['a malformed of', { age, location: { of: '91.5,10' } }, [31006]],
  ['an of with three numbers', { age, location: { of: '40.8,-96.7,10' } }, [31006]],
  ['an of that is no postal code of the country', { age, location: { of: '123' } }, [31006]],
  ['an unknown postal code in of', { age, location: { of: '00000' } }, [31006]],
  ['a within of a non-subscriber', { age, location: { within: 20 } }, [31007]],
  ['a value that is not in the catalogue', { age, smoking: { value: 15 } }, [31009]],
  ['one bad value among good ones', { age, smoking: { values: [10, 99] } }, [31009]],
  ['a value that is a list', { age, smoking: { value: [10, 20] } }, [31009]],
  ['a value that is a truth', { age, smoking: { value: true } }, [31009]],
  ...['state', 'zipcode', 'country'].map((name): Case => [
    `251 values of ${name}`,
    { age, [name]: { values: Array.from({ length: 251 }, () => (name === 'country' ? 'US' : '68508')) } },
    [31009],
  ]),
  ['a value that is a map', { age, smoking: { value: { $gt: 1 } } }, [31009]],
  ['a text that is too long', { age, keywords: { value: 'x'.repeat(256) } }, [31009]],
  ['too many texts', { age, keywords: { values: Array.from({ length: 11 }, String) } }, [31009]],
  [
    'texts that are too long together',
    { age, keywords: { values: ['x'.repeat(250), 'y'.repeat(250), 'z'] } },
    [31009],
  ],
  ['an unknown criterion', { age, shoesize: { value: 40 } }, [31009]],
  ['a name that every object has', { age, tostring: { value: 1 } }, [31009]],
  ['a country that does not exist', { age, country: { values: ['US', 'XX'] } }, [31010]],
  ['a postal code not of the own country', { age, zipcode: { value: '123' } }, [31011]],
  [
    'a postal code of another country',
    { age, zipcode: { value: 'SW1A' }, country: { value: 'DE' } },
    [31011],
  ],
  ['no age', { smoking: { value: 10 } }, [31012]],
  ['two places', { age, zipcode: { value: '68508' }, state: { value: 'Nebraska' } }, [31013]],
  ['a postal code and a distance', { age, zipcode: { value: '68508' }, location: { within: 150 } }, [31013]],
  ['a state and a distance', { age, state: { value: 'Nebraska' }, location: { within: -1 } }, [31013]],
  [
    'several, in the order of the catalogue and once each',
    {
      bogus: 1,
      smoking: { value: 5 },
      location: { within: 7 },
      country: { value: 'ZZ' },
      zipcode: {},
      nonsense: 2,
    },
    [31012, 31006, 31003, 31010, 31009, 31013],
  ],
  ['page 0', { age, page: 0 }, undefined],
  ['a repeated page', { age, page: [1, 2] }, undefined],
  ['a page of sixteen digits', { age, page: 2 ** 53 }, undefined],
  ['an exclude that is null', { age, exclude: null }, undefined],
  ['a page that is no number', { age, page: 'x' }, undefined],
  ['pagesize 0', { age, pagesize: 0 }, undefined],
  ['pagesize 101', { age, pagesize: 101 }, undefined],
  ['a broken pagesize', { age, pagesize: 2.5 }, undefined],
  ['an unknown sortby', { age, sortby: 'random' }, undefined],
  ['an unknown exclude', { age, exclude: ['likes', 'views'] }, undefined],
  ['none and a kind', { age, exclude: 'none,likes' }, undefined],
  ['explain that is no truth', { age, explain: 'maybe' }, undefined],
];

describe('the codes of POST /searches', () => {
  let service: ServiceUnderTest;

  beforeAll(async () => {
    service = await startService('codes', { members: [subscriber, plain, placeless, elsewhere] });
    service.profile.platinum.add(subscriber.id);
  });
  afterAll(() => service?.close());

  it.each(refusals)('%s', async (_name, parameters, failcode) => {
    const { status, body } = await service.post(plain.id, parameters);
    expect([status, body]).toEqual([403, { fail: 'Invalid Argument', ...(failcode && { failcode }) }]);
  });

  it.each<[string, object]>([
    ['JSON numbers as texts', { age: { from: '28', to: '45' }, page: '1', pagesize: '10' }],
    ['an open range', { age: { to: 45 } }],
    ['an age at both bounds', { age: { from: 18, to: 120 } }],
    ['ends that are empty, and both forms', { age: { value: 30, from: '', to: 45 } }],
    ['a value beside values', { age, smoking: { value: 10, values: [20], within: 5 } }],
    ['one value where a list is meant', { age, smoking: { values: 10 } }],
    ['texts as long as they may be', { age, keywords: { values: ['x'.repeat(250), 'y'.repeat(250)] } }],
    ['250 values', { age, state: { values: Array.from({ length: 250 }, String) } }],
    ['words of which nothing is left', { age, keywords: { value: '?!' } }],
    ['a point as it is written', { age, location: { of: ' 40.5 , -96.7 ' } }],
    ['a point beside the meridian, as Java writes it', { age, location: { of: '51.4779,-5.0E-4' } }],
    ['a point as exact as numbers are', { age, location: { of: '51.507351,-0.12775829999999998' } }],
    ['a postal code that is a number', { age, location: { within: 150, of: 68508 }, exclude: [] }],
    ['a legacy spelling', { age, maritalstatus: { value: 10 } }],
    ['names in any case and with hyphens', { AGE: { From: 28, TO: 45 }, 'Marital-Status': { Value: 10 } }],
    ['every within of a non-subscriber', { age, location: { within: -1 } }],
    [
      'truths as they come',
      { age, photo: { value: true }, online: { value: 1 }, new: { values: ['false'] } },
    ],
    ['a ZIP+4', { age, zipcode: { value: '68508-1234' } }],
    [
      'a postal code of one of the countries',
      { age, zipcode: { value: '10198' }, country: { values: ['GB', 'DE'] } },
    ],
    ['a postal code in small letters', { age, zipcode: { value: '1012 ab' }, country: { value: 'NL' } }],
    ['a lower-case country', { age, country: { value: 'us' } }],
  ])('takes %s', async (_name, parameters) => {
    expect((await service.post(plain.id, parameters)).status).toBe(200);
  });

  it('accepts small distances and platinum criteria of a subscriber, and checks their values', async () => {
    const ok = await service.post(subscriber.id, { age, location: { within: 20 }, income: { value: 10 } });
    expect(ok.status).toBe(200);
    const bad = await service.post(subscriber.id, { age, income: { value: 11 }, f_book: {} });
    expect(bad.body.failcode).toEqual([31009, 31003]);
  });

  it.each([-1, 20, 30, 40, 50, 150, 500, 1000])(
    'takes within %i, a small one of subscribers',
    async (within) => {
      const parameters = { age, location: { within } };
      expect((await service.post(subscriber.id, parameters)).status).toBe(200);
      const { body } = await service.post(plain.id, parameters);
      expect(body.failcode).toEqual(within >= 20 && within <= 50 ? [31007] : undefined);
    },
  );

  it('accepts zodiac signs only on sites that show them', async () => {
    service.profile.platinum.add(elsewhere.id);
    const zodiac = { value: 'Leo' };
    expect((await service.post(subscriber.id, { age, zodiac })).status).toBe(200);
    expect((await service.post(elsewhere.id, { age, zodiac })).body.failcode).toEqual([31009]);
  });

  it.each([
    ['in JSON', { sortby: '', page: '', pagesize: '' }],
    ['in JSON as null', { sortby: null, page: null, pagesize: null }],
  ])('takes the defaults for empty control parameters %s', async (_case, controls) => {
    const { status, body } = await service.post(plain.id, { age, ...controls });
    expect([status, body]).toEqual([200, (await service.post(plain.id, { age })).body]);
    expect(body).toMatchObject({ page: 1, pagesize: 20 });
    const v1 = await service.call(plain.id, 'post', '/search', { agefrom: 28, ageto: 45, ...controls });
    expect(v1.body).toEqual(body);
  });

  it('takes the defaults for empty control parameters in a query and a form', async () => {
    const text = 'age[from]=28&age[to]=45&sortby=&page=&pagesize=';
    const { body } = await service.post(plain.id, { age });
    expect((await service.get(plain.id, text)).body).toEqual(body);
    expect((await service.call(plain.id, 'post', '/searches', text)).body).toEqual(body);
    expect((await service.get(plain.id, 'age=')).body.failcode).toEqual([31000]);
  });

  it('requires a center for a distance limit', async () => {
    const limited = await service.post(placeless.id, { age, location: { within: 150 } });
    expect(limited.body.failcode).toEqual([31006]);
    const byZip = await service.post(placeless.id, { age, location: { of: '68508' } });
    expect(byZip.body.failcode).toEqual([31006]);
    const point = await service.post(placeless.id, { age, location: { within: 150, of: '40.8,-96.7' } });
    expect(point.status).toBe(200);
  });

  it('answers 401 without a token, 405 and 404', async () => {
    const { default: request } = await import('supertest');
    const { createApp } = await import('../../src/app.ts');
    const app = createApp(service.context);
    const anonymous = await request(app).post('/searches').send({ age });
    expect([anonymous.status, anonymous.headers['www-authenticate']]).toEqual([
      401,
      'Bearer realm="covalence"',
    ]);
    expect((await request(app).delete('/searches')).status).toBe(405);
    expect((await request(app).get('/searching')).status).toBe(404);
  });
});
