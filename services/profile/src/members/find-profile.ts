import { z } from 'zod';
import type { Context } from '../context.ts';
import type { Member } from './document/member.ts';

const uuid = z.uuid();

/** The member that a `profileid` names (numeric id or UUID), or undefined where it names none. */
export async function findProfile(
  { members }: Pick<Context, 'members'>,
  profileid: unknown,
): Promise<Member | undefined> {
  const text = typeof profileid === 'number' ? String(profileid) : profileid;
  if (typeof text !== 'string') return undefined;
  if (/^\d{1,15}$/.test(text)) return members.byId(Number(text));
  return uuid.safeParse(text).success ? members.byUuid(text.toLowerCase()) : undefined;
}
