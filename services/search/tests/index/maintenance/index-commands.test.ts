import { afterEach, describe, expect, it } from '@jest/globals';
import type { SearchProjection } from '@covalence/contract/search-projection';
import { createLease } from '@covalence/events/lease';
import { newEvent } from '@covalence/events/new-event';
import type { Peer } from '@covalence/http/peer';
import { createHealth } from '@covalence/runtime/health';
import { createTcpProxy } from '@covalence/testing/tcp-proxy';
import { testStores } from '@covalence/testing/test-stores';
import { until } from '@covalence/testing/until';
import { onMemberChanged } from '../../../src/index/on-member-changed.ts';
import { runIndexCommand, type IndexCommand } from '../../../src/index/maintenance/index-commands.ts';
import { compareSample } from '../../../src/index/maintenance/compare-members.ts';
import { connectElasticsearch } from '../../../src/index/elasticsearch-adapter.ts';
import { createIndexVersions } from '../../../src/index/index-version-store.ts';
import { memberDocument } from '../../../src/index/member-document.ts';
import { createMemberIndex } from '../../../src/index/member-index.ts';
import { rebuildIndex } from '../../../src/index/maintenance/rebuild.ts';
import { person } from '../../person.ts';
import { startService, type ServiceUnderTest } from '../../harness.ts';

const searcher = person(1, 'Female');

const man = (id: number, facts: Partial<SearchProjection> = {}) =>
  person(id, 'Male', { version: 1, traits: {}, ...facts });

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index);

const age = { from: 18, to: 99 };
const height = { from: 199, to: 199 };
/** Members beside the searcher: a rebuild copies pages of 1,000, and tests act between two pages or all the time. */
const sizes = { stream: 2_500, rebuild: 1_100, rest: 300 };

describe('the index tool', () => {
  let service: ServiceUnderTest;
  let live: string;
  let size: number;

  /** Starts a service with a new index for one test. */
  const begin = async (count = sizes.rest) => {
    size = count;
    const men = Array.from({ length: size }, (_, index) => man(2 + index));
    service = await startService('tool', { members: [searcher, ...men] });
    live = `${service.namespace}-members`;
  };
  afterEach(() => service?.close());

  const publish = (ids: readonly number[]) => {
    const { profile, index, saved } = service.context;
    const events = ids.map((id) =>
      newEvent({ type: 'member.updated', member: id, version: 1, at: new Date() }),
    );
    return onMemberChanged({
      profile,
      members: index.members,
      stores: [saved.matchCriteria, saved.searches],
    })(events);
  };
  /** Changes a member in profile; `publish` updates the index. */
  const change = (id: number, facts: Partial<SearchProjection>) =>
    service.profile.members.set(id, man(id, facts));
  const run = async (name: IndexCommand) => {
    const lines: string[] = [];
    const code = await runIndexCommand(name, service.context, (line) => lines.push(line));
    return { code, lines };
  };
  const total = async (criteria = {}) =>
    (await service.search(1, { age, exclude: 'none', sortby: 'relevance', pagesize: 1, ...criteria }))
      .totalmatches;
  const exact = async () => {
    await service.refresh();
    const { users } = await service.search(1, { age, height, sortby: 'relevance', pagesize: 100 });
    return users.flatMap(({ id, exactmatch }) => (exactmatch ? [id] : [])).sort((a, b) => a - b);
  };

  it('rebuilds during updates and searches, of which none fails or is lost', async () => {
    await begin(sizes.stream);
    const ended = new AbortController();
    const totals: number[] = [];
    const searching = (async () => {
      while (!ended.signal.aborted) totals.push(await total());
    })();
    let changes = 0;
    const updating = (async () => {
      while (!ended.signal.aborted) {
        const ids = Array.from({ length: 25 }, (_, index) => 2 + ((changes * 131 + index * 97) % size));
        changes += 1;
        for (const id of ids) change(id, { version: 1 + changes, traits: { height: 150 + (changes % 40) } });
        // A consumer retries when the alias moves during its write.
        await until('the write', () =>
          publish(ids).then(
            () => true,
            () => false,
          ),
        );
      }
    })();
    const before = await service.context.index.versions.live();
    const done = await rebuildIndex(service.context.index).finally(() => ended.abort());
    await Promise.all([searching, updating]);

    expect(done).toMatchObject({ from: before?.index, members: size + 1 });
    expect(done.compared).toBeGreaterThan(500);
    expect(changes).toBeGreaterThan(3);
    expect(totals.length).toBeGreaterThan(3);
    expect(new Set(totals)).toEqual(new Set([size]));
    const { versions } = service.context.index;
    expect(await versions.live()).toMatchObject({ index: done.to.index, filled: true });
    expect(await versions.building()).toBeNull();
    expect(await versions.count(done.to.index)).toMatchObject({ all: size + 1 });
    // Nothing differs in the whole index, nor in the previous one.
    expect((await run('repair')).lines[0]).toBe(`${size + 1} members compared, 0 documents repaired`);
    expect((await run('rollback')).lines[0]).toMatch(/, 0 documents brought up to date before the swap$/);
  });

  it('runs one rebuild at a time, also after one that died', async () => {
    await begin(sizes.rebuild);
    const {
      connection,
      index: { versions },
    } = service.context;
    const other = createLease(connection, 'index-rebuild', 60_000);
    const before = await versions.live();
    let second: unknown;
    const { index } = service.context;
    await rebuildIndex(index, {
      onProgress: (copied) => {
        if (copied > 1_000) return;
        second = rebuildIndex({ ...index, rebuildLease: other }).catch(String);
      },
    });
    expect(await second).toMatch('another rebuild or rollback is under way');
    expect(await versions.list()).toHaveLength(2);

    const dying = createLease(connection, 'index-rebuild', 1);
    expect(await dying.hold()).toBe(true);
    await versions.createNext([]);
    const done = await until('the lease', () => rebuildIndex(service.context.index).catch(() => undefined));
    expect(done.to.index).not.toBe(before?.index);
    expect(await versions.list()).toEqual([done.from, done.to.index]);
  });

  it('retries a page that profile does not deliver', async () => {
    await begin(sizes.rebuild);
    const { profile } = service.context;
    let calls = 0;
    const shaky: Peer<'profile'> = {
      ...profile,
      exportProjections(input) {
        calls += 1;
        const away = Object.assign(new Error('no answer'), { name: 'PeerUnavailable' });
        return calls === 2 ? Promise.reject(away) : profile.exportProjections(input);
      },
    };
    const done = await rebuildIndex({ ...service.context.index, profile: shaky });
    expect(done.members).toBe(size + 1);
  });

  it('deletes the new index instead of swapping when it differs from profile', async () => {
    await begin(sizes.stream);
    const { versions } = service.context.index;
    const before = await versions.live();
    const rebuilding = rebuildIndex(service.context.index, {
      // Half of the copied members change without an event.
      onProgress: (copied) => {
        if (copied >= 2_000) for (let id = 2; id < 502; id += 1) change(id, { version: 9 });
      },
    });
    await expect(rebuilding).rejects.toThrow(
      /differs from profile in \d+ of \d+ members.*the live index stays/,
    );
    expect(await versions.list()).toEqual([before?.index]);
    expect(await versions.live()).toEqual(before);
    expect(await total()).toBe(size);
    expect(await service.context.index.rebuildLease.hold()).toBe(true);
    await service.context.index.rebuildLease.release();
  });

  it('samples members evenly, however far apart their ids are', async () => {
    await begin();
    const late = Array.from({ length: 10 }, (_, index) => man(1_000_001 + index));
    for (const one of late) service.profile.members.set(one.id, one);
    await publish(late.map(({ id }) => id));
    await service.refresh();
    expect((await run('verify')).lines).toEqual([`0 of ${size + 11} members compared differ`]);
    const { profile, documents } = service.context.index;
    const { compared } = await compareSample(300, { profile, documents, alias: live });
    // Drawn from the range of ids only: the first 50, and the 10 after the gap.
    expect(compared).toBeGreaterThan(60);
  });

  it('verifies and repairs missing, older, different, newer and unknown documents', async () => {
    await begin();
    expect(await run('verify')).toEqual({ code: 0, lines: [expect.stringMatching(/^0 of \d+ members/)] });
    const { engine } = service;
    await engine.delete({ index: live, id: '2', version: 1, version_type: 'external_gte' });
    change(3, { version: 2, traits: { height: 199 } });
    const other = { index: live, version_type: 'external_gte' as const };
    await engine.index({ ...other, id: '4', version: 1, document: { id: 4, visible: false } });
    await engine.index({ ...other, id: '5', version: 50, document: { id: 5, visible: false } });
    await engine.index({ ...other, id: '900000', version: 7, document: { ...man(900_000), visible: true } });
    await service.refresh();

    const found = await run('verify');
    expect(found.code).toBe(1);
    expect(found.lines[0]).toMatch(
      /^5 of \d+ members compared differ \((?=.*1 missing)(?=.*1 behind)(?=.*1 different)(?=.*1 ahead)(?=.*1 unknown)/,
    );
    expect(found.lines).toContain('member 900000: unknown');
    expect(await run('repair')).toEqual({
      code: 0,
      lines: [`${size + 1} members compared, 5 documents repaired`],
    });
    expect((await run('verify')).lines).toEqual([expect.stringMatching(/^0 of/)]);
    expect(await exact()).toEqual([3]);
    expect(await total()).toBe(size);
  });

  it('repairs any number of documents that profile lacks, as after a restore', async () => {
    await begin();
    const after = man(1_000_000);
    service.profile.members.set(after.id, after);
    // Between the members and after the last one, each more than one query returns.
    const lost = [10_000, 2_000_000].flatMap((first) => upTo(1_100).map((index) => man(first + index)));
    await service.context.index.members.write([after, ...lost].map(memberDocument));
    await service.refresh();
    expect(await total()).toBe(size + 1 + lost.length);
    expect((await run('repair')).lines[0]).toBe(
      `${size + 2} members compared, ${lost.length} documents repaired`,
    );
    await service.refresh();
    expect(await total()).toBe(size + 1);
  });

  it('allows writes and changes of an index more time than searches', async () => {
    await begin();
    const proxy = await createTcpProxy(testStores().ELASTICSEARCH_URL);
    const engine = connectElasticsearch({ url: proxy.url, health: createHealth(), searchLimitMs: 500 });
    const versions = createIndexVersions(engine, service.namespace, service.context.index.mapping);
    const members = createMemberIndex(engine, service.namespace, service.context.logger);
    // The client's timers are accurate to a second.
    proxy.slow(2_000);
    await expect(versions.live()).rejects.toThrow('timed out');
    expect((await versions.count(live)).all).toBe(size + 1);
    await members.write([memberDocument(man(2, { version: 9 }))]);
    await engine.close();
    await proxy.close();
  });

  it('rolls back to the previous index, which is up to date, and forward again', async () => {
    await begin();
    const first = await service.context.index.versions.live();
    expect(await run('rollback').catch(String)).toMatch('no previous index');
    expect((await run('rebuild')).lines.at(-1)).toBe(`kept for rollback: ${first?.index}`);
    change(7, { version: 5, traits: { height: 199 } });
    await publish([7]);
    // A change that the previous index missed.
    change(8, { version: 5, traits: { height: 199 } });
    await service.context.index.members.write([
      { id: 8, version: 5, source: { ...man(8), traits: { height: 199 } } },
    ]);
    await publish([8]);
    await service.engine.index({
      index: first?.index ?? '',
      id: '8',
      version: 6,
      version_type: 'external',
      document: { id: 8, visible: false },
    });
    expect(await run('rollback')).toEqual({
      code: 0,
      lines: [`live: ${first?.index}, 1 document brought up to date before the swap`],
    });
    expect(await service.context.index.versions.live()).toEqual(first);
    expect(await exact()).toEqual([7, 8]);
    change(9, { version: 5, traits: { height: 199 } });
    await publish([9]);
    expect((await run('rollback')).code).toBe(0);
    expect(await exact()).toEqual([7, 8, 9]);
    expect((await service.context.index.versions.live())?.index).not.toBe(first?.index);
  });

  it('creates and fills the first index, and keeps an existing one', async () => {
    await begin();
    const first = await service.context.index.versions.live();
    await service.engine.indices.delete({ index: first?.index ?? '' });
    expect(await run('status')).toEqual({ code: 1, lines: ['live: none'] });
    expect(await run('create')).toEqual({ code: 0, lines: [`live: ${first?.index}`] });
    await service.refresh();
    expect(await total()).toBe(size);
    expect(await run('create')).toEqual({ code: 0, lines: [`live: ${first?.index}`] });
    expect(await service.context.index.versions.list()).toEqual([first?.index]);
    expect((await run('verify')).code).toBe(0);

    await run('rebuild');
    const second = await service.context.index.versions.live();
    await service.engine.indices.delete({ index: second?.index ?? '' });
    // The previous index keeps its name.
    expect(await run('create')).toEqual({ code: 0, lines: [`live: ${second?.index}`] });
    expect(await service.context.index.versions.previous()).toMatchObject({ index: first?.index });
  });

  it('reports the status, and what is to be done', async () => {
    await begin();
    service.start();
    await run('rebuild');
    const { versions, mapping } = service.context.index;
    const [index, previous] = [(await versions.live())?.index, (await versions.previous())?.index];
    expect(await run('status')).toEqual({
      code: 0,
      lines: [
        `live: ${index}, mapping version ${mapping.version}, complete`,
        `documents: ${size + 1}, of them visible: ${size + 1}`,
        'mapping: as configured',
        'lag: 0 events waiting; 0 s',
        expect.stringMatching(/^drift: 0 of \d+ members compared differ$/),
        `kept for rollback: ${previous}`,
      ],
    });
    const at = new Date();
    service.setNow(at);
    change(2, { version: at.getTime() - 42_000 });
    const markAs = (mapping_version: number) =>
      service.engine.indices.putMapping({
        index: index ?? '',
        _meta: { mapping_version, fingerprint: 'other', filled: true },
      });
    await markAs(mapping.version + 1);
    expect((await run('status')).lines[2]).toMatch(/older than the live one: is MAPPING_FILE the file/);
    await markAs(mapping.version);
    expect((await run('status')).lines[2]).toMatch(
      /differs, though it is version \d+ too .*: rebuild needed$/,
    );
    await markAs(0);
    const behind = await run('status');
    expect(behind.code).toBe(1);
    expect(behind.lines).toEqual(
      expect.arrayContaining([
        `mapping: configured is version ${mapping.version}: rebuild needed`,
        'lag: 0 events waiting; 42 s',
        expect.stringMatching(/^drift: 1 of \d+ members compared differ \(1 behind\)$/),
      ]),
    );
    expect((await run('drop')).lines).toEqual([`dropped: ${previous}`]);
  });
});
