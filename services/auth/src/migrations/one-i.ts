import { loginKey } from '@covalence/contract/login-key';
import type { Migration, MigrationWork } from '@covalence/migrations/migration';
import { unlessDuplicate } from '@covalence/runtime/duplicate-key';
import type { Claim } from '../accounts/account.ts';

const claimsIn = ({ collection }: MigrationWork) => collection<Claim>('claims');

/** Names with letters that are an i by now. */
const former = { _id: /ı|i\u0307/ };

/** A name that somebody else has in other letters stays theirs. */
async function claimAnew(work: MigrationWork): Promise<void> {
  const claims = claimsIn(work);
  let taken = 0;
  for await (const { _id, member_id, at } of claims.find(former)) {
    work.signal.throwIfAborted();
    const id = loginKey(_id);
    if (await unlessDuplicate(claims.insertOne({ _id: id, member_id, at }))) continue;
    const holder = await claims.findOne({ _id: id });
    if (holder?.member_id !== member_id) taken += 1;
  }
  if (taken)
    work.print(`claims: ${taken} are somebody else's in other letters; who had them signs in by e-mail`);
}

/** Names are claimed with one i for all of its kinds; those from before are from now on, too. */
export const claimWithOneI: Migration = {
  name: '0001-claims-one-i',
  what: 'names with İ or ı are claimed with the i by which they are looked for',
  runs: 'before',
  up: claimAnew,
};

/** What the version before wrote in the meantime; what only it read goes. */
export const claimRestWithOneI: Migration = {
  name: '0002-claims-one-i-rest',
  what: 'the same for those written meanwhile; the claims from before go',
  runs: 'after',
  async up(work) {
    await claimAnew(work);
    await claimsIn(work).deleteMany(former);
  },
};
