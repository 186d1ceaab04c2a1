import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { databaseOf } from '@covalence/migrations/migration';
import { createMigrator } from '@covalence/migrations/migrator';
import { identityMigrations } from '../../src/accounts/identities/identity-migrations.ts';
import { identityId } from '../../src/accounts/identities/identity-store.ts';
import { startAuth, type AuthUnderTest } from '../harness.ts';
import type { TestMember } from '../support/people.ts';
import { linksOf, storeLink } from '../support/providers.ts';

interface LinkDocument {
  _id: string;
  member_id: string;
  provider: string;
  email?: string;
  linked_at: Date;
  last_used_at: Date;
}

describe('the migration of links with accounts at providers', () => {
  let auth: AuthUnderTest;
  beforeAll(async () => {
    auth = await startAuth('identity-migrations');
  });
  afterAll(() => auth.close());

  const links = () => auth.context.mongo.collection<LinkDocument>('identities');
  /** A link as the previous version stores it. */
  const storeOldLink = async ({ member_id, siteid }: TestMember, provider: string, email?: string) => {
    const at = new Date();
    await links().insertOne({
      _id: identityId(provider, siteid, member_id),
      member_id,
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

  it('keeps what both versions link and unlink during the rollout, and drops the old collection', async () => {
    const migrator = createMigrator({
      connection: auth.context.mongo,
      migrations: identityMigrations,
      print: () => undefined,
    });
    const [kept, unlinkedByOld, unlinkedByNew, linkedByOld, linkedByNew, erased] = await Promise.all(
      Array.from({ length: 6 }, () => auth.addMember()),
    );
    if (!kept || !unlinkedByOld || !unlinkedByNew || !linkedByOld || !linkedByNew || !erased) return;
    await storeOldLink(kept, 'google', kept.email);
    for (const member of [unlinkedByOld, unlinkedByNew, erased]) await storeOldLink(member, 'google');
    await storeOldLink(unlinkedByOld, 'apple');
    await auth
      .internal('/internal/members/erase', { member_id: erased.member_id, id: erased.id })
      .expect(200);

    await migrator.up();
    await identityMigrations[0]?.up({
      collection: databaseOf(auth.context.mongo).collection,
      signal: new AbortController().signal,
      print: () => undefined,
    });
    expect(await linksOf(auth, kept.member_id)).toMatchObject([
      { id: identityId('google', 1, kept.member_id), provider: 'google', email: kept.email },
    ]);
    expect(await providersOf(unlinkedByOld)).toEqual(['apple', 'google']);
    const { waysIn } = auth.context.accounts;
    const id = identityId('google', 1, unlinkedByNew.member_id);
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
    expect(await databaseOf(auth.context.mongo).names()).not.toContain('identities');
    // An empty list would be a value of the unique index.
    expect(await auth.context.accounts.find(unlinkedByNew.member_id)).not.toHaveProperty('identities');
    await migrator.finish();
  });
});
