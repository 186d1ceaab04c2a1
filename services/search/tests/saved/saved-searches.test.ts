import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { person } from '../person.ts';
import { startService, type ServiceUnderTest } from '../harness.ts';

const [nora, iris] = [person(1, 'Female'), person(2, 'Female')];
const mary = person(7_000_001, 'Female');
const men = [
  person(3, 'Male', { traits: { smoking: 10 } }),
  person(4, 'Male', { traits: { smoking: 30 } }),
  person(5, 'Male', { country: 'DE', traits: { smoking: 10 } }),
];
const age = { from: 25, to: 45 };
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index);
const path = '/searches/saved';

const refusal = (failcode?: number[]) => [403, { fail: 'Invalid Argument', ...(failcode && { failcode }) }];

describe('saved searches', () => {
  let service: ServiceUnderTest;

  beforeAll(async () => {
    service = await startService('saved', { members: [nora, iris, mary, ...men] });
  });
  afterAll(() => service?.close());

  const save = (body: object, viewer = nora.id) => service.call(viewer, 'post', path, body);
  const list = async (viewer: number) =>
    (await service.call(viewer, 'get', path)).body.searches as { id: string; name: string }[];

  it('store a search as it was sent, without the parameters of one run', async () => {
    const sent = { age, page: 3, explain: 'true', platform: 'web', pagesize: 7 };
    const { status, body } = await save({ name: 'As sent', ...sent }, mary.id);
    expect([status, body]).toEqual([200, { id: body.id, name: 'As sent', age, pagesize: 7 }]);
    const changed = await service.call(mary.id, 'post', `${path}/${body.id}`, { ...sent, pagesize: 8 });
    expect([changed.status, changed.body]).toEqual([200, { ...body, pagesize: 8 }]);
    const refused = await save({ name: 'Page 0', age, page: 0 }, mary.id);
    expect([refused.status, refused.body]).toEqual(refusal());
    await service.call(mary.id, 'delete', `${path}/${body.id}`);
  });

  it('store the requested answers, and omit those that a site has made private since', async () => {
    const shown = async (id: string, more: object = {}) => {
      const { body } = await service.call(mary.id, 'post', `${path}/${id}/run`, { pagesize: 1, ...more });
      return body.users[0].answers as unknown;
    };
    const { body } = await save(
      { name: 'Shown', age, sortby: 'relevance', fields: ['Smoking', 'height'] },
      mary.id,
    );
    expect(body).toMatchObject({ fields: ['smoking', 'height'] });
    expect(await shown(body.id)).toEqual([{ name: 'smoking' }, { name: 'height' }]);
    expect(await shown(body.id, { fields: ['i_art'] })).toEqual([{ name: 'i_art' }]);
    for (const fields of [['religion'], ['hight']]) {
      expect((await save({ name: 'Not shown', age, fields }, mary.id)).body).toEqual({
        fail: 'Invalid Argument',
      });
      const changed = await service.call(mary.id, 'post', `${path}/${body.id}`, { fields });
      expect([changed.status, changed.body]).toEqual([403, { fail: 'Invalid Argument' }]);
    }
    const site = service.context.sites.get(mary.siteid);
    site?.rejected_fields.push('smoking');
    expect(await shown(body.id)).toEqual([{ name: 'height' }]);
    site?.rejected_fields.pop();
    await service.call(mary.id, 'delete', `${path}/${body.id}`);
  });

  it('are returned as they are stored: half a surrogate pair becomes a replacement character', async () => {
    const { body } = await save({ name: 'Cut \ud83d', age, keywords: { value: 'cut \ud83d' } }, mary.id);
    expect(body).toMatchObject({ name: 'Cut \ufffd', keywords: { value: 'cut \ufffd' } });
    expect((await service.call(mary.id, 'get', `${path}/${body.id}`)).body).toEqual(body);
    await service.call(mary.id, 'delete', `${path}/${body.id}`);
  });

  it('are created, listed by name, read, changed, run and deleted', async () => {
    const smoking = { values: [10] };
    const second = await save({ name: ' Two ', age, smoking, sortby: 'relevance', exclude: 'none' });
    const { id } = second.body;
    const two = { id, name: 'Two', age, smoking, sortby: 'relevance', exclude: ['none'] };
    expect([second.status, second.body]).toEqual([200, two]);
    const first = await save({ name: 'One', age, country: { value: 'de' } });
    expect(await list(nora.id)).toEqual([first.body, two]);
    expect((await service.call(nora.id, 'get', `${path}/${id}`)).body).toEqual(two);

    const run = await service.call(nora.id, 'post', `${path}/${id}/run`);
    expect(run.body).toMatchObject({ totalmatches: 3, page: 1, pagesize: 20 });
    expect(run.body.users[0]).toMatchObject({ relevance: 1, exactmatch: true });
    const abroad = await service.call(nora.id, 'post', `${path}/${first.body.id}/run`, {
      pagesize: '5',
      explain: true,
    });
    expect(abroad.body).toMatchObject({ totalmatches: 1, pagesize: 5, users: [{ id: 5 }] });
    expect(abroad.body.users[0].explanation).toHaveLength(2);

    const change = { smoking: null, country: { value: 'US' }, pagesize: 1 };
    const changed = await service.call(nora.id, 'post', `${path}/${id}`, change);
    const { smoking: _smoking, ...rest } = two;
    expect(changed.body).toEqual({ ...rest, country: { value: 'US' }, pagesize: 1 });
    const again = await service.call(nora.id, 'post', `${path}/${id}/run`, { page: 2 });
    expect(again.body).toMatchObject({ totalmatches: 2, page: 2, pagesize: 1, currentpagesize: 1 });

    const gone = await service.call(nora.id, 'delete', `${path}/${id}`);
    expect([gone.status, gone.body]).toEqual([200, {}]);
    expect((await service.call(nora.id, 'delete', `${path}/${id}`)).status).toBe(404);
    expect((await list(nora.id)).map(({ name }) => name)).toEqual(['One']);
  });

  it('lose none of several concurrent changes', async () => {
    const { id } = (await save({ name: 'Mine', age }, iris.id)).body as { id: string };
    const changes = {
      smoking: { value: 10 },
      drinking: { value: 10 },
      photo: { value: 'true' },
      country: { value: 'US' },
      sortby: 'newest',
    };
    const answers = await Promise.all(
      Object.entries(changes).map(([name, value]) =>
        service.call(iris.id, 'post', `${path}/${id}`, { [name]: value }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    const { body } = await service.call(iris.id, 'get', `${path}/${id}`);
    expect(body).toEqual({ id, name: 'Mine', age, ...changes });
    await service.call(iris.id, 'delete', `${path}/${id}`);
  });

  it.each<[name: string, body: object, codes: number[]]>([
    ['no name', { age }, [20222]],
    ['a name that is null', { name: null, age }, [20222]],
    ['an empty name', { name: '  ', age }, [20223]],
    ['a name that shows nothing', { name: '\u200b\u3164', age }, [20223]],
    ['a name of 33 characters', { name: 'x'.repeat(33), age }, [20223]],
    ['a name that is a map', { name: { $gt: '' }, age }, [20223]],
    ['an id', { name: 'with an id', id: '7', age }, [20224]],
    ['no age', { name: 'ageless' }, [31012]],
    ['two places', { name: 'places', age, zipcode: { value: '68508' }, state: { value: 'Ohio' } }, [31013]],
    ['a platinum criterion', { name: 'rich', age, income: { value: 10 } }, [31008]],
    [
      'texts that are too long together',
      { name: 'long', age, keywords: { values: ['x'.repeat(250), 'y'.repeat(251)] } },
      [31009],
    ],
    ['a small within', { name: 'near', age, location: { within: 20 } }, [31007]],
    ['several', { name: '', id: 1, smoking: {}, bogus: 1 }, [20223, 20224, 31012, 31003, 31009]],
  ])('are refused with %s', async (_name, body, failcode) => {
    const answer = await save(body);
    expect([answer.status, answer.body]).toEqual(refusal(failcode));
  });

  it('have names of up to 32 characters that are unique per member', async () => {
    const name = 'ä'.repeat(32);
    const { body } = await save({ name, age }, iris.id);
    expect((await save({ name, age }, iris.id)).body).toEqual(refusal([20225])[1]);
    expect((await save({ name, age })).status).toBe(200);
    const other = await save({ name: 'other', age }, iris.id);
    const renamed = await service.call(iris.id, 'post', `${path}/${other.body.id}`, { name });
    expect([renamed.status, renamed.body]).toEqual(refusal([20225]));
    const same = await service.call(iris.id, 'post', `${path}/${body.id}`, { name });
    expect(same.status).toBe(200);
    const attempts = await Promise.all([1, 2, 3, 4].map(() => save({ name: 'race', age }, iris.id)));
    expect(attempts.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(attempts.filter(({ body: one }) => one.failcode?.includes(20225))).toHaveLength(3);
  });

  it('are checked as a whole when they change', async () => {
    const { body } = await save({ name: 'whole', age, state: { value: 'Nebraska' } });
    const change = (parameters: object) =>
      service.call(nora.id, 'post', `${path}/${body.id}`, parameters).then((answer) => answer.body.failcode);
    expect(await change({ age: null })).toEqual([31012]);
    expect(await change({ zipcode: { value: '68508' } })).toEqual([31013]);
    expect(await change({ name: '', smoking: { value: 1 } })).toEqual([20223, 31009]);
    expect(await change({ name: null })).toEqual([20222]);
    expect(await change({ zipcode: { value: '68508' }, state: null })).toBeUndefined();
  });

  it('belong to one member', async () => {
    const { body } = await save({ name: 'private', age });
    for (const [method, suffix] of [
      ['get', ''],
      ['post', ''],
      ['delete', ''],
      ['post', '/run'],
    ] as const) {
      expect((await service.call(iris.id, method, `${path}/${body.id}${suffix}`)).status).toBe(404);
    }
    expect((await service.call(nora.id, 'get', `${path}/bogus`)).status).toBe(404);
    expect((await service.call(nora.id, 'get', `${path}/${body.id}`)).body).toEqual(body);
  });

  it('keep what was stored when control parameters are empty', async () => {
    const empty = { sortby: '', page: '', pagesize: '' };
    const plainly = await save({ name: 'plainly', age, ...empty });
    expect(plainly.body).toEqual({ id: plainly.body.id, name: 'plainly', age });
    const { body } = await save({ name: 'chosen', age, sortby: 'newest', pagesize: 2 });
    expect((await service.call(nora.id, 'post', `${path}/${body.id}`, empty)).body).toEqual(body);
    const run = await service.call(nora.id, 'post', `${path}/${body.id}/run`, empty);
    expect(run.body).toMatchObject({ page: 1, pagesize: 2 });
    for (const { id } of [plainly.body, body]) await service.call(nora.id, 'delete', `${path}/${id}`);
  });

  it('reject criteria and invalid control parameters when they are run', async () => {
    const { body } = await save({ name: 'strict', age });
    for (const parameters of [{ smoking: { value: 10 } }, { page: 0 }, { sortby: 'random' }]) {
      const answer = await service.call(nora.id, 'post', `${path}/${body.id}/run`, parameters);
      expect([answer.status, answer.body]).toEqual(refusal());
    }
  });

  it('answer as a search does after the membership has ended', async () => {
    service.profile.platinum.add(nora.id);
    const near = await save({ name: 'near', age, location: { within: 20 } });
    const rich = await save({ name: 'rich', age, income: { value: 10 } });
    service.profile.platinum.delete(nora.id);
    const refused = await service.call(nora.id, 'post', `${path}/${near.body.id}/run`);
    expect([refused.status, refused.body]).toEqual(refusal([31007]));
    const ignored = await service.call(nora.id, 'post', `${path}/${rich.body.id}/run`);
    expect(ignored.body).toMatchObject({ totalmatches: 3 });
    expect(ignored.body.users[0]).toMatchObject({ relevance: 1 });
  });

  it('are at most 100', async () => {
    const before = (await list(iris.id)).length;
    for (let made = before; made < 99; made += 1) {
      expect((await save({ name: `n${made}`, age }, iris.id)).status).toBe(200);
    }
    // Concurrent calls for the last place.
    await Promise.all(upTo(5).map((at) => save({ name: `at once ${at}`, age }, iris.id)));
    const count = (await list(iris.id)).length;
    expect([99, 100]).toContain(count);
    if (count < 100) await save({ name: 'the last', age }, iris.id);
    const answer = await save({ name: 'one more', age }, iris.id);
    expect([answer.status, answer.body]).toEqual(refusal());
    expect(await list(iris.id)).toHaveLength(100);
  });
});
