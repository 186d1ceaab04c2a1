import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { databaseOf } from '@covalence/migrations/migration';
import { createMigrator } from '@covalence/migrations/migrator';
import { identityMigrations } from '../../src/accounts/identities/identity-migrations.ts';
import { identityId } from '../../src/accounts/identities/identity-store.ts';
import { startAuth, type AuthUnderTest } from '../harness.ts';
import type { TestMember } from '../support/people.ts';
import { linksOf, removeLink, storeLink } from '../support/providers.ts';

interface LinkDocument {
  _id: string;
  member_id: string;
  provider: string;
  email?: string;
  linked_at: Date;
  last_used_at: Date;
}

const idOf = ({ member_id, siteid }: TestMember, provider: string) => identityId(provider, siteid, member_id);

describe('the migration of links with accounts at providers', () => {
  let auth: AuthUnderTest;
  beforeAll(async () => {
    auth = await startAuth('identity-migrations');
  });
  afterAll(() => auth.close());

  const links = () => auth.context.connection.collection<LinkDocument>('identities');
  /** A link as the previous version stores it. */
  const storeOldLink = async (member: TestMember, provider: string, email?: string) => {
    const at = new Date();
    await links().insertOne({
      _id: idOf(member, provider),
      member_id: member.member_id,
      provider,
      ...(email !== undefined && { email }),
      linked_at: at,
      last_used_at: at,
    });
  };
  const removeOldLink = ({ member_id }: TestMember, provider: string) =>
    links().deleteOne({ member_id, provider });
  const providersOf = async (member: TestMember) =>
    (await linksOf(auth, member.member_id)).map((one) => one.provider).sort();

  /** Runs a step as `covalence migrate` does, whether it has run before or not. */
  const step = async (name: string) => {
    const migration = identityMigrations.find((one) => one.name === name);
    if (!migration) throw new Error(`no step ${name}`);
    await migration.up({
      collection: databaseOf(auth.context.connection).collection,
      signal: new AbortController().signal,
      print: () => undefined,
    });
  };
  const accountOf = async ({ member_id }: TestMember) => {
    const account = await auth.context.accounts.find(member_id);
    if (!account) throw new Error('no account');
    return account;
  };

  it('does nothing in a new database, and nothing again', async () => {
    for (const { name } of [...identityMigrations, ...identityMigrations]) await step(name);
    expect(await links().countDocuments()).toBe(0);
  });

  it('keeps what both versions link and unlink during the rollout, and drops the old collection', async () => {
    const migrator = createMigrator({
      connection: auth.context.connection,
      migrations: identityMigrations,
      print: () => undefined,
    });
    const add = () => auth.addMember();
    const [kept, unlinkedByOld, unlinkedByNew, linkedByOld, linkedByNew, erased] = await Promise.all([
      add(),
      add(),
      add(),
      add(),
      add(),
      add(),
    ]);
    await storeOldLink(kept, 'google', kept.email);
    for (const member of [unlinkedByOld, unlinkedByNew, erased]) await storeOldLink(member, 'google');
    await storeOldLink(unlinkedByOld, 'apple');
    await auth
      .internal('/internal/members/erase', { member_id: erased.member_id, id: erased.id })
      .expect(200);

    await migrator.up();
    await step('0002-identities-in-accounts');
    expect(await linksOf(auth, kept.member_id)).toMatchObject([
      { id: idOf(kept, 'google'), provider: 'google', email: kept.email },
    ]);
    expect(await providersOf(unlinkedByOld)).toEqual(['apple', 'google']);
    const { waysIn } = auth.context.accounts;
    const id = idOf(unlinkedByNew, 'google');
    await waysIn.remove(unlinkedByNew.member_id, { list: 'identities', id }, { at: new Date() });
    await removeOldLink(unlinkedByOld, 'google');
    await storeOldLink(linkedByOld, 'google');
    await storeLink(auth, linkedByNew, 'somebody', 'google');

    await migrator.finish();
    const all = [kept, unlinkedByOld, unlinkedByNew, linkedByOld, linkedByNew];
    expect(await Promise.all(all.map(providersOf))).toEqual([
      ['google'],
      ['apple'],
      [],
      ['google'],
      ['google'],
    ]);
    expect(await linksOf(auth, kept.member_id)).not.toEqual([expect.objectContaining({ copied: true })]);
    expect(await databaseOf(auth.context.connection).names()).not.toContain('identities');
    // An empty list would be a value of the unique index.
    expect(await auth.context.accounts.find(unlinkedByNew.member_id)).not.toHaveProperty('identities');
    await migrator.finish();
  });

  it('ends the links of both versions with a recovery, an unlinking and an erasure', async () => {
    const { accounts } = auth.context;
    const [recovered, reclaimed, unlinked, erased, other] = await Promise.all([
      auth.addMember(),
      auth.addMember(),
      auth.addMember(),
      auth.addMember(),
      auth.addMember(),
    ]);
    const all = [recovered, reclaimed, unlinked, erased, other];
    await Promise.all(all.map((member) => storeOldLink(member, 'google')));
    await step('0002-identities-in-accounts');
    // A thief links theirs at a process of the previous version.
    await Promise.all(all.map((member) => storeOldLink(member, 'apple')));

    const at = new Date();
    const effects = { mails: [], confirms: false, endsOthers: true };
    await accounts.setPassword(await accountOf(recovered), 'hash', at, effects);
    const read = await accountOf(reclaimed);
    await accounts.emails.change(read, read, at, { onlyPasskeys: [] });
    await removeLink(auth, unlinked.member_id, 'google');
    await accounts.erase(erased.member_id);
    const left = await links()
      .find({ member_id: { $in: all.map((one) => one.member_id) } })
      .toArray();
    expect(left.map(({ _id }) => _id).sort()).toEqual(
      [...['apple', 'google'].map((one) => idOf(other, one)), idOf(unlinked, 'apple')].sort(),
    );

    await step('0003-without-identities');
    expect(await Promise.all(all.map(providersOf))).toEqual([[], [], ['apple'], [], ['apple', 'google']]);
  });

  it('lets no link sign in that the previous version has removed during the rollout', async () => {
    const { identities } = auth.context.accounts;
    const [kept, removed, moved] = await Promise.all([auth.addMember(), auth.addMember(), auth.addMember()]);
    const ids = [kept, removed].map((member) => idOf(member, 'google'));
    for (const member of [kept, removed]) await storeOldLink(member, 'google');
    await step('0002-identities-in-accounts');
    await removeOldLink(removed, 'google');
    const enter = async () => (await identities.findAccounts(ids)).map(({ _id }) => _id);
    expect(await enter()).toEqual([kept.member_id]);
    // The person has linked another member since.
    const at = new Date();
    const again = { member_id: moved.member_id, provider: 'google', linked_at: at, last_used_at: at };
    await links().replaceOne({ _id: idOf(kept, 'google') }, again);
    expect(await enter()).toEqual([]);
    await step('0003-without-identities');
    expect(await Promise.all([kept, removed, moved].map(providersOf))).toEqual([[], [], ['google']]);
  });

  it('gives an account at a provider that two members have linked to the newer link', async () => {
    const [newerByOld, olderByNew, olderByOld, newerByNew] = await Promise.all([
      auth.addMember(),
      auth.addMember(),
      auth.addMember(),
      auth.addMember(),
    ]);
    await storeLink(auth, olderByNew, newerByOld.member_id);
    await storeLink(auth, olderByNew, 'somebody-else', 'apple');
    await storeOldLink(newerByOld, 'google');
    await storeOldLink(olderByOld, 'google');
    await storeLink(auth, newerByNew, olderByOld.member_id);

    await step('0003-without-identities');
    const all = [newerByOld, olderByNew, olderByOld, newerByNew];
    expect(await Promise.all(all.map(providersOf))).toEqual([['google'], ['apple'], [], ['google']]);
  });
});
