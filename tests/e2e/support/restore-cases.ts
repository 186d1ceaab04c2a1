import { beforeAll, describe, expect, it } from '@jest/globals';
import { root } from '@covalence/stack/checkout';
import { serviceNames } from '@covalence/stack/services/service-name';
import type { StackUnderTest } from '@covalence/testing/stack-under-test';
import { run } from '@covalence/testing/tools';
import { until } from '@covalence/testing/until';
import { withDatabases } from '@covalence/testing/with-databases';
import { generateIdentity, identityToRecipient } from 'age-encryption';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import type { Collection } from 'mongoose';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import request from 'supertest';
import { remove } from './erasure.ts';
import { as, male, registerMember, type TestMember } from './members.ts';
import { signIn, tokensBySignIn } from './sign-in.ts';
import { openSocket } from './socket.ts';

/** Their site. */
const siteid = 1;

/** From the loss of everything until search finds everybody: of this small system, most is the start of services and commands. */
const longestOutageMs = 120_000;

interface StoredMember {
  readonly _id: number;
  readonly version: number;
  readonly erase_at?: Date;
}

interface Written {
  readonly member: TestMember;
  /** When the last of its writes was answered. */
  readonly answeredAt: number;
  /** Whether a purchase was one of them. */
  readonly bought: boolean;
}

const without = (
  name: string,
  found: readonly Record<string, unknown>[],
  isWhole: (one: Record<string, unknown>) => boolean,
) => found.filter((one) => !isWhole(one)).map(({ _id }) => `${name} ${String(_id)}`);

/** Documents that refer to missing ones. */
async function halves(stack: StackUnderTest): Promise<string[]> {
  return withDatabases(async (connection) => {
    const all = (service: string, name: string) =>
      connection
        .useDb(`${stack.namespace}-${service}`)
        .collection<Record<string, unknown>>(name)
        .find()
        .toArray();
    const idsOf = async (service: string, name: string) =>
      new Set((await all(service, name)).map(({ _id }) => _id as unknown));
    const members = await all('profile', 'members');
    const ids = new Set(members.map(({ _id }) => _id as unknown));
    const [accounts, pairs, memberships] = [
      await idsOf('auth', 'accounts'),
      await idsOf('profile', 'pairs'),
      await idsOf('billing', 'memberships'),
    ];
    const paid = (await all('billing', 'payments')).filter(({ state }) => state === 'paid');
    return [
      ...without('member without account', members, ({ member_id }) => accounts.has(member_id)),
      ...without(
        'pair without member',
        await all('profile', 'pairs'),
        ({ low, high }) => ids.has(low) && ids.has(high),
      ),
      ...without('message without pair', await all('profile', 'messages'), ({ pair }) => pairs.has(pair)),
      ...without('payment without membership', paid, ({ member }) => memberships.has(member)),
      ...without(
        'membership that its member lacks',
        members,
        ({ _id, membership }) =>
          !memberships.has(_id) || (membership as { status: string }).status === 'active',
      ),
    ];
  }, stack.engine('mongodb').url);
}

/** A backup while members write, the loss of everything, and a restore, on a system of its own. */
export function restoreCases(system: () => StackUnderTest): void {
  describe('a backup and a restore', () => {
    let stack: StackUnderTest;
    let folder: string;
    let [ada, ben, carol, dora]: TestMember[] = [];
    let photo: { urlstem: string; max800: string; extension: string };
    const member = (fields: object = {}) => registerMember(stack.url, stack.demo, { siteid, ...fields });
    const members = <Result>(work: (collection: Collection<StoredMember>) => Promise<Result>) =>
      withDatabases(
        (connection) =>
          work(connection.useDb(`${stack.namespace}-profile`).collection<StoredMember>('members')),
        stack.engine('mongodb').url,
      );

    /** Runs the command as an operator does, and returns what --json prints. */
    const covalence = async (...args: string[]) => {
      const keys = { BACKUP_IDENTITIES: identity, BACKUP_DIR: join(folder, 'place') };
      const recipient = { BACKUP_RECIPIENTS: await identityToRecipient(identity) };
      const environment = stack.environment('profile');
      // A cluster that lost the first host of its address.
      const hosts = environment['ELASTICSEARCH_URL']?.replace('//', '//127.0.0.1:1,') ?? '';
      const env = { ...environment, ...keys, ...recipient, ELASTICSEARCH_URL: hosts };
      const said = await run(process.execPath, [join(root, 'cli/dist/covalence.js'), ...args, '--json'], {
        env,
      });
      return JSON.parse(said) as Record<string, string>;
    };
    let identity: string;

    /** A member who likes and is liked by Ada, writes to her, and sometimes buys a membership. */
    const write = async (bought: boolean): Promise<Written> => {
      if (!ada) throw new Error('Ada is not there');
      const writer = await member(male);
      await as(stack.url, writer).post('/like', { profileid: ada.id }).expect(200);
      await as(stack.url, ada).post('/like', { profileid: writer.id }).expect(200);
      await as(stack.url, writer)
        .post('/messages', { profileid: ada.id, text: `from ${writer.id}` })
        .expect(200);
      if (bought) await buy(writer);
      return { member: writer, answeredAt: Date.now(), bought };
    };
    const buy = async (buyer: TestMember) => {
      const { body } = await as(stack.url, buyer).get('/packages').expect(200);
      const { package_id, rate_id } = body.packages[0];
      await as(stack.url, buyer)
        .post('/packages/purchase', { package_id, rate_id, receipt: `r${buyer.id}` })
        .expect(200);
    };

    beforeAll(async () => {
      stack = system();
      identity = await generateIdentity();
      folder = mkdtempSync(join(tmpdir(), 'covalence-restore-'));
      [ada, ben, carol, dora] = await Promise.all([member(), member(male), member(male), member(male)]);
      // A member who requested deletion before the backup is erased after the restore.
      await remove(stack, carol).expect(200);
      const image = await sharp({ create: { width: 900, height: 600, channels: 3, background: 'teal' } })
        .jpeg()
        .toBuffer();
      const { body } = await request(stack.url)
        .post('/photo')
        .set('Authorization', `Bearer ${ada.tokens.access_token}`)
        .attach('image', image, 'me.jpg')
        .expect(200);
      photo = body;
    });

    it('bring every store back to one point, and what ended since stays ended', async () => {
      if (!ada || !ben || !carol || !dora) throw new Error('nobody is there');
      // Members write before, during and after the backup.
      const done = new AbortController();
      const written: Written[] = [];
      const writing = (async () => {
        while (!done.signal.aborted) written.push(await write(written.length % 2 === 0));
      })();
      await until('some have written', () => written.length > 1);
      const backup = await covalence('backup', 'create', '--without-snapshot');
      await until(
        'some have written after it',
        () => (written.at(-1)?.answeredAt ?? 0) > Date.parse(backup['finished_at'] ?? ''),
        30_000,
      );
      done.abort();
      await writing;
      const point = Date.parse(backup['point'] ?? '');
      const before = written.filter(({ answeredAt }) => answeredAt < point);
      expect(before.length).toBeGreaterThan(0);
      expect(before.length).toBeLessThan(written.length);

      await remove(stack, dora).expect(200);
      const newest = Math.max(...written.map((one) => one.member.id), (await member()).id);
      const socket = await openSocket(stack.url, ben.tokens.access_token);
      const lastFrame = socket.frames.at(-1)?.id ?? '';
      socket.close();
      const versionOf = () =>
        members(async (all) => (await all.findOne({ _id: ada?.id ?? 0 }))?.version ?? 0);
      const lastVersion = await versionOf();
      const files = readdirSync(stack.photoDir).toSorted();

      // Since then one asks for a deletion, and one is to be erased now: the record of deletions knows it, and then all is lost.
      stack.service('profile').kill('SIGSTOP');
      await members((all) =>
        all.updateOne({ _id: carol?.id ?? 0 }, { $set: { erase_at: new Date(Date.now() - 1_000) } }),
      );
      await covalence('backup', 'deletions');

      // MongoDB and the photos are lost. The other stores hold data newer than the backup, which must not win.
      const services = serviceNames.map((name) => stack.service(name));
      const lostAt = Date.now();
      for (const service of services) service.kill('SIGKILL');
      await withDatabases(async (connection) => {
        for (const { name } of (await connection.listDatabases()).databases)
          if (name.startsWith(stack.namespace)) await connection.useDb(name).dropDatabase();
      }, stack.engine('mongodb').url);
      for (const file of files) rmSync(join(stack.photoDir, file));
      const restored = await until(
        'the services are gone',
        () =>
          covalence('restore').catch((error: unknown) => {
            if (String(error).includes('has consumers')) return undefined;
            throw error;
          }),
        60_000,
      );
      expect(restored).toMatchObject({ point: backup['point'], seconds: expect.any(Number) });
      await Promise.all(services.map((service) => service.restart()));

      // The outage ends when search finds who is there.
      const newcomer = await member();
      expect(newcomer.id).toBeGreaterThan(newest);
      const found = async () => {
        const { body } = await as(stack.url, newcomer).post('/searches', {
          age: { from: 18, to: 99 },
          pagesize: 50,
        });
        return new Set(((body.users ?? []) as { id: number }[]).map(({ id }) => id));
      };
      await until(
        'the index has everybody',
        async () => {
          const ids = await found();
          if (before.some((one) => !ids.has(one.member.id))) throw new Error(`only ${[...ids].join()}`);
          return true;
        },
        60_000,
      );
      expect(Date.now() - lostAt).toBeLessThan(longestOutageMs);

      // Nobody is signed in.
      await as(stack.url, ada).get('/users/self').expect(401);
      const { client_id, client_secret } = stack.demo;
      await request(stack.url)
        .post('/token')
        .type('form')
        .send({
          client_id,
          client_secret,
          grant_type: 'refresh_token',
          refresh_token: ada.tokens.refresh_token,
        })
        .expect(400);
      const again = async (one: TestMember) => ({
        ...one,
        tokens: await tokensBySignIn(stack.url, stack.demo, one),
      });
      const [adaNow, benNow] = await Promise.all([again(ada), again(ben)]);

      // Every write acknowledged before the point is present, and none is half done.
      for (const { member: writer, bought } of before) {
        const { body } = await as(stack.url, adaNow).get(`/messages/${writer.id}`).expect(200);
        expect(body.messages).toMatchObject([{ text: `from ${writer.id}` }]);
        const { body: own } = await as(stack.url, await again(writer))
          .get('/users/self')
          .expect(200);
        expect(own.platinum).toBe(bought ? 'y' : 'n');
      }
      await until(
        'nothing is half',
        async () => {
          const left = await halves(stack);
          if (left.length) throw new Error(left.join('\n'));
          return true;
        },
        30_000,
      );
      expect(readdirSync(stack.photoDir).toSorted()).toEqual(files);
      const { body: photos } = await as(stack.url, adaNow).get('/photo').expect(200);
      const { urlstem, max800, extension } = photos[0] as typeof photo;
      await request(`${urlstem}${max800}${extension}`).get('').expect(200);

      // A member registered after the backup is missing, and one due for erasure is erased.
      expect(await members((all) => all.findOne({ _id: newest }))).toBeNull();
      await until(
        'the member is erased',
        () => members(async (all) => (await all.findOne({ _id: carol?.id ?? 0 })) === null),
        60_000,
      );
      await as(stack.url, benNow).get(`/users/${carol.id}`).expect(403);
      await expect(signIn(stack.url, stack.demo, carol, {}, 2)).rejects.toThrow('not signed in');

      // Search does not find who left, updates arrive, and changes are newer than all before.
      const ids = await found();
      expect([carol, dora].filter(({ id }) => ids.has(id))).toEqual([]);
      // A member who requested deletion can still come back.
      await expect(signIn(stack.url, stack.demo, dora, {}, 2)).resolves.toBeDefined();
      const live = await openSocket(stack.url, benNow.tokens.access_token, { resume: lastFrame });
      await as(stack.url, newcomer).post('/like', { profileid: ben.id }).expect(200);
      await live.next('like', ({ data }) => data['profileid'] === newcomer.id, 30_000);
      live.close();
      await as(stack.url, adaNow).post('/members/self', { height: 171 }).expect(200);
      expect(await versionOf()).toBeGreaterThan(lastVersion);
      rmSync(folder, { recursive: true });
    }, 240_000);
  });
}
