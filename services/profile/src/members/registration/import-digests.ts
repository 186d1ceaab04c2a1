import { hash } from 'node:crypto';
import { isStoredField } from '../document/member-values.ts';
import type { Member } from '../document/member.ts';
import { placeFields } from '../places/complete-place.ts';
import { differs } from '../update/update-patch.ts';
import type { GoodImport } from './check-import.ts';

/** Parameters that are one value: where one of them changed, all of them apply. */
const together = [placeFields, ['agefrom', 'ageto']];

const keyOf = (name: string) => together.find((names) => names.includes(name))?.[0] ?? name;

/** Activity, which is newer here than in the file; only a new member takes it over. */
const activity = new Set(['online', 'last_seen']);

/** The parameters of a line by name, in one order. */
function statedIn({ values, past, referral }: GoodImport) {
  const all: Readonly<Record<string, unknown>> = { ...values, ...past, ...referral };
  const names = Object.keys(all).filter((name) => !activity.has(name));
  return names.toSorted().map((name) => [name, all[name]] as const);
}

/** Digests of the parameters of a line, which show what changes in a later one; salted with the member, so that equal values differ. */
export function digestsOf(good: GoodImport): Record<string, string> {
  const { member_id } = good.imported;
  const stated = Map.groupBy(statedIn(good), ([name]) => keyOf(name));
  const digests = [...stated].map(([key, parameters]) => {
    const text = JSON.stringify([member_id, ...parameters]);
    return [key, hash('sha256', text, 'base64url').slice(0, 16)] as const;
  });
  return Object.fromEntries(digests);
}

/**
 * The parameters of a line that changed since the last import of the member; of a member who was not imported, the fields that
 * differ.
 */
export function changedParameters(good: GoodImport, member: Member): string[] {
  const { import_digests: known } = member;
  const digests = digestsOf(good);
  const isChanged = (name: string) =>
    known
      ? known[keyOf(name)] !== digests[keyOf(name)]
      : name in good.values && isStoredField(name) && differs(member, name, good.values[name]);
  const names = statedIn(good).map(([name]) => name);
  const changed = new Set(names.filter(isChanged).map(keyOf));
  return names.filter((name) => changed.has(keyOf(name)));
}
