import type { Migration, MigrationWork } from '@covalence/migrations/migration';
import { conflict, retryOnConflict } from '@covalence/runtime/retry-on-conflict';

/** A link as the previous version stored it, in a collection of its own. */
interface Link {
  readonly _id: string;
  readonly member_id: string;
  readonly provider: string;
  readonly email?: string;
  readonly linked_at: Date;
  readonly last_used_at: Date;
  /** The first step has copied it. */
  readonly copied?: true;
}

/** A link in its account, as this version stores it. */
interface CopiedLink extends Pick<Link, 'provider' | 'email' | 'linked_at' | 'last_used_at'> {
  readonly id: string;
  readonly copied?: true;
}

interface AccountDocument {
  readonly _id: string;
  readonly identities?: readonly CopiedLink[];
}

/** MongoDB's error code for a missing collection. */
const namespaceNotFound = 26;

function unlessMissing(error: unknown): void {
  if (!(error instanceof Error && 'code' in error && error.code === namespaceNotFound)) throw error;
}

/** Copies links into their accounts, unless the account has one of this provider. */
async function copy({ collection, signal, print }: MigrationWork, mark: { readonly copied?: true }) {
  const links = collection<Link>('identities');
  const accounts = collection<AccountDocument>('accounts');
  let count = 0;
  for await (const link of links.find({ copied: { $exists: false } })) {
    signal.throwIfAborted();
    const { _id: id, member_id, provider, email, linked_at, last_used_at } = link;
    const identity = {
      id,
      provider,
      ...(email !== undefined && { email }),
      linked_at,
      last_used_at,
      ...mark,
    };
    const { modifiedCount } = await accounts.updateOne(
      { _id: member_id, 'identities.provider': { $ne: provider } },
      { $push: { identities: identity } },
    );
    await links.updateOne({ _id: id }, { $set: { copied: true } });
    count += modifiedCount;
  }
  print(`accounts: ${count} links copied`);
}

/** Removes copies whose originals the previous version has removed since, and the marks of the others. */
async function applyRemovals({ collection, signal, print }: MigrationWork): Promise<void> {
  const links = collection<Link>('identities');
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
      await work.collection<Link>('identities').drop().catch(unlessMissing);
    },
  },
];
