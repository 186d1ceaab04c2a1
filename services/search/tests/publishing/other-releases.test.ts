import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createApp } from '../../src/app.ts';
import { runIndexCommand } from '../../src/index/maintenance/index-commands.ts';
import { publishSettings, rollBackSettings } from '../../src/publishing/publish-settings.ts';
import { startService, type ServiceUnderTest } from '../harness.ts';
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
  service = await startService('otherreleases', { members });
});
afterAll(() => service?.close());
beforeEach(() => service.publish({ relevance: weights(1, 9), languages: {} }));

const weights = (smoking: number, drinking: number) => ({
  ...service.context.settings.active.ofFile,
  weights: { smoking, drinking },
});
const newest = () => service.context.settings.store.newest();
/** A version that another release published. */
async function publishElsewhere(content: object): Promise<number> {
  const version = (await newest()) + 1;
  const [model] = Object.values(service.context.connection.models).filter(
    ({ collection }) => collection.name === 'settings',
  );
  await model?.create({ _id: version, content, at: new Date(), note: 'from there', of: null, by: null });
  await service.context.settings.active.refresh();
  return version;
}
const asked = {
  age: { from: 18, to: 99 },
  smoking: { value: 10 },
  drinking: { value: 10 },
  sortby: 'relevance',
};
const drinkersFirst = [carl, ben];
const order = async (process = createApp(service.context)) => {
  const { status, body } = await service.post(anna, asked, process);
  return status === 200 ? (body.users as { id: number }[]).map(({ id }) => id) : status;
};

describe('a version of another release', () => {
  it('is in force without what that release has added', async () => {
    const relevance = { ...weights(9, 1), new_setting: 1, text: { ...weights(9, 1).text, new_too: true } };
    const languages = { en: { synonyms: ['dog, puppy'], protected: [], compounds: [] } };
    const version = await publishElsewhere({ languages, relevance, new_part: {} });
    expect(await order()).toEqual([ben, carl]);
    const { status, body } = await service.asStaff(team, path);
    expect([status, body]).toMatchObject([200, { version, relevance: weights(9, 1) }]);
  });

  describe.each([
    ['no languages', { relevance: null }],
    ['rules in another form', { languages: { en: { synonyms: [{ from: 'dog' }] } }, relevance: null }],
    ['a stemmer that is not known', { languages: { en: { stemmer: 'Klingon' } }, relevance: null }],
    ['weights of another catalogue', { languages: {}, relevance: 'dinosaur' }],
    ['nothing', 'nothing'],
  ])('with %s', (_what, given) => {
    const content = () =>
      given === 'nothing'
        ? {}
        : (given as { relevance: unknown }).relevance === 'dinosaur'
          ? { languages: {}, relevance: { ...weights(9, 1), weights: { dinosaur: 9 } } }
          : (given as object);

    it('leaves the version before in force, also in processes that start', async () => {
      const before = await newest();
      const version = await publishElsewhere(content());
      expect(await order()).toEqual(drinkersFirst);
      const other = await service.another({});
      try {
        expect(await order(createApp(other))).toEqual(drinkersFirst);
        expect(await runIndexCommand('status', other, () => {})).toBe(0);
      } finally {
        await other.close();
      }
      const { status, body } = await service.asStaff(team, path);
      expect([status, body.version, body.versions[0].version]).toEqual([200, before, version]);
      expect((await service.asStaff(team, `${path}?version=${version}`)).status).toBe(404);
      const text = await service.context.metrics.registry.metrics();
      expect(text).toMatch(new RegExp(`search_settings_version\\{state="newest"[^}]*\\} ${version}\n`));
      expect(text).toMatch(new RegExp(`search_settings_version\\{state="in_force"[^}]*\\} ${before}\n`));
    });

    it('does not keep anybody from publishing, nor from going back', async () => {
      const version = await publishElsewhere(content());
      const languages = { en: { synonyms: ['dog, puppy'], protected: [] } };
      const published = await service.asStaff(team, path, { after: version, languages });
      expect([published.status, published.body]).toEqual([200, { version: version + 1, ended: null }]);
      // The rest is what was in force.
      expect(await order()).toEqual(drinkersFirst);
      const refused = await service.asStaff(team, `${path}/rollback`, { after: version + 1, version });
      expect([refused.status, refused.body.problems]).toEqual([
        403,
        [{ path: 'version', problem: `${version} is from another release and cannot be read` }],
      ]);
      await publishElsewhere(content());
      expect(await rollBackSettings(version - 1, service.context)).toMatchObject({ version: version + 3 });
      await publishElsewhere(content());
      const context = service.context;
      const publication = { content: { relevance: null }, note: '', of: null, by: null };
      expect(await publishSettings(publication, context)).toMatchObject({ version: version + 5 });
    });
  });

  it('is followed when the collection is restored from a time with fewer versions', async () => {
    const version = await newest();
    await service.publish({ relevance: weights(9, 1) });
    expect(await order()).toEqual([ben, carl]);
    await service.context.connection.collection<{ _id: number }>('settings').deleteOne({ _id: version + 1 });
    await service.context.settings.active.refresh();
    expect(await order()).toEqual(drinkersFirst);
    await service.publish({ relevance: weights(9, 1) });
    expect(await newest()).toBe(version + 1);
  });
});
