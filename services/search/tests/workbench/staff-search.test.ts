import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startService, type ServiceUnderTest } from '../harness.ts';
import { person } from '../person.ts';

let service: ServiceUnderTest;
beforeAll(async () => {
  service = await startService('staffsearch', { members: [person(1, 'Female'), person(2, 'Male')] });
});
afterAll(() => service?.close());

const statusesOf = async (roles: Record<string, string[]>) => [
  (await service.asStaff(roles, '/staff/search/index')).status,
  (await service.asStaff(roles, '/staff/search/settings')).status,
];

describe('calls of the search team and operators', () => {
  it.each([
    [{ '*': ['search'] }, [200, 200]],
    [{ '*': ['operator'] }, [200, 403]],
    [{ '*': ['admin'] }, [200, 200]],
    [{ '*': ['moderator', 'support'] }, [403, 403]],
    // Every site shares the index and the analysis.
    [{ 1: ['search', 'operator', 'admin'] }, [403, 403]],
  ])('answer index and settings to %j: %j', async (roles, statuses) => {
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
      shadow: null,
    });
    await service.engine.indices.delete({ index: live ?? '' });
    const missing = await state();
    expect([missing.status, missing.headers['retry-after']]).toEqual([503, '2']);
    await service.context.index.reconciler.reconcile();
    expect((await state()).status).toBe(200);
  });
});
