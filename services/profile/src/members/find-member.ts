import { z } from 'zod';
import type { MembersContext } from './members.ts';
import type { Member } from './document/member.ts';

const uuid = z.uuid();

/** The member that a `profileid` names (numeric id or UUID), or undefined where it names none. */
export async function findMember(
  { members }: Pick<MembersContext, 'members'>,
  profileid: unknown,
): Promise<Member | undefined> {
  const text = typeof profileid === 'number' ? String(profileid) : profileid;
  if (typeof text !== 'string') return undefined;
  if (/^\d{1,15}$/.test(text)) return members.store.byId(Number(text));
  return uuid.safeParse(text).success ? members.store.byUuid(text.toLowerCase()) : undefined;
}
