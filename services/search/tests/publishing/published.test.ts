import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { until } from '@covalence/testing/until';
import { analysisSchema } from '../../src/analysis/analysis.ts';
import { noContent } from '../../src/settings/search-settings.ts';
import { runIndexCommand } from '../../src/index/maintenance/index-commands.ts';
import { publishSettings, rollBackSettings } from '../../src/publishing/publish-settings.ts';
import { person } from '../person.ts';
import { startService, type ServiceUnderTest } from '../harness.ts';

const [anna, berta] = [1, 2];
const texts = {
  10: 'A puppy in New York',
  11: 'My hound',
  12: 'A puppy and a dog',
  13: 'My dog in NYC',
  14: 'A pupppy of mine',
  15: 'puppy game',
  16: 'puppy gaming',
  17: 'hound game',
  18: 'hound gaming',
  19: 'football',
  20: 'soccer',
  21: 'Zwei alte Häuser',
  22: 'Welpe',
  23: 'Two houses',
};
const men = Object.entries(texts).map(([id, about_me]) =>
  person(Number(id), 'Male', { traits: { about_me } }),
);

/** The content of a version with these languages. */
const contentOf = (languages: object) => ({ ...noContent, ...analysisSchema.parse({ languages }) });

let service: ServiceUnderTest;

beforeAll(async () => {
  service = await startService('analysis', {
    members: [person(anna, 'Female'), person(berta, 'Female'), ...men],
  });
  service.profile.settings.set(berta, { locale: 'de_DE' });
});
afterAll(() => service?.close());

const publish = (languages: object) =>
  publishSettings({ content: contentOf(languages), note: '', of: null, by: null }, service.context);
const find = async (value: string, viewer = anna, more: object = {}) => {
  const { users } = await service.search(viewer, {
    age: { from: 18, to: 99 },
    keywords: { value },
    sortby: 'relevance',
    pagesize: 100,
    ...more,
  });
  return users.filter(({ exactmatch }) => exactmatch);
};
/** Outcomes of the `keywords` criterion by member. */
const explained = async (value: string) => {
  const users = await find(value, anna, { explain: true });
  return new Map(
    users.map(({ id, explanation = [] }) => [id, explanation.find((one) => one.criterion === 'keywords')]),
  );
};
const idsOf = async (value: string, viewer = anna) => (await find(value, viewer)).map(({ id }) => id);
const live = async () => (await service.context.index.versions.live())?.index;
const index = async (name: 'status' | 'rebuild' | 'rollback' | 'drop') => {
  const lines: string[] = [];
  const code = await runIndexCommand(name, service.context, (line) => lines.push(line));
  return { code, lines };
};

describe('synonyms', () => {
  it('apply as soon as they are published, without another index', async () => {
    expect(await idsOf('dog')).toEqual([12, 13]);
    const before = await live();
    expect(await publish({ en: { synonyms: ['dog, puppy'] } })).toEqual({ version: 1, rebuilt: null });
    expect(await live()).toBe(before);
    expect(new Set(await idsOf('dog'))).toEqual(new Set([10, 12, 13, 15, 16]));
  });

  it('come behind words as typed, of the same relevance, and before members who miss a criterion', async () => {
    const found = await find('dog');
    // Member 10 has a smaller id than those who have the word itself.
    expect(found.map(({ id }) => id)).toEqual([12, 13, 10, 15, 16]);
    expect(new Set(found.map(({ relevance }) => relevance))).toEqual(new Set([1]));
    const { users } = await service.search(anna, {
      age: { from: 18, to: 99 },
      keywords: { value: 'dog' },
      sortby: 'relevance',
      pagesize: 100,
    });
    const others = users.slice(found.length);
    expect(new Set(others.map(({ relevance }) => relevance)).size).toBe(1);
    expect(others.map(({ id }) => id)).toEqual(others.map(({ id }) => id).toSorted((a, b) => a - b));
  });

  it('are found by typos, in another form, but not with typos of their own', async () => {
    expect(await idsOf('dogz')).toEqual([10, 12, 13, 15, 16]);
    expect(await idsOf('pupppy')).toEqual([14, 10, 12, 13, 15, 16]);
    await publish({ en: { synonyms: ['flat, house'] } });
    expect(await idsOf('flat')).toEqual([23]);
    const { version } = await service.context.settings.active.refresh();
    expect(await rollBackSettings(undefined, service.context)).toMatchObject({
      from: version,
      of: version - 1,
    });
  });

  it('are named by an explanation, with their rule', async () => {
    const rule = 'dog, puppy';
    const byDog = await explained('dogz');
    expect(byDog.get(10)).toEqual({
      criterion: 'keywords',
      outcome: 'met',
      weight: 2,
      gave: expect.closeTo(2 / 6, 6),
      synonyms: [{ typed: 'dogz', found: 'puppy', rule }],
    });
    expect(byDog.get(13)).toMatchObject({ synonyms: [{ typed: 'dogz', found: 'dog', rule }] });
    expect((await explained('hound')).get(11)).not.toHaveProperty('synonyms');
    expect((await explained('dog')).get(13)).not.toHaveProperty('synonyms');
  });

  it('join several words with one, and replace a word one way', async () => {
    await publish({ en: { synonyms: ['nyc, new york', 'soccer => football'] } });
    expect(await idsOf('nyc')).toEqual([13, 10]);
    expect(await idsOf('new york')).toEqual([10, 13]);
    expect(await idsOf('dog nyc')).toEqual([13]);
    expect(await idsOf('soccer')).toEqual([19]);
    expect(await idsOf('football')).toEqual([19]);
    expect(await idsOf('dog')).toEqual([12, 13]);
  });

  it("belong to the searcher's language", async () => {
    await publish({ en: { synonyms: ['dog, puppy'] }, de: { synonyms: ['hund, welpe', 'dog, hound'] } });
    expect(await idsOf('hund', anna)).not.toContain(22);
    expect(await idsOf('hund', berta)).toContain(22);
    expect(await idsOf('dog', berta)).toEqual([12, 13, 11, 17, 18]);
  });

  it('cannot make a search expensive', async () => {
    const phrases = Array.from({ length: 20 }, (_, at) => `four words of ${'abcdefghijklmnopqrst'[at]}`);
    await publish({ en: { synonyms: [`a, ${phrases.slice(1).join(', ')}`, `b => ${phrases.join(', ')}`] } });
    const value = 'a b '.repeat(60).trim();
    const bodies: string[] = [];
    const { members } = service.context.index;
    const search = members.search.bind(members);
    Object.assign(members, {
      search: (body: object) => {
        bodies.push(JSON.stringify(body));
        return search(body);
      },
    });
    await find(value);
    await rollBackSettings(0, service.context);
    await find(value);
    Object.assign(members, { search });
    // Between them are those that try the settings.
    const ends = [bodies[0] ?? '', bodies.at(-1) ?? ''];
    const [expanded = 0, plain = 0] = ends.map((body) => body.split('"match"').length);
    // Each of the 40 words is matched in two fields, and that in the score and in exactmatch.
    expect(expanded - plain).toBeLessThanOrEqual(40 * 2 * 2);
    const fuzzy = ends.map((body) => body.split('"fuzziness"').length);
    expect(fuzzy[0]).toBeLessThanOrEqual(fuzzy[1] ?? 0);
  });
});

describe('stems', () => {
  it('are by language, leave protected words alone, and are built beside the live index', async () => {
    expect(await idsOf('haus', berta)).toEqual([]);
    expect(await idsOf('game')).toEqual([15, 16, 17, 18]);
    const before = await live();
    const { rebuilt } = await publish({
      en: { stemmer: 'English', protected: ['Gaming'] },
      de: { stemmer: 'German' },
    });
    expect(rebuilt).toBe(await live());
    expect(rebuilt).not.toBe(before);
    expect(await idsOf('haus', berta)).toEqual([21]);
    expect(await idsOf('haus', anna)).toEqual([]);
    expect(await idsOf('game')).toEqual([15, 17]);
    expect(await idsOf('gaming')).toEqual([16, 18]);
    expect(await index('status')).toMatchObject({ code: 0 });
  });

  it('go back without another index, and further back the second time', async () => {
    const before = await live();
    const stems = (await service.context.settings.active.refresh()).version;
    const { languages } = (await service.context.settings.active.refresh()).content;
    await publish({ en: { synonyms: ['cat, tom'] } });
    const last = (await publish(languages)).version;
    expect(await idsOf('game')).toEqual([15, 17]);
    const first = await rollBackSettings(undefined, service.context);
    expect(first).toMatchObject({ rebuilt: null, version: last + 1, from: last, of: last - 1 });
    expect(await idsOf('game')).toEqual([15, 16, 17, 18]);
    // Never to the one that the first left.
    const second = await rollBackSettings(undefined, service.context);
    expect(second).toMatchObject({ rebuilt: null, from: last + 1, of: stems });
    expect(await idsOf('game')).toEqual([15, 17]);
    await expect(rollBackSettings(0, service.context, { after: last })).rejects.toThrow(
      `made from version ${last}, but version ${last + 2} was published meanwhile`,
    );
    expect(await live()).toBe(before);
  });

  it('stay in a rebuilt index, and keep an index without them from coming back', async () => {
    expect((await index('rebuild')).code).toBe(0);
    expect(await idsOf('game')).toEqual([15, 17]);
    expect((await index('rollback')).code).toBe(0);
    await index('drop');
    await rollBackSettings(0, service.context);
    // Without the stems of the last version.
    await index('rebuild');
    await index('drop');
    await publish({ en: { stemmer: 'English', protected: ['game'] } });
    await expect(index('rollback')).rejects.toThrow('run covalence search-settings rollback first');
    await rollBackSettings(0, service.context);
    expect((await index('rollback')).code).toBe(0);
    const { store } = service.context.settings;
    const version = await store.newest();
    const content = contentOf({ en: { stemmer: 'Dutch' } });
    // As if the index was restored from before this version.
    await store.add({ version: version + 1, content, note: '', of: null, by: null, at: new Date() });
    await service.context.settings.active.refresh();
    expect(await idsOf('puppy')).toEqual([10, 12, 15, 16, 14]);
    const status = await index('status');
    expect([status.code, status.lines[2]]).toEqual([
      1,
      expect.stringMatching(/lacks forms_.*rebuild needed/),
    ]);
    expect((await index('rebuild')).code).toBe(0);
    expect((await index('status')).code).toBe(0);
  });
});

describe('an index', () => {
  it('has room for the stems of two versions with as many stemmers as there may be', async () => {
    const languages = ['da', 'de', 'en', 'es', 'fr', 'it', 'nl', 'sv'];
    const all = (word: string, more: string[] = []) =>
      Object.fromEntries(
        [...languages, ...more].map((name) => [name, { stemmer: 'Danish', protected: [word, name] }]),
      );
    expect((await publish(all('one'))).rebuilt).toBeTruthy();
    expect((await publish(all('two'))).rebuilt).toBeTruthy();
    expect((await service.context.index.versions.live())?.stems).toHaveLength(16);
    expect(() => contentOf(all('one', ['no']))).toThrow('more than 8 stemmers');
  });
});

describe('versions', () => {
  it('never mix in a search nor make it fail while they are published and rolled back', async () => {
    await publish({ en: { synonyms: ['dog, puppy'], stemmer: 'English', protected: ['gaming'] } });
    const first = new Set([15]);
    const second = new Set([17, 18]);
    expect(new Set(await idsOf('dog game'))).toEqual(first);
    const ended = new AbortController();
    const results: Set<number>[] = [];
    const searching = (async () => {
      while (!ended.signal.aborted) results.push(new Set(await idsOf('dog game')));
    })();
    const { version } = await publish({
      en: { synonyms: ['dog, hound'], stemmer: 'English', protected: ['dogma'] },
    });
    for (let turn = 1; turn <= 10; turn += 1)
      await rollBackSettings(turn % 2 ? version - 1 : version, service.context);
    expect(
      (await publish({ en: { synonyms: ['dog, puppy'], stemmer: 'English', protected: ['gaming', 'x'] } }))
        .rebuilt,
    ).toBeTruthy();
    ended.abort();
    await searching;
    expect(results.length).toBeGreaterThan(10);
    for (const found of results) expect([first, second]).toContainEqual(found);
    expect(results).toContainEqual(second);
  });

  it('reach every process within seconds', async () => {
    service.start();
    const other = await service.another({});
    const content = contentOf({ en: { synonyms: ['cat, hound'] } });
    try {
      await publishSettings({ content, note: '', of: null, by: null }, other);
    } finally {
      await other.close();
    }
    const found = await until('the new version', async () => {
      const ids = await idsOf('cat');
      return ids.length > 0 && ids;
    });
    expect(found).toContain(11);
  });

  it('are listed with their notes, and publishing one that is not the newest is refused', async () => {
    const { store } = service.context.settings;
    const [last] = await store.list();
    const content = contentOf({});
    const both = await Promise.allSettled(
      ['one', 'two'].map((note) => publishSettings({ content, note, of: null, by: null }, service.context)),
    );
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(both.find((one) => one.status === 'rejected')?.reason).toMatchObject({
      message: expect.stringMatching(/version \d+ was published meanwhile/),
    });
    const again = await rollBackSettings(last?.version, service.context);
    expect(again).toMatchObject({ version: (last?.version ?? 0) + 2, of: last?.version });
    const [newest, before] = await store.list();
    expect(newest).toMatchObject({ version: again.version, of: last?.version, note: '' });
    expect(before).toMatchObject({ of: null, note: expect.stringMatching(/^(one|two)$/) });
    await expect(rollBackSettings(999, service.context)).rejects.toThrow('There is no version 999');
  });
});
