import { runMigrateCommand, type MigrateCommand } from '@covalence/migrations/migrate-command';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runIndexCommand } from '../../src/index/index-commands.ts';
import { migrations } from '../../src/migrations.ts';
import { unpackIds } from '../../src/relations/packed-ids.ts';
import { createRelationStore } from '../../src/relations/relation-store.ts';
import { createRelations } from '../../src/relations/relations.ts';
import { testNow } from '../population.ts';
import { person } from '../person.ts';
import type { PlainRelation } from '../fake-profile.ts';
import { startSearch, type SearchUnderTest } from '../harness.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const age = { from: 18, to: 99 };

/** Women 1 to 9 search, men 11 to 40 are found. */
const women = Array.from({ length: 9 }, (_, index) => person(index + 1, 'Female'));
const men = Array.from({ length: 30 }, (_, index) => person(index + 11, 'Male'));

/** Members whom nobody finds, each with a version of its own, a day ago and later. */
const strangers = (count: number, facts: Partial<PlainRelation>): PlainRelation[] =>
  Array.from({ length: count }, (_, index) => ({
    other: 1_000_000 + index,
    version: testNow.getTime() - dayMs + index,
    ...facts,
  }));

describe('relations that are many', () => {
  let service: SearchUnderTest;
  let now = testNow.getTime();

  beforeAll(async () => {
    service = await startSearch('relations', [...women, ...men]);
  });
  afterAll(() => service?.close());

  const set = (viewer: number, relations: PlainRelation[]) =>
    service.profile.relations.set(viewer, relations);
  const add = (viewer: number, ...relations: PlainRelation[]) => {
    const others = new Set(relations.map(({ other }) => other));
    const before = service.profile.relations.get(viewer) ?? [];
    set(viewer, [...before.filter(({ other }) => !others.has(other)), ...relations]);
  };
  const pass = (ms: number) => {
    now += ms;
    service.setNow(new Date(now));
  };
  const found = async (viewer: number, exclude?: unknown) => {
    const page = await service.search(viewer, {
      age,
      pagesize: 100,
      ...(exclude !== undefined && { exclude }),
    });
    expect(page.users).toHaveLength(page.totalmatches);
    return new Set(page.users.map(({ id }) => id));
  };
  const index = () => `${service.namespace}-relations-2`;
  const count = async () => {
    await service.engine.indices.refresh({ index: index() });
    return (await service.engine.count({ index: index() })).count;
  };
  /** All that is kept, and where it stands. */
  const documents = async () => {
    await service.engine.indices.refresh({ index: index() });
    const all = await service.engine.search({ index: index(), seq_no_primary_term: true, size: 100 });
    return all.hits.hits;
  };
  /** The relations of a process beside the service's own, and of whom it looked for what is kept. */
  const anotherProcess = () => {
    const { profile, clock, logger } = service.context;
    const store = createRelationStore(service.engine, service.namespace);
    const looked: number[] = [];
    const readHead = (viewer: number) => {
      looked.push(viewer);
      return store.readHead(viewer);
    };
    return {
      looked,
      another: createRelations({ profile, store: { ...store, readHead }, clock, logger }),
    };
  };
  const reads = () => service.profile.calls.get('viewers') ?? 0;

  it('keeps them once, and then reads only what changed', async () => {
    set(1, [
      ...strangers(70_000, { declines: true }),
      { other: 11, declines: true, version: testNow.getTime() - hourMs },
    ]);
    const before = reads();
    expect((await found(1)).has(11)).toBe(false);
    expect(reads() - before).toBe(72);
    expect((await found(1)).has(11)).toBe(false);
    expect((await found(1, 'none')).has(11)).toBe(true);
    expect((await found(1, 'likes')).has(11)).toBe(true);
    expect((await found(1, 'declines,blocks')).has(11)).toBe(false);
    expect(reads() - before).toBe(76);
  });

  it('sees in the next search what was just done and undone, before it is kept', async () => {
    add(1, { other: 12, likes: true, version: now + 5 });
    expect((await found(1)).has(12)).toBe(false);
    add(1, { other: 12, version: now + 6 }, { other: 11, version: now + 7 });
    const both = await found(1);
    expect([both.has(11), both.has(12)]).toEqual([true, true]);
    add(1, { other: 11, blocked_by: true, version: now + 8 });
    expect((await found(1, 'none')).has(11)).toBe(false);
  });

  it('keeps further changes, undone ones too, in the documents there are', async () => {
    pass(2 * hourMs);
    const more = strangers(600, { likes: true }).map((one, index) => ({ ...one, version: now - index }));
    add(1, ...more, { other: 13, passed_until: new Date(now + dayMs).toISOString(), version: now - 1_000 });
    pass(2 * hourMs);
    const shown = await found(1);
    expect([11, 12, 13].map((id) => shown.has(id))).toEqual([false, true, false]);
    const changed = service.profile.relations.get(1) ?? [];
    // Nothing of it is told again: what the search knows now, it knows from what is kept.
    set(1, []);
    const kept = await found(1);
    expect([11, 12, 13].map((id) => kept.has(id))).toEqual([false, true, false]);
    expect((await found(1, 'passes')).has(13)).toBe(false);
    set(1, changed);
  });

  it('ends a kept pass to the second', async () => {
    const until = new Date(now + 10 * hourMs);
    add(2, ...strangers(500, { passed_until: until.toISOString() }));
    add(2, { other: 14, passed_until: until.toISOString(), version: now - hourMs });
    add(2, { other: 15, passed_until: until.toISOString(), likes: true, version: now - hourMs });
    expect((await found(2)).has(14)).toBe(false);
    pass(10 * hourMs - 1_000);
    expect((await found(2)).has(14)).toBe(false);
    pass(1_000);
    const after = await found(2);
    expect([after.has(14), after.has(15)]).toEqual([true, false]);
    expect((await found(2, 'passes')).has(15)).toBe(true);
    // The lists are written anew without it when the next passes are listed.
    pass(7 * hourMs);
    expect((await found(2)).has(14)).toBe(true);
  });

  it('many searches at once keep them whole', async () => {
    const relations = [...strangers(5_000, { declines: true }), { other: 16, declines: true, version: 5 }];
    set(3, relations);
    const all = await Promise.all(Array.from({ length: 8 }, () => found(3)));
    expect(all.map((ids) => ids.has(16))).toEqual(all.map(() => false));
    pass(hourMs);
    set(3, []);
    expect((await found(3)).has(16)).toBe(false);
  });

  it('are left out although they cannot be kept now, as when the disks are full', async () => {
    set(8, [...strangers(600, { declines: true }), { other: 18, declines: true, version: 5 }]);
    const block = (write: boolean) =>
      service.engine.indices.putSettings({ index: index(), settings: { 'index.blocks.write': write } });
    await block(true);
    try {
      expect((await found(8)).has(18)).toBe(false);
      expect(await service.engine.exists({ index: index(), id: '8' })).toBe(false);
    } finally {
      await block(false);
    }
    await found(8);
    expect(await service.engine.exists({ index: index(), id: '8' })).toBe(true);
  });

  it.each(['writeBuckets', 'writeHead'] as const)('leave nothing behind where %s fails', async (step) => {
    const { profile, clock, logger } = service.context;
    const store = createRelationStore(service.engine, service.namespace);
    set(8, [...strangers(700, { declines: true }), { other: 18, declines: true, version: 5 }]);
    await service.context.relations.forget([8]);
    const before = await count();
    const failing = {
      ...store,
      // As with a time limit: it is there, and nobody knows.
      async [step](...args: unknown[]) {
        await (store[step] as (...given: unknown[]) => Promise<unknown>)(...args);
        throw new Error('timed out');
      },
    };
    const another = createRelations({ profile, store: failing, clock, logger });
    expect((await another.of(8, ['declines'])).excluded.ids).toContain(18);
    // The head that names what would have been written, over which the next search writes.
    expect(await count()).toBe(before + 1);
    expect((await found(8)).has(18)).toBe(false);
    expect(await count()).toBe(before + 2);
  });

  it.each([
    ['at first', 600, 0],
    ['into more documents', 70_000, 600],
  ])('leave nothing of who is gone where a process died while it kept them %s', async (_case, many, few) => {
    const { profile, clock, logger } = service.context;
    const store = createRelationStore(service.engine, service.namespace);
    await service.context.relations.forget([8]);
    const before = await count();
    set(8, strangers(few, { declines: true }));
    await found(8);
    pass(hourMs);
    set(
      8,
      strangers(many, { declines: true }).map((one, index) => ({ ...one, version: now - index })),
    );
    const written = Promise.withResolvers<void>();
    const dying = {
      ...store,
      async writeBuckets(...buckets: Parameters<typeof store.writeBuckets>) {
        await store.writeBuckets(...buckets);
        written.resolve();
        return new Promise<boolean>(() => undefined);
      },
    };
    void createRelations({ profile, store: dying, clock, logger }).of(8, ['declines']);
    await written.promise;
    expect(await count()).toBeGreaterThan(before);
    await service.context.relations.forget([8]);
    expect(await count()).toBe(before);
  });

  it('leave nothing behind where some documents went missing', async () => {
    const store = createRelationStore(service.engine, service.namespace);
    set(3, strangers(600, { declines: true }));
    await service.context.relations.forget([3]);
    const before = await count();
    const [there, old] = ['3.former.0', '3.before.0'];
    await store.writeBuckets([there, old].map((id) => ({ id, entries: [] })));
    const lists = { ending: [], ending_by: 0, lists: {}, as_of: 1, total: 0 };
    await store.writeHead(3, { ...lists, generation: 'former', buckets: 2, retired: [old] });
    await found(3);
    expect(await count()).toBe(before);
    await found(3);
    expect(await count()).toBe(before + 2);
  });

  it('begins anew when documents went missing, and with repair', async () => {
    set(4, [...strangers(600, { declines: true }), { other: 17, declines: true, version: 5 }]);
    expect((await found(4)).has(17)).toBe(false);
    const { _source: head } = await service.engine.get<{ generation: string }>({ index: index(), id: '4' });
    await service.engine.delete({ index: index(), id: `4.${head?.generation}.0` });
    pass(7 * hourMs);
    await found(4);
    expect((await found(4)).has(17)).toBe(false);
    expect(await service.engine.exists({ index: index(), id: '4' })).toBe(true);

    const lines: string[] = [];
    expect(await runIndexCommand('repair', service.context, (line) => lines.push(line))).toBe(0);
    expect(lines.at(-1)).toMatch(/^kept relations of 4 members dropped/);
    expect(await count()).toBe(0);
    expect((await found(4)).has(17)).toBe(false);
  }, 30_000);

  it('are dropped once, however many searches keep them again meanwhile', async () => {
    const { profile, clock, logger } = service.context;
    const store = createRelationStore(service.engine, service.namespace);
    const options = { profile, clock, logger };
    const another = createRelations({ ...options, store });
    set(8, strangers(600, { declines: true }));
    await another.of(8, []);
    let deletions = 0;
    const busy = {
      ...store,
      async delete(ids: readonly string[]) {
        await store.delete(ids);
        await another.of(8, []);
        if ((deletions += 1) > 20) throw new Error('it never ends');
      },
    };
    await createRelations({ ...options, store: busy }).reset();
    const { _source: head } = await service.engine.get<{ generation: string }>({ index: index(), id: '8' });
    // What was kept since is whole.
    expect(await service.engine.exists({ index: index(), id: `8.${head?.generation}.0` })).toBe(true);
    expect(await count()).toBe(2);
  });

  it('are dropped by a rebuild, because they do not follow a database restored from a backup', async () => {
    const backup = strangers(600, { declines: true });
    set(9, [...backup, { other: 19, declines: true, version: now - hourMs }]);
    expect((await found(9)).has(19)).toBe(false);
    set(9, backup);
    expect((await found(9)).has(19)).toBe(false);
    expect(await runIndexCommand('rebuild', service.context, () => undefined)).toBe(0);
    expect((await found(9)).has(19)).toBe(true);
  }, 30_000);

  it('are looked for only of those who have many, in a process that has not seen them too', async () => {
    const { another, looked } = anotherProcess();
    set(6, strangers(499, { declines: true }));
    set(7, strangers(700, { declines: true }));
    await found(7);
    const few = await another.of(6, ['declines']);
    expect([few.excluded.ids.length, few.excluded.lists]).toEqual([499, []]);
    const first = await another.of(7, ['declines']);
    const second = await another.of(7, ['declines']);
    // Those blocked by nobody have no list of that.
    const sizes = [first, second].map(({ excluded }) => excluded.lists.map((list) => unpackIds(list).length));
    expect(sizes).toEqual([[700], [700]]);
    // From then on profile is asked only for what is newer than what is kept, while that is read.
    expect([first, second].map(({ excluded }) => excluded.ids.length)).toEqual([700, 0]);
    // What was read a moment ago is as good: what changed since is told.
    expect(looked).toEqual([7]);
    pass(61_000);
    await another.of(7, ['declines']);
    expect(looked).toEqual([7, 7]);
  });

  it('are kept over what another process kept meanwhile, and never over what is remembered', async () => {
    const { another, looked } = anotherProcess();
    const some = strangers(1_200, { declines: true });
    set(4, some.slice(0, 600));
    await found(4);
    await another.of(4, ['declines']);
    pass(30_000);
    add(4, ...some.slice(600).map((one, at) => ({ ...one, version: now - 1_000 + at })));
    await found(4);
    const before = await documents();
    const { excluded } = await another.of(4, ['declines']);
    expect(await documents()).toEqual(before);
    expect(looked).toEqual([4, 4]);
    expect(new Set([...excluded.ids, ...excluded.lists.flatMap(unpackIds)]).size).toBe(1_200);
  });

  it('deletes what is kept of a member who is gone', async () => {
    set(5, strangers(600, { declines: true }));
    await found(5);
    const { _source: head } = await service.engine.get<{ generation: string }>({ index: index(), id: '5' });
    const ids = ['5', `5.${head?.generation}.0`];
    const there = () => Promise.all(ids.map((id) => service.engine.exists({ index: index(), id })));
    expect(await there()).toEqual([true, true]);
    await service.context.relations.forget([5, 6]);
    expect(await there()).toEqual([false, false]);
  });

  it('leave what the version before kept until no process of it runs', async () => {
    const former = `${service.namespace}-relations`;
    await service.engine.index({ index: former, id: '1', document: { head: true } });
    const told: string[] = [];
    const print = (line: string) => void told.push(line);
    const { connection } = service.context;
    const migrate = (command: MigrateCommand) =>
      runMigrateCommand(command, { connection, migrations: migrations(service.context), print });
    // The database is not empty, so that `up` runs beside the version before.
    await connection.collection('saved').insertOne({ something: true });
    expect(await migrate('up')).toBe(0);
    expect(await service.engine.exists({ index: former, id: '1' })).toBe(true);
    expect(await migrate('finish')).toBe(0);
    expect(await service.engine.indices.exists({ index: former })).toBe(false);
    expect(told).toEqual(['nothing to do', 'done: 0001-relations-by-lookup']);
  });
});
