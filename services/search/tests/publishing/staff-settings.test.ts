import { createTcpProxy } from '@covalence/testing/tcp-proxy';
import { testStores } from '@covalence/testing/test-stores';
import { until } from '@covalence/testing/until';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { publishSettings } from '../../src/publishing/publish-settings.ts';
import { staffId, startService, type ServiceUnderTest } from '../harness.ts';
import { person } from '../person.ts';

const [anna, ben, carl] = [1, 2, 3];
const members = [
  person(anna, 'Female'),
  person(ben, 'Male', { traits: { smoking: 10, drinking: 40 } }),
  person(carl, 'Male', { traits: { smoking: 30, drinking: 10 } }),
];
const path = '/staff/search/settings';
const team = { '*': ['search'] };

let service: ServiceUnderTest;
beforeAll(async () => {
  service = await startService('staffsettings', { members });
});
afterAll(() => service?.close());

const show = async (query = '') => service.asStaff(team, `${path}${query}`);
const publish = async (body: object, roles: Record<string, string[]> = team) =>
  service.asStaff(roles, path, body);
const newest = async () => service.context.settings.store.newest();
const rollBack = async (body: object) =>
  service.asStaff(team, `${path}/rollback`, { after: await newest(), ...body });
const ofFile = () => service.context.settings.active.ofFile;
/** Anna's results for two criteria, each of which one man meets. */
const order = async () => {
  const { users } = await service.search(anna, {
    age: { from: 18, to: 99 },
    smoking: { value: 10 },
    drinking: { value: 10 },
    sortby: 'relevance',
  });
  return users.map(({ id }) => id);
};
/** The settings of the file with a change. */
const relevance = (change: object) => ({ relevance: { ...ofFile(), ...change } });
const weights = (smoking: number, drinking: number) => ({
  ...ofFile(),
  weights: { smoking, drinking },
});

describe('the settings of searches', () => {
  it('are those of the file and without synonyms before anything is published', async () => {
    const { status, body } = await show();
    expect([status, body]).toEqual([
      200,
      { version: 0, languages: {}, relevance: null, file: ofFile(), versions: [] },
    ]);
  });

  it('are in force once they are published, and in the list with who published them', async () => {
    const recorded = jest.spyOn(service.context.security, 'record');
    const first = await publish({ after: 0, note: 'drinkers', relevance: weights(1, 9) });
    expect([first.status, first.body]).toEqual([200, { version: 1, ended: null }]);
    expect(await order()).toEqual([carl, ben]);
    expect((await publish({ after: 1, relevance: weights(9, 1) })).status).toBe(200);
    expect(await order()).toEqual([ben, carl]);
    const facts = { staff: staffId, reason: 'search_settings_published' };
    expect(recorded.mock.calls).toEqual([
      ['staff_decision', { ...facts, version: 1 }],
      ['staff_decision', { ...facts, version: 2 }],
    ]);
    recorded.mockRestore();
    const at = expect.stringMatching(/Z$/);
    expect((await show()).body).toMatchObject({
      version: 2,
      relevance: weights(9, 1),
      versions: [
        { version: 2, at, note: '', of: null, by: staffId },
        { version: 1, at, note: 'drinkers', of: null, by: staffId },
      ],
    });
    expect((await show('?version=1')).body).toMatchObject({ version: 1, relevance: weights(1, 9) });
    expect((await show('?version=77')).status).toBe(404);
    expect((await show('?version=x')).status).toBe(403);
  });

  it('keep the part that a publication leaves out, and take null for the file', async () => {
    const before = await newest();
    const languages = { en: { synonyms: ['dog, puppy'], protected: [] } };
    await publish({ after: before, languages });
    expect((await show()).body).toMatchObject({ languages, relevance: weights(9, 1) });
    await publish({ after: before + 1, relevance: null });
    expect((await show()).body).toMatchObject({ languages, relevance: null });
  });

  it('go back to an older version, as a new one', async () => {
    const before = await newest();
    const recorded = jest.spyOn(service.context.security, 'record');
    const back = await rollBack({ version: 1, note: 'not better' });
    expect([back.status, back.body]).toEqual([200, { version: before + 1, ended: null }]);
    expect(await order()).toEqual([carl, ben]);
    expect(recorded.mock.calls).toEqual([
      ['staff_decision', { staff: staffId, reason: 'search_settings_rolled_back', version: before + 1 }],
    ]);
    recorded.mockRestore();
    expect((await show()).body.versions[0]).toMatchObject({ of: 1, note: 'not better', by: staffId });
    expect((await rollBack({ version: 0 })).status).toBe(200);
    expect((await show()).body).toMatchObject({ languages: {}, relevance: null });
    expect((await rollBack({ version: 999 })).status).toBe(404);
    expect((await rollBack({ version: -1 })).status).toBe(403);
    // Somebody has published since.
    const late = await service.asStaff(team, `${path}/rollback`, { after: before, version: 1 });
    expect([late.status, late.body]).toEqual([409, { fail: 'Conflict' }]);
    expect((await service.asStaff(team, `${path}/rollback`, { version: 1 })).status).toBe(403);
  });
});

describe('a publication of settings', () => {
  it('is refused when somebody published since, also at the same moment', async () => {
    const before = await newest();
    for (const after of [before - 1, before + 1]) {
      const { status, body } = await publish({ after, relevance: null });
      expect([status, body]).toEqual([409, { fail: 'Conflict' }]);
    }
    const both = await Promise.all(
      [2, 3].map((smoking) => publish({ after: before, relevance: weights(smoking, 1) })),
    );
    expect(new Set(both.map(({ status }) => status))).toEqual(new Set([200, 409]));
    expect(await newest()).toBe(before + 1);
  });

  it('names each part that is not valid, and changes nothing', async () => {
    const before = await newest();
    const refused = async (body: object) => {
      const answer = await publish({ after: before, ...body });
      expect([answer.status, answer.body.fail]).toEqual([403, 'Invalid Argument']);
      return (answer.body.problems as { path: string; problem: string }[]).map(
        ({ path: at, problem }) => `${at}: ${problem}`,
      );
    };
    expect(await refused({})).toEqual([': has neither languages nor relevance']);
    expect(await refused(relevance({ weights: { smoking: 0, dinosaur: 3 } }))).toEqual([
      'relevance.weights.smoking: Too small: expected number to be >=1',
      'relevance.weights.dinosaur: is no criterion of the catalogue',
    ]);
    expect(await refused(relevance({ sites: { 99: {} } }))).toEqual([
      'relevance.sites.99: is no site of SITES_FILE',
    ]);
    expect(await refused(relevance({ version: 4 }))).toEqual(['relevance: Unrecognized key: "version"']);
    expect(await refused({ relevance: 'x', languages: [] })).toHaveLength(2);
    expect(await refused({ languages: { en: { synonyms: ['dog, puppy', 'a =>'] } } })).toEqual([
      'languages.en.synonyms.1: has no words on a side of =>',
    ]);
    expect(await newest()).toBe(before);
  });

  it('is bounded, and cannot reach a prototype', async () => {
    const before = await newest();
    const after = `"after":${before}`;
    const nested = `${'{"a":'.repeat(40)}1${'}'.repeat(40)}`;
    const named = (part: string) =>
      `{${after},"relevance":${JSON.stringify(ofFile()).replace('"sites":{', part)}}`;
    const bodies: [string, number][] = [
      [`{${after},"relevance":${nested}}`, 400],
      [`{${after},"languages":{"en":{"synonyms":["${'x'.repeat(1_100_000)}"]}}}`, 413],
      [`{${after},"languages":{"en":{"synonyms":["${'x'.repeat(600_000)}"]}}}`, 403],
      [named('"sites":{"constructor":{}'), 403],
      [named('"weights":{"constructor":5},"sites":{'), 403],
      [named('"weights":{"__proto__":5},"sites":{'), 403],
      [`{${after},"languages":{"__proto__":{"synonyms":["a, b"]}}}`, 403],
    ];
    for (const [body, status] of bodies) {
      const answer = await service.asStaff(team, path, body);
      expect([body.slice(0, 90), answer.status]).toEqual([body.slice(0, 90), status]);
    }
    expect(await newest()).toBe(before);
    expect(({} as Record<string, unknown>)['synonyms']).toBeUndefined();
    const long = { after: before, note: 'x'.repeat(201), relevance: null };
    expect((await publish(long)).status).toBe(403);
  });

  it('that needs another index is left to the command line, and so is such a rollback', async () => {
    const before = await newest();
    const { status, body } = await publish({ after: before, languages: { en: { stemmer: 'English' } } });
    expect([status, body.problems]).toEqual([
      403,
      [
        {
          path: 'languages',
          problem:
            'needs an index with other stems, which takes minutes: run `covalence search-settings publish <file>`',
        },
      ],
    ]);
    expect(await newest()).toBe(before);
    const { store } = service.context.settings;
    const languages = { en: { synonyms: [], stemmer: 'English' as const, protected: [] } };
    const entry = { note: '', of: null, by: null, at: new Date() };
    await store.add({ version: before + 1, content: { languages, relevance: null }, ...entry });
    await store.add({ version: before + 2, content: { languages: {}, relevance: null }, ...entry });
    const refused = await rollBack({ version: before + 1 });
    expect([refused.status, refused.body.problems]).toEqual([
      403,
      [{ path: 'version', problem: expect.stringContaining(`search-settings rollback ${before + 1}`) }],
    ]);
    expect(await newest()).toBe(before + 2);
  });

  it.each([
    [{ 1: ['search'], 2: ['search'] }],
    [{ '*': ['support', 'moderator', 'operator'] }],
    [{ 1: ['admin'] }],
  ])('is refused to %j, because every site shares the settings', async (roles) => {
    const before = await newest();
    const given = roles as unknown as Record<string, string[]>;
    expect((await publish({ after: before, relevance: null }, given)).body).toEqual({ fail: 'Forbidden' });
    const back = await service.asStaff(given, `${path}/rollback`, { after: before, version: 0 });
    expect(back.body).toEqual({ fail: 'Forbidden' });
    expect(await newest()).toBe(before);
  });
});

describe('published settings', () => {
  it('reach every process within seconds', async () => {
    service.start();
    const other = await service.another({});
    const version = (await newest()) + 1;
    try {
      const content = { relevance: weights(1, 9) };
      await publishSettings({ content, note: '', of: null, by: null }, other);
    } finally {
      await other.close();
    }
    await until('the new version', async () => (await order())[0] === carl);
    expect((await service.call(anna, 'get', '/discover')).status).toBe(404);
    const discover = { ...ofFile(), discover: true };
    await publish({ after: version, relevance: discover });
    expect((await service.call(anna, 'get', '/discover')).status).toBe(200);
  });
});

describe('while MongoDB is down', () => {
  it('settings cannot be read nor published: 503', async () => {
    const line = await createTcpProxy(testStores().MONGODB_URL);
    const own = await startService('settingsaway', { members, environment: { MONGODB_URL: line.url } });
    try {
      line.cut();
      const answers = [
        await own.asStaff(team, path),
        await own.asStaff(team, path, { after: 0, relevance: null }),
        await own.asStaff(team, `${path}/rollback`, { after: 0, version: 0 }),
      ];
      expect(answers.map(({ status, headers }) => [status, headers['retry-after']])).toEqual([
        [503, '2'],
        [503, '2'],
        [503, '2'],
      ]);
    } finally {
      line.restore();
      await own.close();
      await line.close();
    }
  });
});
