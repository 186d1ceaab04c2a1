import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newEvent } from '@covalence/events/new-event';
import { onMemberChanged } from '../../src/index/on-member-changed.ts';
import { member } from '../population.ts';
import { startService, type ServiceUnderTest } from '../harness.ts';

const person = (id: number, facts = {}) =>
  member(id, { siteid: 1, country: 'US', position: { lat: 40.81, lon: -96.7 }, ...facts });

const [plain, subscriber, placeless, shortLived] = [
  person(1),
  person(2),
  person(3, { position: null }),
  person(4),
];

const path = '/members/self/criteria';

describe('the My Match criteria', () => {
  let service: ServiceUnderTest;

  beforeAll(async () => {
    service = await startService('matches', { members: [plain, subscriber, placeless, shortLived] });
    service.profile.platinum.add(subscriber.id);
  });
  afterAll(() => service?.close());

  const post = (viewer: number, body: object) => service.call(viewer, 'post', path, body);
  const get = async (viewer: number) => (await service.call(viewer, 'get', path)).body;

  it('are empty at first, merged, and removed by null', async () => {
    expect(await get(plain.id)).toEqual({});
    const first = await post(plain.id, {
      age: { from: '25', to: 40 },
      country: { value: 'us' },
      'Marital-Status': { values: ['10', 20] },
    });
    const stored = {
      age: { from: 25, to: 40 },
      country: { value: 'US' },
      marital_status: { values: [10, 20] },
    };
    expect([first.status, first.body]).toEqual([200, stored]);
    expect(await get(plain.id)).toEqual(stored);

    const location = { within: '150', of: ' 68508 ' };
    const second = await post(plain.id, { location, country: null, age: { from: 30 } });
    const merged = {
      age: { from: 30 },
      marital_status: { values: [10, 20] },
      location: { within: 150, of: '68508' },
    };
    expect(second.body).toEqual(merged);
    expect((await post(plain.id, {})).body).toEqual(merged);
    expect((await post(plain.id, { marital_status: '', location: null, photo: null })).body).toEqual({
      age: { from: 30 },
    });
  });

  it('stay unchanged when anything is invalid', async () => {
    await post(placeless.id, { age: { from: 30, to: 40 } });
    const refused = await post(placeless.id, { age: { from: 20, to: 30 }, smoking: { value: 15 } });
    expect(refused.body.failcode).toEqual([31009]);
    expect(await get(placeless.id)).toEqual({ age: { from: 30, to: 40 } });
  });

  it('can have no age and several place criteria, unlike a search', async () => {
    const body = { zipcode: { value: 'K1A 0B1' }, country: { value: 'CA' }, state: { value: 'Ontario' } };
    expect((await post(subscriber.id, body)).body).toEqual(body);
    const other = await post(subscriber.id, { zipcode: { value: 'K2P 1L4' } });
    expect(other.body.zipcode).toEqual({ value: 'K2P 1L4' });
  });

  it.each<[name: string, body: object, codes: number[]]>([
    ['no map', { smoking: 10 }, [31000]],
    ['no values', { smoking: {} }, [31003]],
    ['a range without ends', { age: {} }, [31004]],
    ['a range upside down', { age: { from: 40, to: 30 } }, [31004]],
    ['an age out of range', { age: { from: 17 } }, [31005]],
    ['a location without anything', { location: {} }, [31006]],
    ['a within out of the set', { location: { within: 25 } }, [31006]],
    ['a small within', { location: { within: 50 } }, [31007]],
    ['a platinum criterion', { income: { value: 10 } }, [31008]],
    ['a value that is not legal', { smoking: { value: 15 } }, [31009]],
    ['an unknown criterion', { shoesize: { value: 40 } }, [31009]],
    ['a country that does not exist', { country: { value: 'XX' } }, [31010]],
    ['a postal code not of the country', { zipcode: { value: '123' } }, [31011]],
    [
      'several, in the order of the catalogue',
      { bogus: 1, income: 5, location: { within: 7 }, age: 1, zipcode: {}, country: { value: 'ZZ' } },
      [31000, 31006, 31003, 31010, 31008, 31009],
    ],
  ])('refuse %s', async (_name, body, failcode) => {
    const answer = await post(plain.id, body);
    expect([answer.status, answer.body]).toEqual([403, { fail: 'Invalid Argument', failcode }]);
  });

  it("accept a subscriber's platinum criteria, and still return them after the membership has ended", async () => {
    const body = { income: { values: [10] }, location: { within: 20 }, f_book: { value: 'Dune' } };
    expect((await post(subscriber.id, body)).body).toMatchObject(body);
    service.profile.platinum.delete(subscriber.id);
    expect(await get(subscriber.id)).toMatchObject(body);
    expect((await post(subscriber.id, { income: null })).body).not.toHaveProperty('income');
    service.profile.platinum.add(subscriber.id);
  });

  it('merge concurrent changes', async () => {
    const names = ['smoking', 'drinking', 'build', 'religion', 'education'];
    await Promise.all(names.map((name) => post(shortLived.id, { [name]: { value: 10 } })));
    expect(Object.keys(await get(shortLived.id)).sort()).toEqual([...names].sort());
  });

  it('do not affect searches, and are deleted with the member', async () => {
    const age = { from: 18, to: 99 };
    const before = await service.search(shortLived.id, { age });
    await post(shortLived.id, { age: { from: 110, to: 120 }, country: { value: 'FR' } });
    expect(await service.search(shortLived.id, { age })).toEqual(before);
    const { body } = await service.call(shortLived.id, 'post', '/searches/saved', { name: 'mine', age });
    expect(body).toMatchObject({ name: 'mine' });

    const { profile, index, saved } = service.context;
    service.profile.members.set(shortLived.id, { ...shortLived, deleted: true, visible: false });
    const event = newEvent({ type: 'member.updated', member: shortLived.id, version: 1, at: new Date() });
    await onMemberChanged({ profile, members: index.members, stores: [saved.matchCriteria, saved.searches] })(
      [event],
    );
    expect(await saved.matchCriteria.read(shortLived.id)).toEqual({ criteria: {} });
    expect(await saved.searches.list(shortLived.id)).toEqual([]);
  });
});
