import { unavailable } from '@covalence/contract/failure';
import { checkImport, importMembers } from '@covalence/contract/peers/profile-api';
import { serviceEndpoint } from '@covalence/http/endpoint';
import type { MembersContext } from '../members.ts';
import type { Member } from '../document/member.ts';
import { memberSuspicionOf } from '../document/suspicion.ts';
import { textIn } from '../checks/check-fields.ts';
import { checkImported, type BadImport, type GoodImport, type Imported } from './check-import.ts';
import { changeFromImport, memberFromImport, type ImportedChange } from './imported-member.ts';

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
  const addresses = good.map(({ site: { siteid }, values }) => ({
    siteid,
    email: textIn(values, 'email') ?? '',
  }));
  const matches = await context.members.bans.ofEmails(addresses);
  const now = context.clock();
  return good.flatMap((each, index) => {
    const id = ids.get(each.imported.member_id);
    const own = photoIds.splice(0, each.imported.photos?.length ?? 0);
    if (id === undefined) return [];
    return [
      {
        ...memberFromImport(each, { id, photoIds: own, now }),
        ...memberSuspicionOf('email', matches[index] ?? []),
      },
    ];
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
  await store.dropTombstones(
    list.map(({ _id }) => _id),
    new Date(reserved.getTime() + reservedMs),
  );
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

/** Applies the lines of existing members. Resolves with what became of each. */
async function updateExisting(
  { members: { store } }: MembersContext,
  good: readonly GoodImport[],
  ids: ReadonlyMap<string, number>,
) {
  const updates = new Map<string, Pick<ImportedChange, 'changed' | 'ignored'>>();
  for (const each of good) {
    const { member_id } = each.imported;
    await store.change(ids.get(member_id) ?? 0, (member) => {
      const { patch, ...update } = changeFromImport(each, member);
      updates.set(member_id, update);
      return patch;
    });
  }
  return updates;
}

function once(members: readonly Imported[]): Imported[] {
  const seen = new Set<string>();
  return members.filter(({ member_id }) => !seen.has(member_id) && seen.add(member_id));
}

const isGood = (checked: GoodImport | BadImport): checked is GoodImport => 'values' in checked;

/** Checks each member of a call once, and existing ones on demand. */
async function checkAll(context: MembersContext, sent: readonly Imported[], existingToo: boolean) {
  const members = once(sent);
  const existing = await context.members.store.idsOf(members.map(({ member_id }) => member_id));
  const now = context.clock();
  const checked = members
    .filter(({ member_id }) => existingToo || !existing.has(member_id))
    .map((imported) => checkImported(imported, context.sites, now));
  const good = checked.filter(isGood);
  const exists = ({ imported }: GoodImport) => existing.has(imported.member_id);
  return {
    existing,
    bad: checked.flatMap((each) => (isGood(each) ? [] : [{ ...each, member_id: each.imported.member_id }])),
    added: good.filter((each) => !exists(each)),
    kept: good.filter(exists),
  };
}

const refusedOf = (refusals: readonly Refusal[]) =>
  refusals.map(({ member_id, failcode, failed }) => ({
    member_id,
    failcode: [...failcode],
    failed: { ...failed },
  }));

const unchanged = { added: false, changed: false, ignored: [] };

/** POST /internal/members/import: members in bulk with their accounts, idempotent by member_id. */
export const importMany = serviceEndpoint(
  importMembers,
  async ({ members, mode }, context: MembersContext) => {
    const { existing, bad, added, kept } = await checkAll(context, members, mode === 'update');
    const { ids, taken } = await importNew(context, added);
    const all = [...existing, ...ids];
    // Existing members too, because an interrupted import leaves them unconfirmed.
    await context.auth.confirmImported({ member_ids: all.map(([member_id]) => member_id) });
    const updates = await updateExisting(context, mode === 'update' ? kept : [], existing);
    return {
      imported: all.map(([member_id, id]) => {
        const { changed = false, ignored = [] } = updates.get(member_id) ?? {};
        return { member_id, id, added: ids.has(member_id), changed, ignored: [...ignored] };
      }),
      refused: refusedOf([...bad, ...taken]),
    };
  },
);

/** POST /internal/members/import/check: what an import would refuse, and the members that exist. */
export const checkMany = serviceEndpoint(checkImport, async ({ members }, context: MembersContext) => {
  const { existing, bad, added } = await checkAll(context, members, true);
  return {
    imported: [...existing].map(([member_id, id]) => ({ member_id, id, ...unchanged })),
    refused: refusedOf([...bad, ...(await takenNames(context, added))]),
  };
});
