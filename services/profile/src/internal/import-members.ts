import { importMembers } from '@covalence/contract/internal/profile-api';
import { endpoint } from '@covalence/http/endpoint';
import type { Context } from '../context.ts';
import type { Member } from '../members/member.ts';
import { checkImported, memberFromImport, type CheckedImport, type Imported } from './imported-member.ts';

interface Candidate extends CheckedImport {
  readonly imported: Imported;
}

interface Refusal {
  readonly member_id: string;
  readonly failcode: number[];
}

/** The code for a member whose username or e-mail somebody else has: the auth service does not say which. */
const credentialTaken = 10101;

const accountOf = ({ imported }: Candidate, id: number) => ({
  member_id: imported.member_id,
  id,
  siteid: imported.siteid,
  username: imported.username,
  email: imported.email,
  ...(imported.password_hash && { password_hash: imported.password_hash }),
});

/** Imports members that are not there yet; answers those whose credentials somebody else has. */
async function importNew(
  context: Context,
  candidates: readonly Candidate[],
): Promise<{ ids: ReadonlyMap<string, number>; taken: ReadonlySet<string> }> {
  if (!candidates.length) return { ids: new Map(), taken: new Set() };
  const memberIds = candidates.map(({ imported }) => imported.member_id);
  const ids = await context.importIds.keep(memberIds, (count) => context.ids.take('member', count));
  const accounts = candidates.map((each) => accountOf(each, ids.get(each.imported.member_id) ?? 0));
  const { refused } = await context.auth.importAccounts({ accounts });
  const taken = new Set(refused);
  const accepted = candidates.filter(({ imported }) => !taken.has(imported.member_id));
  await context.members.insertMany(await documentsOf(context, accepted, ids));
  await context.importIds.forget(memberIds);
  return { ids, taken };
}

async function documentsOf(
  context: Context,
  accepted: readonly Candidate[],
  ids: ReadonlyMap<string, number>,
): Promise<Member[]> {
  const photoCount = accepted.reduce((sum, { imported }) => sum + (imported.photos?.length ?? 0), 0);
  const photoIds = photoCount ? await context.ids.take('photo', photoCount) : [];
  const now = context.clock();
  return accepted.flatMap(({ imported, values }) => {
    const site = context.sites.get(imported.siteid);
    const id = ids.get(imported.member_id);
    if (!site || id === undefined) return [];
    const own = photoIds.splice(0, imported.photos?.length ?? 0);
    return [memberFromImport(imported, values, { id, site, photoIds: own, now })];
  });
}

/** A list's members once each: a second line with the same member_id is the same member. */
const once = (members: readonly Imported[]): Imported[] => [
  ...new Map(members.map((member) => [member.member_id, member])).values(),
];

/**
 * POST /internal/members/import: members in bulk with their accounts, idempotent by member_id. Bad ones are refused with
 * their codes, a member of an unknown site without code.
 */
export const importMany = endpoint({
  access: 'service',
  summary: 'Members in bulk',
  ...importMembers,
  handler: async ({ input }, context: Context) => {
    const members = once(input.members);
    const existing = await context.members.idsOf(members.map(({ member_id }) => member_id));
    const checked = members
      .filter(({ member_id }) => !existing.has(member_id))
      .map((imported): Candidate => ({ imported, ...checkImported(imported) }));
    const isGood = ({ imported, failcode }: Candidate) =>
      context.sites.has(imported.siteid) && !failcode.length;
    const { ids, taken } = await importNew(context, checked.filter(isGood));
    const refused: Refusal[] = [
      ...checked
        .filter((each) => !isGood(each))
        .map(({ imported, failcode }) => ({ member_id: imported.member_id, failcode: [...failcode] })),
      ...[...taken].map((member_id) => ({ member_id, failcode: [credentialTaken] })),
    ];
    const imported = [...existing, ...ids].filter(([member_id]) => !taken.has(member_id));
    return { imported: imported.map(([member_id, id]) => ({ member_id, id })), refused };
  },
});
