import type { Connection } from 'mongoose';
import type { Account } from './account.ts';

/** A link as the previous version stores it, in a collection of its own. `migrate finish` drops the collection. */
export interface FormerLink {
  readonly _id: string;
  readonly member_id: string;
  readonly provider: string;
  readonly email?: string;
  readonly linked_at: Date;
  readonly last_used_at: Date;
  /** The first step of the migration has copied it. */
  readonly copied?: true;
}

/** The collection of links that the previous version reads and writes during a rollout, and after a rollback. */
export function createFormerLinks(connection: Connection) {
  const links = connection.collection<FormerLink>('identities');
  return {
    /** Removes the links of a member, or one of them. */
    async remove(memberId: string, id?: string) {
      await links.deleteMany({ member_id: memberId, ...(id !== undefined && { _id: id }) });
    },
    /** Whether the previous version has removed a link since it was copied into the account. */
    async isRemoved({ _id, identities = [] }: Account, ids: readonly string[]): Promise<boolean> {
      const linked: readonly { readonly id: string; readonly copied?: true }[] = identities;
      const id = linked.find((one) => one.copied && ids.includes(one.id))?.id;
      return id !== undefined && (await links.findOne({ _id: id, member_id: _id })) === null;
    },
  };
}
