import { unavailable } from '@covalence/contract/failure';
import { importMembers } from '@covalence/contract/internal/profile-api';
import { endpoint } from '@covalence/http/endpoint';
import type { MembersContext } from '../members.ts';
import type { Member } from '../document/member.ts';
import { textIn } from '../checks/check-fields.ts';
import {
  changeFromImport,
  checkImported,
  memberFromImport,
  type BadImport,
  type GoodImport,
  type Imported,
} from './imported-member.ts';

const accountOf = ({ imported, site, values, past }: GoodImport, id: number) => ({
  member_id: imported.member_id,
  id,
  siteid: site.siteid,
  username: textIn(values, 'username') ?? '',
  email: textIn(values, 'email') ?? '',
  password_hash: past.password_hash,
  locale: textIn(values, 'locale'),
});

/** The members whose accounts exist, each with the id of its account. */
async function membersOf(
  context: MembersContext,
  good: readonly GoodImport[],
  ids: ReadonlyMap<string, number>,
): Promise<Member[]> {
  const photoCount = good.reduce((sum, { imported }) => sum + (imported.photos?.length ?? 0), 0);
  const photoIds = photoCount ? await context.members.ids.take('photo', photoCount) : [];
  const now = context.clock();
  return good.flatMap((each) => {
    const id = ids.get(each.imported.member_id);
    const own = photoIds.splice(0, each.imported.photos?.length ?? 0);
    return id === undefined ? [] : [memberFromImport(each, { id, photoIds: own, now })];
  });
}

/** Milliseconds in which a reserved account cannot be given up. */
const reservedMs = 5_000;

/**
 * Writes new members. Resolves with false where the account of one was given up meanwhile. Tombstones from before the
 * accounts were reserved, at `reserved`, are deleted.
 */
async function insertAll({ members: { store } }: MembersContext, list: readonly Member[], reserved: Date) {
  if (await store.insertMany(list)) return true;
  const uuids = list.map(({ member_id }) => member_id);
  const missing = async () => {
    const there = await store.idsOf(uuids);
    return list.filter(({ member_id }) => !there.has(member_id));
  };
  await store.dropTombstones(uuids, new Date(reserved.getTime() + reservedMs));
  const again = await missing();
  return !again.length || (await store.insertMany(again)) || !(await missing()).length;
}

interface Refusal {
  readonly member_id: string;
  readonly failcode: readonly number[];
  readonly failed?: Readonly<Record<string, number>>;
}

/** Creates accounts, then members. After a crash, the auth service settles the accounts, and a repeated import continues. */
async function importNew(context: MembersContext, good: readonly GoodImport[]) {
  if (!good.length) return { ids: new Map<string, number>(), taken: [] };
  const fresh = await context.members.ids.take('member', good.length);
  const reserved = context.clock();
  const { accounts, refused } = await context.auth.importAccounts({
    accounts: good.map((each, index) => accountOf(each, fresh[index] ?? 0)),
  });
  const ids = new Map(accounts.map(({ member_id, id }) => [member_id, id]));
  // The import took so long that accounts were given up; the caller can repeat it.
  if (!(await insertAll(context, await membersOf(context, good, ids), reserved))) {
    throw unavailable(new Error('accounts of imported members were given up'));
  }
  return { ids, taken: refused };
}

/** The names of new members that are taken, by member, without claiming any. */
async function takenNames({ auth }: MembersContext, good: readonly GoodImport[]): Promise<Refusal[]> {
  const refusals: Refusal[] = [];
  for (const { imported, site, values } of good) {
    const { failcode } = await auth.checkAccount({
      member_id: imported.member_id,
      siteid: site.siteid,
      password_minimum: site.password_minimum,
      username: textIn(values, 'username'),
      email: textIn(values, 'email'),
      look_up_names: true,
    });
    if (failcode.length) refusals.push({ member_id: imported.member_id, failcode });
  }
  return refusals;
}

/** Applies the lines of existing members. Resolves with those that they changed. */
async function updateExisting(
  { members: { store } }: MembersContext,
  good: readonly GoodImport[],
  ids: ReadonlyMap<string, number>,
): Promise<Set<string>> {
  const changed = new Set<string>();
  for (const each of good) {
    const { member_id } = each.imported;
    await store.change(ids.get(member_id) ?? 0, (member) => {
      const patch = changeFromImport(each, member);
      if (patch) changed.add(member_id);
      return patch;
    });
  }
  return changed;
}

function once(members: readonly Imported[]): Imported[] {
  const seen = new Set<string>();
  return members.filter(({ member_id }) => !seen.has(member_id) && seen.add(member_id));
}

const isGood = (checked: GoodImport | BadImport): checked is GoodImport => 'values' in checked;

/** POST /internal/members/import: members in bulk with their accounts, idempotent by member_id; or only their check. */
export const importMany = endpoint({
  access: 'service',
  summary: 'Members in bulk',
  ...importMembers,
  handler: async ({ input }, context: MembersContext) => {
    const members = once(input.members);
    const existing = await context.members.store.idsOf(members.map(({ member_id }) => member_id));
    const now = context.clock();
    const { mode } = input;
    const exists = ({ imported }: GoodImport) => existing.has(imported.member_id);
    const checked = members
      .filter(({ member_id }) => mode !== 'add' || !existing.has(member_id))
      .map((imported) => checkImported(imported, context.sites, now));
    const good = checked.filter(isGood);
    const added = good.filter((each) => !exists(each));
    const isCheck = mode === 'check';
    const { ids, taken } = isCheck
      ? { ids: new Map<string, number>(), taken: await takenNames(context, added) }
      : await importNew(context, added);
    const all = [...existing, ...ids];
    // Existing members too, because an interrupted import leaves them unconfirmed.
    if (!isCheck) await context.auth.confirmImported({ member_ids: all.map(([member_id]) => member_id) });
    const changed =
      mode === 'update' ? await updateExisting(context, good.filter(exists), existing) : new Set<string>();
    const bad = checked.flatMap((each) =>
      isGood(each) ? [] : [{ ...each, member_id: each.imported.member_id }],
    );
    const refusals: readonly Refusal[] = [...bad, ...taken];
    return {
      imported: all.map(([member_id, id]) => ({
        member_id,
        id,
        added: ids.has(member_id),
        changed: changed.has(member_id),
      })),
      refused: refusals.map(({ member_id, failcode, failed }) => ({
        member_id,
        failcode: [...failcode],
        failed: { ...failed },
      })),
    };
  },
});
