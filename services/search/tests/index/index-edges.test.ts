import { testServiceKeys } from '@covalence/testing/service-tokens';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createLease } from '@covalence/events/lease';
import { createHealth } from '@covalence/runtime/health';
import { createLogger } from '@covalence/runtime/logger';
import { testStores } from '@covalence/testing/test-stores';
import { until } from '@covalence/testing/until';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { runIndexCommand, type IndexCommand } from '../../src/index/maintenance/index-commands.ts';
import { connectElasticsearch } from '../../src/index/elasticsearch-adapter.ts';
import { createIndexReconciler } from '../../src/index/index-reconciler.ts';
import { memberDocument } from '../../src/index/member-document.ts';
import { createMemberIndex } from '../../src/index/member-index.ts';
import { rebuildIndex, rollBackIndex } from '../../src/index/maintenance/rebuild.ts';
import { person } from '../person.ts';
import { startService, type ServiceUnderTest } from '../harness.ts';

const man = (id: number, version = 1) => person(id, 'Male', { version, traits: {} });

/** More than the 1,000 members of a page: tests act between two pages. */
const size = 1_100;
const men = Array.from({ length: size }, (_, index) => man(2 + index));

const nonsense = () => Promise.reject(new Error('profile answers nonsense'));

describe('the index tool, with interruptions', () => {
  let service: ServiceUnderTest;

  beforeEach(async () => {
    service = await startService('edges', { members: [person(1, 'Female'), ...men] });
  });
  afterEach(() => service?.close());

  const run = async (name: IndexCommand) => {
    const lines: string[] = [];
    const code = await runIndexCommand(name, service.context, (line) => lines.push(line));
    return { code, lines };
  };

  it('tolerates members who are erased while it runs', async () => {
    const { members } = service.context.index;
    const copied: number[] = [];
    const write: typeof members.write = async (documents, to) => {
      await members.write(documents, to);
      copied.push(...documents.map(({ id }) => id));
    };
    let erasing: Promise<void> | undefined;
    const index = { ...service.context.index, members: { ...members, write } };
    const onProgress = () => {
      const [id = 0] = copied;
      service.profile.members.delete(id);
      erasing ??= members.remove(id);
    };
    const done = await rebuildIndex(index, { onProgress });
    await erasing;
    expect(done.members).toBe(size + 1);
    await service.refresh();
    expect(await service.context.index.versions.count(done.to.index)).toMatchObject({ all: size });
    expect((await run('verify')).code).toBe(0);
  });

  it('loses no change that is written while a rollback exchanges the indices', async () => {
    await run('rebuild');
    const { aliases, versions, documents } = service.context.index;
    const engine = connectElasticsearch({ url: testStores().ELASTICSEARCH_URL, health: createHealth() });
    // The exchange comes after the first request of the write and before any other.
    const exchanged = Promise.withResolvers<void>();
    let requests = 0;
    const bulk = async (...request: Parameters<typeof engine.writer.bulk>) => {
      requests += 1;
      const isFirst = requests === 1;
      if (!isFirst) await exchanged.promise;
      const answer = await engine.writer.bulk(...request);
      if (isFirst) await versions.rollBack();
      exchanged.resolve();
      return answer;
    };
    const writer = Object.create(engine.writer, { bulk: { value: bulk } }) as typeof engine.writer;
    const members = createMemberIndex({ ...engine, writer }, service.namespace, service.context.logger);
    await members.writeAll([memberDocument(man(2, 9))]);
    const versionIn = async (alias: string) => (await documents.read([2], alias)).get(2)?.version;
    expect([requests, await versionIn(aliases.live), await versionIn(aliases.previous)]).toEqual([1, 9, 9]);
    await engine.close();
  });

  it('skips and reports members whose projection profile cannot make', async () => {
    const { profile, context } = service;
    const last = 1 + size;
    const reported = `profile cannot render the projection of 2 members, its log says why: 2, ${last}`;
    const found = async (id: number) =>
      (await context.index.documents.read([id], `${service.namespace}-members`)).size;
    for (const id of [2, last]) profile.broken.add(id);
    // Their documents stay.
    const repaired = await run('repair');
    expect([repaired.code, repaired.lines.at(-1)]).toEqual([1, reported]);
    expect(repaired.lines[0]).toBe(`${size + 1} members compared, 0 documents repaired`);
    expect([await found(2), await found(last)]).toEqual([1, 1]);

    const rebuilt = await run('rebuild');
    expect([rebuilt.code, rebuilt.lines.at(-1)]).toEqual([1, reported]);
    expect((await context.index.versions.live())?.index).toMatch(/-000002$/);
    expect([await found(2), await found(3), await found(last)]).toEqual([0, 1, 0]);
    const { code, lines } = await run('verify');
    expect([code, lines[0]]).toEqual([1, `2 of ${size + 1} members compared differ (2 broken)`]);
    expect(lines).toContain('member 2: broken');
    const rolledBack = await run('rollback');
    expect([rolledBack.code, rolledBack.lines.at(-1)]).toEqual([1, reported]);
    await run('rollback');

    profile.broken.clear();
    expect((await run('repair')).lines[0]).toBe(`${size + 1} members compared, 2 documents repaired`);
    expect((await run('verify')).code).toBe(0);
  });

  it('fills the first index without members whose projection profile cannot make', async () => {
    const { versions, documents } = service.context.index;
    const live = await versions.live();
    await service.engine.indices.delete({ index: live?.index ?? '' });
    service.profile.broken.add(7);
    expect((await run('create')).code).toBe(0);
    expect(await versions.live()).toMatchObject({ filled: true });
    expect((await documents.read([6, 7, 8], `${service.namespace}-members`)).size).toBe(2);
  });

  it('repairs an alias of two indices, as after a restore', async () => {
    const { versions } = service.context.index;
    const alias = `${service.namespace}-members`;
    const standing = async () => Object.keys(await service.engine.indices.getAlias({ name: alias }));
    const restored = `${alias}-000009`;
    for (const command of ['rebuild', 'rollback'] as const) {
      await service.engine.indices.create({ index: restored, aliases: { [alias]: {} } });
      expect(await run('verify').catch(String)).toMatch(
        /-members does not give \d+: alias .* has more than one index/,
      );
      expect((await run(command)).code).toBe(0);
      expect(await standing()).toEqual([(await versions.live())?.index]);
      expect((await run('verify')).code).toBe(0);
      await service.engine.indices.delete({ index: restored, ignore_unavailable: true });
    }
  });

  it('leaves nothing behind when a rebuild is interrupted', async () => {
    const { versions } = service.context.index;
    const before = await versions.live();
    const interruption = new AbortController();
    const rebuilding = rebuildIndex(service.context.index, {
      interrupted: interruption.signal,
      onProgress: () => interruption.abort(),
    });
    await expect(rebuilding).rejects.toThrow(
      /^interrupted: the live index stays as it was; run rebuild again; nothing is left of .*-000002$/,
    );
    expect(await versions.list()).toEqual([before?.index]);
    expect(await versions.live()).toEqual(before);
    expect((await run('rebuild')).code).toBe(0);

    const rollingBack = rollBackIndex(service.context.index, { interrupted: AbortSignal.abort() });
    await expect(rollingBack).rejects.toThrow(/^interrupted: the live index stays, .*; run rollback again$/);
    expect((await run('rollback')).code).toBe(0);
    expect(await versions.live()).toEqual(before);
  });

  it('reports what a failed rebuild left behind', async () => {
    const { versions, profile } = service.context.index;
    const away = Object.assign(new Error('connect ECONNREFUSED'), { name: 'ConnectionError' });
    const failing = (facts: Partial<typeof versions>, peer = profile) =>
      rebuildIndex({ ...service.context.index, versions: { ...versions, ...facts }, profile: peer });
    const discard = () => Promise.reject(away);
    const silent: typeof profile = { ...profile, exportProjections: nonsense };
    await expect(failing({ discard }, silent)).rejects.toThrow(
      /^profile answers nonsense; .*-000002 is left and takes every change until the next rebuild, or drop, deletes it \(connect/,
    );
    expect(await versions.building()).not.toBeNull();
    const promote: typeof versions.promote = async (version) => {
      await versions.promote(version);
      throw away;
    };
    await expect(failing({ promote })).rejects.toThrow(
      /^connect ECONNREFUSED; .*-000002 is live all the same$/,
    );
    expect((await versions.live())?.index).toMatch(/-000002$/);
  });

  /** Starts the tool as a process. */
  const startTool = (command: string, environment: NodeJS.ProcessEnv = {}) => {
    const tool = new URL('../../src/covalence.ts', import.meta.url).pathname;
    return spawn(process.execPath, ['--conditions=source', '--no-warnings', tool, 'index', command], {
      env: {
        ...process.env,
        NAMESPACE: service.namespace,
        ...testServiceKeys('search'),
        SITES_FILE: new URL('../../../../config/sites.json', import.meta.url).pathname,
        PUBLIC_URL: 'http://api.test',
        AUTH_URL: 'http://auth.test',
        PROFILE_URL: service.profile.url,
        ...environment,
      },
    });
  };

  it('reports problems with stores on standard error only', async () => {
    const unreachable = 'amqp://127.0.0.1:1';
    const child = startTool('status', { RABBITMQ_URL: unreachable });
    const [output, problems] = await Promise.all([text(child.stdout), text(child.stderr)]);
    expect(output).toMatch(/^live: /);
    expect(output).toContain('lag: the broker does not answer');
    expect(output).not.toContain('{');
    expect(problems).toContain('rabbitmq is unavailable');
  });

  it('continues a rebuild when its output is closed', async () => {
    const { versions } = service.context.index;
    const before = await versions.live();
    const child = startTool('rebuild');
    child.stdout.destroy();
    const problems = text(child.stderr);
    expect(await once(child, 'exit')).toEqual([0, null]);
    expect(await problems).toBe('');
    expect((await versions.live())?.index).not.toBe(before?.index);
    expect(await versions.building()).toBeNull();
  });

  it('drops what a killed rebuild left, but nothing during a rebuild', async () => {
    const {
      connection,
      index: { versions },
    } = service.context;
    const live = await versions.live();
    const { index } = await versions.createNext([]);
    const other = createLease(connection, 'index-rebuild', 60_000);
    expect(await other.hold()).toBe(true);
    expect(await run('drop').catch(String)).toMatch('another rebuild or rollback is under way');
    await other.release();
    expect((await run('drop')).lines).toEqual([`dropped: ${index}`]);
    expect(await versions.list()).toEqual([live?.index]);
  });

  it('lists and drops the temporary index of a killed relevance comparison', async () => {
    const { context, engine, namespace } = service;
    const other = `${namespace}-lab-2-members-000001`;
    await engine.indices.create({ index: other });
    const { index: live } = (await context.index.versions.live()) ?? {};
    const temporary = context.index.temporary(context.index.mapping);
    await temporary.versions.createFirst([]);
    const left = (await temporary.versions.live())?.index;
    expect((await run('status')).lines).toContain(
      `temporary, of a comparison that runs or was killed: ${left}`,
    );
    expect((await run('drop')).lines).toEqual([`dropped: ${left}`]);
    expect(await temporary.versions.live()).toBeNull();
    expect(await engine.indices.exists({ index: other })).toBe(true);
    expect((await context.index.versions.live())?.index).toBe(live);
  });

  it('waits while another process fills the first index, and takes over when that one dies', async () => {
    const {
      connection,
      index: { versions },
    } = service.context;
    const live = await versions.live();
    await service.engine.indices.delete({ index: live?.index ?? '' });
    const other = createLease(connection, 'index-fill', 60_000);
    expect(await other.hold()).toBe(true);
    const waiting = 'another process is filling the index: waiting for it';
    const lines: string[] = [];
    const created = runIndexCommand('create', service.context, (line) => lines.push(line));
    await until('it waits', () => lines.length);
    expect(lines).toEqual([waiting]);
    await other.release();
    expect(await created).toBe(0);
    expect(lines).toEqual([waiting, `live: ${live?.index}`]);
  });

  it('counts every difference', async () => {
    for (const { id } of men) service.profile.members.set(id, man(id, 2));
    const { code, lines } = await run('verify');
    expect([code, lines[0]]).toEqual([1, `${size} of ${size + 1} members compared differ (${size} behind)`]);
  });

  it('logs once at the start that a changed mapping needs a rebuild', async () => {
    const logged: unknown[] = [];
    const logger = createLogger('search', 'error', { write: (text) => void logged.push(JSON.parse(text)) });
    const { clock, connection, index } = service.context;
    const { mapping } = index;
    const changed = { ...mapping, version: mapping.version + 1, fingerprint: 'other' };
    for (const configured of [mapping, changed]) {
      const lease = createLease(connection, 'fill');
      const reconciler = createIndexReconciler({
        ...index,
        mapping: configured,
        logger,
        lease,
        clock,
        metrics: service.context.metrics,
      });
      await reconciler.reconcile();
      await reconciler.reconcile();
      await reconciler.close();
    }
    expect(logged).toEqual([
      expect.objectContaining({
        msg: 'the mapping, the catalogue or the stems have changed: run pnpm covalence index rebuild',
        live: mapping.version,
        configured: mapping.version + 1,
      }),
    ]);
  });
});
