import type { Migration, MigrationWork } from '@covalence/migrations/migration';
import { unlessDuplicate } from '@covalence/runtime/duplicate-key';
import type { Claim } from '../accounts/account.ts';
import { usernameClaims } from '../accounts/names/username-claims.ts';

/** Claims on usernames; those of plain Latin ones lack what they look like. */
const former = { _id: /^\d+:username:/, skeleton: { $exists: false } };

/** Names that look alike from before stay whose they are; the first one has the skeleton. */
async function claimLooks({ collection, signal }: MigrationWork): Promise<void> {
  const claims = collection<Claim>('claims');
  for await (const { _id, member_id, at } of claims.find(former)) {
    signal.throwIfAborted();
    const [site = '', , ...rest] = _id.split(':');
    const [own, ...alike] = usernameClaims(Number(site), rest.join(':'));
    if (own?.skeleton) await claims.updateOne({ _id, member_id }, { $set: { skeleton: own.skeleton } });
    for (const { _id: skeleton } of alike) {
      await unlessDuplicate(claims.insertOne({ _id: skeleton, member_id, at }));
    }
  }
}

/** Usernames say what they look like, so that others cannot be made to look like them. */
export const claimSkeletons: Migration = {
  name: '0003-claims-skeletons',
  what: 'claims on usernames say what these look like',
  runs: 'before',
  up: claimLooks,
};

/** The names that the version before claimed in the meantime. */
export const claimRestOfSkeletons: Migration = {
  name: '0004-claims-skeletons-rest',
  what: 'the same for those written meanwhile',
  runs: 'after',
  up: claimLooks,
};
