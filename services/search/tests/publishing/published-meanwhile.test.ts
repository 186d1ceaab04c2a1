import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { analysisSchema, compileAnalysis } from '../../src/analysis/analysis.ts';
import { noContent } from '../../src/settings/search-settings.ts';
import { runIndexCommand } from '../../src/index/maintenance/index-commands.ts';
import { rebuildIndex, rollBackIndex } from '../../src/index/maintenance/rebuild.ts';
import { publishSettings, rollBackSettings } from '../../src/publishing/publish-settings.ts';
import { startService, type ServiceUnderTest } from '../harness.ts';
import { person } from '../person.ts';

const contentOf = (languages: object) => ({ ...noContent, ...analysisSchema.parse({ languages }) });

let service: ServiceUnderTest;

beforeAll(async () => {
  service = await startService('analysismeanwhile', { members: [person(1, 'Female'), person(2, 'Male')] });
});
afterAll(() => service?.close());

const live = async () => (await service.context.index.versions.live())?.index;
const run = (name: 'status' | 'rebuild') => runIndexCommand(name, service.context, () => {});

/** As another process does. */
const publishElsewhere = async (languages: object) => {
  const { store } = service.context.settings;
  const version = await store.newest();
  await store.add({
    version: version + 1,
    content: contentOf(languages),
    note: '',
    of: null,
    by: null,
    at: new Date(),
  });
  return version + 1;
};

describe('a version that somebody else publishes meanwhile', () => {
  it('keeps an index without its stems from going live', async () => {
    await rollBackSettings(0, service.context);
    const before = await live();
    const stems = { en: { stemmer: 'Swedish' } };
    const rebuilding = rebuildIndex(service.context.index, {
      onSwap: async () => void (await publishElsewhere(stems)),
    });
    await expect(rebuilding).rejects.toThrow(
      /^the analysis in force has changed; the live index stays: run rebuild again; nothing is left of /,
    );
    expect(await live()).toBe(before);
    expect(await run('rebuild')).toBe(0);
    expect(await run('status')).toBe(0);
    // The previous index lacks the stems; they are needed from the repair on.
    await rollBackSettings(0, service.context);
    const { versions } = service.context.index;
    let reads = 0;
    const needed = async () => ((reads += 1) === 1 ? [] : compileAnalysis(contentOf(stems)).stems);
    await expect(rollBackIndex({ ...service.context.index, stems: needed })).rejects.toThrow(
      'does not stem as the analysis in force',
    );
    expect((await versions.live())?.stems).toContain(compileAnalysis(contentOf(stems)).stems[0]?.name);
  });

  it('brings the live index back that has its stems, even if it comes between the last check and the swap', async () => {
    const stems = { en: { stemmer: 'Danish' } };
    const content = contentOf(stems);
    await publishSettings({ content, note: '', of: null, by: null }, service.context);
    await rollBackSettings(0, service.context);
    const before = await live();
    const { index } = service.context;
    const promote: typeof index.versions.promote = async (next) => {
      await publishElsewhere(stems);
      await index.versions.promote(next);
    };
    const late = { ...index, versions: { ...index.versions, promote } };
    await expect(rebuildIndex(late)).rejects.toThrow(
      /^the analysis in force has changed; the live index stays: run rebuild again; nothing is left of /,
    );
    expect(await live()).toBe(before);
    expect(await run('status')).toBe(0);
    await rollBackSettings(0, service.context);
  });

  it('is noticed before an index for another one goes live', async () => {
    const before = await live();
    const content = contentOf({ en: { stemmer: 'Finnish' } });
    const publishing = publishSettings(
      { content, note: '', of: null, by: null, onRebuild: () => void (meanwhile = publishElsewhere({})) },
      service.context,
    );
    let meanwhile: Promise<number> | undefined;
    await expect(publishing).rejects.toThrow(/was published meanwhile.*; nothing is left of /);
    expect(await service.context.settings.store.newest()).toBe(await meanwhile);
    expect(await live()).toBe(before);
  });

  it('is not replaced by a change of the one before, nor by a rollback from it', async () => {
    const { store } = service.context.settings;
    const after = await publishElsewhere({ en: { synonyms: ['cat, kitten'] } });
    const newest = await publishElsewhere({ en: { synonyms: ['cat, tom'] } });
    const content = contentOf({});
    for (const wrong of [after, newest + 1]) {
      await expect(
        publishSettings({ content, note: '', of: null, by: null, after: wrong }, service.context),
      ).rejects.toThrow(`made from version ${wrong}, but version ${newest} was published meanwhile`);
    }
    const read = store.read.bind(store);
    const late = Object.assign(Object.create(store) as typeof store, {
      read: async (version: number) => {
        await publishElsewhere({});
        return read(version);
      },
    });
    const context = { ...service.context, settings: { ...service.context.settings, store: late } };
    await expect(rollBackSettings(undefined, context)).rejects.toThrow('was published meanwhile');
    expect(await store.newest()).toBe(newest + 1);
    await publishSettings({ content, note: '', of: null, by: null, after: newest + 1 }, service.context);
    expect(await store.newest()).toBe(newest + 2);
  });
});
