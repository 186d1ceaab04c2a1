import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readAnalysis } from '../../src/analysis/read-analysis.ts';
import { publishAnalysis } from '../../src/workbench/publish-analysis.ts';
import { startSearch, type SearchUnderTest } from '../harness.ts';
import { person } from '../person.ts';

let service: SearchUnderTest;
beforeAll(async () => {
  service = await startSearch('staffsearch', [person(1, 'Female'), person(2, 'Male')]);
});
afterAll(() => service?.close());

const publish = (languages: object, note: string) => {
  const content = readAnalysis(JSON.stringify({ languages }));
  return publishAnalysis({ content, note, of: null }, service.context);
};
const statusesOf = async (roles: Record<string, string[]>) => [
  (await service.asStaff(roles, '/staff/search/index')).status,
  (await service.asStaff(roles, '/staff/search/analysis')).status,
];

const show = async (query = '') => service.asStaff({ '*': ['search'] }, `/staff/search/analysis${query}`);

describe('calls of the search team and operators', () => {
  it.each([
    [{ '*': ['search'] }, [200, 200]],
    [{ '*': ['operator'] }, [200, 403]],
    [{ '*': ['admin'] }, [200, 200]],
    [{ '*': ['moderator', 'support'] }, [403, 403]],
    // Every site shares the index and the analysis.
    [{ 1: ['search', 'operator', 'admin'] }, [403, 403]],
  ])('answer index and analysis to %j: %j', async (roles, statuses) => {
    expect(await statusesOf(roles as Record<string, string[]>)).toEqual(statuses);
  });

  it('show the state of the index, without which they are 503', async () => {
    const state = () => service.asStaff({ '*': ['operator'] }, '/staff/search/index');
    const { index, versions } = { ...service.context, ...service.context.index };
    const live = (await versions.live())?.index;
    expect((await state()).body).toEqual({
      live,
      mapping_version: index.mapping.version,
      mapping: 'as configured',
      complete: true,
      documents: 2,
      visible: 2,
      waiting_events: expect.any(Number),
      building: null,
      kept: null,
    });
    await service.engine.indices.delete({ index: live ?? '' });
    const missing = await state();
    expect([missing.status, missing.headers['retry-after']]).toEqual([503, '2']);
    await service.context.index.reconciler.reconcile();
    expect((await state()).status).toBe(200);
  });

  it('show what words find, now and in versions before', async () => {
    expect((await show()).body).toEqual({ version: 0, languages: {}, versions: [] });
    await publish({ en: { synonyms: ['dog, puppy'] } }, 'pets');
    await publish({ en: { synonyms: ['dog, hound'] } }, '');
    const at = expect.stringMatching(/Z$/);
    expect((await show()).body).toEqual({
      version: 2,
      languages: { en: { synonyms: ['dog, hound'], protected: [] } },
      versions: [
        { version: 2, at, note: '', of: null },
        { version: 1, at, note: 'pets', of: null },
      ],
    });
    expect((await show('?version=1')).body).toMatchObject({
      version: 1,
      languages: { en: { synonyms: ['dog, puppy'] } },
    });
    expect((await show('?version=3')).status).toBe(404);
    expect((await show('?version=x')).status).toBe(403);
  });
});
