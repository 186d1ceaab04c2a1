import { newEvent } from '@covalence/events/new-event';
import { serviceAuthorization } from '@covalence/testing/service-tokens';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import request from 'supertest';
import { createApp } from '../../../src/app.ts';
import type { Context } from '../../../src/context.ts';
import { requireStems } from '../../../src/evaluation/compare-settings.ts';
import { runIndexCommand, type IndexCommand } from '../../../src/index/maintenance/index-commands.ts';
import { onMemberChanged } from '../../../src/index/on-member-changed.ts';
import type { SettingsChange } from '../../../src/settings/search-settings.ts';
import { startService, type ServiceUnderTest } from '../../harness.ts';
import { person } from '../../person.ts';
import { testNow } from '../../population.ts';

const nora = 1;
const [walker, runner] = [2, 3];
const man = (id: number, about_me: string, version = 1) =>
  person(id, 'Male', { version, traits: { about_me } });
const criteria = { age: { from: 18, to: 99 }, keywords: { value: 'walked' } };
const shipped = new URL('../../../settings/mapping.json', import.meta.url);

let folder: string;
let service: ServiceUnderTest;
/** A process with a mapping that stems words in German, so that no other form of an English word is found. */
let changed: Context;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'covalence-mapping-'));
  const file = join(folder, 'mapping.json');
  const text = readFileSync(shipped, 'utf8').replace('"language": "English"', '"language": "German"');
  writeFileSync(file, text.replace(/"version": \d+/, '"version": 99'));
  service = await startService('shadow', {
    members: [person(nora, 'Female'), man(walker, 'walking'), man(runner, 'running')],
  });
  changed = await service.another({ MAPPING_FILE: file });
});
afterAll(async () => {
  await changed?.close();
  await service?.close();
  rmSync(folder, { recursive: true, force: true });
});

const run = async (name: IndexCommand, context = changed) => {
  const lines: string[] = [];
  const code = await runIndexCommand(name, context, (line) => lines.push(line));
  return { code, lines };
};
const compare = (body: object = {}) =>
  service.asStaff({ '*': ['search'] }, '/staff/search/comparisons', { member: nora, criteria, ...body });
const exactIn = (variant: { users: { id: number; exactmatch: boolean }[] } | null) =>
  variant?.users.flatMap(({ id, exactmatch }) => (exactmatch ? [id] : []));
const inShadow = async (id: number) => {
  const index = `${service.namespace}-members-shadow`;
  await service.engine.indices.refresh({ index });
  const { hits } = await service.engine.search({ index, query: { term: { id } } });
  return hits.hits.map(({ _source }) => _source as { visible: boolean; keywords?: string[] });
};
const stateOf = async () =>
  (await service.asStaff({ '*': ['search'] }, '/staff/search/index')).body as { shadow: object | null };

const later = (days: number) => new Date(testNow.getTime() + days * 86_400_000 + 1);

describe('a shadow of the index', () => {
  it('is needed for a comparison with it', async () => {
    const { status, body } = await compare({ index: 'shadow' });
    expect([status, body.problems]).toEqual([
      403,
      [{ path: 'index', problem: expect.stringContaining('covalence index shadow') }],
    ]);
    expect((await stateOf()).shadow).toBeNull();
    expect((await compare({ index: 'previous' })).status).toBe(403);
  });

  it('has the configured mapping, for comparisons and no search of a member', async () => {
    const live = await service.context.index.versions.live();
    const { code, lines } = await run('shadow');
    expect([code, lines.at(-2)]).toEqual([
      0,
      `shadow: ${service.namespace}-members-000002, mapping version 99, 3 members`,
    ]);
    const { body } = await compare({ index: 'shadow' });
    expect([exactIn(body.current), exactIn(body.changed)]).toEqual([[walker], []]);
    expect([body.current.query.index, body.changed.query.index]).toEqual([
      `${service.namespace}-members`,
      `${service.namespace}-members-shadow`,
    ]);
    const { users } = await service.search(nora, { ...criteria, sortby: 'relevance' });
    expect(users.map(({ id, exactmatch }) => [id, exactmatch])).toContainEqual([walker, true]);
    expect(await service.context.index.versions.live()).toEqual(live);
    expect((await stateOf()).shadow).toMatchObject({ mapping_version: 99, complete: true });
    expect((await run('status', service.context)).lines).toContainEqual(
      expect.stringMatching(/^shadow: .*-000002, mapping version 99, until 20/),
    );
  });

  it('is searched by runs of a judgment set, which name the members who moved', async () => {
    const root = '/staff/search/judgment-sets';
    const ask = async (path: string, body?: object) => {
      const answer = await service.asStaff({ '*': ['search'] }, root + path, body);
      expect([answer.status, answer.body.problems]).toEqual([200, undefined]);
      return answer.body;
    };
    const { id } = await ask('', { siteid: 1, name: 'forms' });
    const runs = { age: { from: 18, to: 99 }, keywords: { value: 'runs' } };
    const { id: search } = await ask(`/${id}/searches`, { name: 'runs', member: nora, criteria: runs });
    await ask(`/${id}/ratings`, { ratings: [{ search, member: runner, grade: 3 }] });
    const live = await ask(`/${id}/runs`, {});
    const shadow = await ask(`/${id}/runs`, { index: 'shadow' });
    expect([live, shadow]).toMatchObject([
      { index: 'live', changed: false, mean: { ndcg: 1 } },
      { index: 'shadow', changed: false, mean: { ndcg: expect.closeTo(1 / Math.log2(3), 5) } },
    ]);
    const { searches } = await ask(`/${id}/runs/${shadow.id}?against=${live.id}`);
    expect(searches[0].moves).toEqual([
      { member: walker, before: 2, after: 1 },
      { member: runner, before: 1, after: 2 },
    ]);
  });

  it('follows changes', async () => {
    const { profile, index } = service.context;
    service.profile.members.set(runner, man(runner, 'walked', 2));
    const event = newEvent({ type: 'member.updated', member: runner, version: 2, at: testNow });
    await onMemberChanged({ profile, members: index.members, stores: [] })([event]);
    expect(await inShadow(runner)).toMatchObject([{ keywords: ['walked'] }]);
    const { body } = await compare({ index: 'shadow' });
    expect(exactIn(body.changed)).toEqual([runner]);
  });

  it('loses a member who is erased', async () => {
    expect(await inShadow(walker)).toHaveLength(1);
    const erased = await request(createApp(service.context))
      .post('/internal/members/erase')
      .set('Authorization', serviceAuthorization({ from: 'profile', to: 'search' }))
      .send({ id: walker, member_id: '00000000-0000-4000-8000-000000000003' });
    expect(erased.status).toBe(200);
    service.profile.members.delete(walker);
    expect(await inShadow(walker)).toEqual([]);
  });

  it('replaces the one before, and goes with a drop or a rebuild', async () => {
    const { versions } = service.context.index;
    await run('shadow');
    const [live, second] = await versions.list();
    expect(await versions.list()).toEqual([live, (await versions.shadow())?.index]);
    expect((await run('drop')).lines).toEqual([`dropped: ${second}`]);
    await run('shadow');
    await run('rebuild', service.context);
    expect(await versions.shadow()).toBeNull();
    expect(await versions.list()).toHaveLength(2);
  });

  it('has to be built again where it lacks stems in force', async () => {
    const stems: SettingsChange = {
      languages: { en: { synonyms: [], stemmer: 'Swedish', protected: [] } },
    };
    // The live index keeps the stems of the version before.
    await service.publish(stems);
    await service.publish({ languages: {} });
    await run('shadow');
    await service.publish(stems);
    const { status, body } = await compare({ index: 'shadow' });
    expect([status, body.problems]).toEqual([
      403,
      [{ path: 'index', problem: 'lacks the stems in force: build it again' }],
    ]);
    const inForce = await service.context.settings.active.current();
    await expect(requireStems(inForce, service.context.index, 'shadow')).rejects.toThrow(
      'covalence index shadow builds it again',
    );
    await run('shadow');
    expect((await compare({ index: 'shadow' })).status).toBe(200);
  });

  it('is deleted after a week', async () => {
    const { versions, reconciler } = service.context.index;
    await run('shadow');
    service.setNow(later(6));
    await reconciler.reconcile();
    expect(await versions.shadow()).not.toBeNull();
    service.setNow(later(7));
    await reconciler.reconcile();
    expect(await versions.shadow()).toBeNull();
  });
});
