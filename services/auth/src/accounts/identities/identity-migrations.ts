import type { Documents, Migration, MigrationWork } from '@covalence/migrations/migration';
import { isDuplicateKey } from '@covalence/runtime/duplicate-key';
import { conflict, retryOnConflict } from '@covalence/runtime/retry-on-conflict';
import type { FormerLink } from '../former-links.ts';

/** A link in its account, as this version stores it. */
interface CopiedLink extends Pick<FormerLink, 'provider' | 'email' | 'linked_at' | 'last_used_at'> {
  readonly id: string;
  readonly copied?: true;
}

interface AccountDocument {
  readonly _id: string;
  readonly identities?: readonly CopiedLink[];
}

/** MongoDB before 7.0 refuses to drop a collection that is not there; the embedded one says so without an error code. */
function unlessMissing(error: unknown): void {
  if (!(error instanceof Error && error.message === 'ns not found')) throw error;
}

/** Removes a link from the account that has it; false when none matches. */
async function removeLink(
  accounts: Documents<AccountDocument>,
  filter: { readonly _id: string | { readonly $ne: string } },
  link: { readonly id: string; readonly linked_at?: { readonly $lt: Date } },
): Promise<boolean> {
  const match = { ...filter, identities: { $elemMatch: link } };
  const among = { ...match, 'identities.1': { $exists: true } };
  const { id } = link;
  if ((await accounts.updateOne(among, { $pull: { identities: { id } } })).modifiedCount) return true;
  // An empty list would be a value of the unique index.
  const alone = { ...match, 'identities.1': { $exists: false } };
  return (await accounts.updateOne(alone, { $unset: { identities: 1 } })).modifiedCount === 1;
}

/**
 * Links an identity, unless the account has one of this provider. Of two members who have linked the same person in two versions, the
 * newer link wins. Returns how many were linked.
 */
async function link(accounts: Documents<AccountDocument>, member: string, identity: CopiedLink) {
  const { id, provider, linked_at } = identity;
  const push = () =>
    accounts.updateOne(
      { _id: member, 'identities.provider': { $ne: provider } },
      { $push: { identities: identity } },
    );
  try {
    return (await push()).modifiedCount;
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
  }
  const older = { id, linked_at: { $lt: linked_at } };
  return (await removeLink(accounts, { _id: { $ne: member } }, older)) ? (await push()).modifiedCount : 0;
}

/** Copies links into their accounts. */
async function copy({ collection, signal, print }: MigrationWork, mark: { readonly copied?: true }) {
  const links = collection<FormerLink>('identities');
  const accounts = collection<AccountDocument>('accounts');
  let count = 0;
  for await (const { _id: id, member_id, ...rest } of links.find({ copied: { $exists: false } })) {
    signal.throwIfAborted();
    const { provider, email, linked_at, last_used_at } = rest;
    const values = { id, provider, ...(email !== undefined && { email }), linked_at, last_used_at };
    count += await link(accounts, member_id, { ...values, ...mark });
    // Somebody may have removed it since it was read.
    const { matchedCount } = await links.updateOne({ _id: id, member_id }, { $set: { copied: true } });
    if (!matchedCount) await removeLink(accounts, { _id: member_id }, { id });
  }
  print(`accounts: ${count} links copied`);
}

/** Removes copies whose originals the previous version has removed since, and the marks of the others. */
async function applyRemovals({ collection, signal, print }: MigrationWork): Promise<void> {
  const links = collection<FormerLink>('identities');
  const accounts = collection<AccountDocument>('accounts');
  const isCopied = { 'identities.copied': true } as const;
  let count = 0;
  const apply = async (_id: string) => {
    const { identities = [] } = (await accounts.findOne({ _id, ...isCopied })) ?? {};
    if (!identities.length) return 0;
    const ids = identities.map(({ id }) => id);
    const left = await links.distinct('_id', { _id: { $in: ids }, member_id: _id });
    const kept = identities.filter(({ id, copied }) => !copied || left.includes(id));
    const unmarked = kept.map(({ copied: _mark, ...identity }) => identity);
    const { matchedCount } = await accounts.updateOne(
      { _id, identities },
      // An empty list would be a value of the unique index.
      kept.length ? { $set: { identities: unmarked } } : { $unset: { identities: 1 } },
    );
    return matchedCount ? identities.length - kept.length : conflict;
  };
  for await (const { _id } of accounts.find(isCopied, { projection: { _id: 1 } })) {
    signal.throwIfAborted();
    count += await retryOnConflict('the links of an account', () => apply(_id));
  }
  print(`accounts: ${count} links removed`);
}

/** Moves the links with accounts at providers into the documents of their members. */
export const identityMigrations: readonly Migration[] = [
  {
    name: '0002-identities-in-accounts',
    what: 'Copies the links with accounts at providers into the documents of their accounts.',
    runs: 'before',
    up: (work) => copy(work, { copied: true }),
  },
  {
    name: '0003-without-identities',
    what: 'Applies what the previous version has linked and unlinked since, and drops the collection of links.',
    runs: 'after',
    async up(work) {
      await applyRemovals(work);
      await copy(work, {});
      // In a new database it never was.
      await work.collection<FormerLink>('identities').drop().catch(unlessMissing);
    },
  },
];
