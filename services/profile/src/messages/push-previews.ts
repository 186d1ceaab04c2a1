import type { Member } from '../members/document/member.ts';
import { refusalOf } from '../pairs/eligibility.ts';
import { relationOf } from '../pairs/pair.ts';
import { displayName } from '../record/fields/identity-fields.ts';
import type { MessagesContext } from './messages.ts';

/** Another member in a push message, and the message that member wrote. */
interface Previewed {
  readonly profileid: number;
  readonly messageid?: string | undefined;
}

/** Characters of a message that a push message shows. */
const mostCharacters = 120;

/** The beginning of a text, on one line. */
function beginningOf(text: string): string {
  const characters = Array.from(text.replaceAll(/\s+/gu, ' ').trim());
  return characters.length > mostCharacters
    ? `${characters.slice(0, mostCharacters - 1).join('')}…`
    : characters.join('');
}

/**
 * The members of whom nothing is pushed, because either has blocked the other, and for a member who wants them the names and texts that
 * push messages show: of members whom the member may see, and of messages that the member has not deleted.
 */
export async function previewsOf(context: MessagesContext, viewer: Member, wanted: readonly Previewed[]) {
  const { members, messages, pairs } = context;
  const ids = [...new Set(wanted.map(({ profileid }) => profileid))];
  const sides = await pairs.store.readMany(viewer._id, ids);
  const blocked = ids.filter((id) => relationOf(sides.get(id)).blocked !== 'none');
  if (!viewer.notifications?.previews) return { blocked };
  const others = await members.store.byIds(ids.filter((id) => !blocked.includes(id)));
  const shown = new Map(
    others.flatMap((other) => {
      const relation = relationOf(sides.get(other._id));
      const refusal = refusalOf(context, { viewer, other, relation, purpose: 'thread' });
      return refusal === undefined ? [[other._id, displayName(other)] as const] : [];
    }),
  );
  const found = await Promise.all(
    wanted.map(async ({ profileid, messageid }) => {
      const name = shown.get(profileid);
      if (name === undefined) return [];
      if (messageid === undefined) return [{ profileid, name }];
      const text = await messages.store.receivedText(viewer._id, profileid, messageid);
      return text === undefined ? [] : [{ profileid, messageid, name, text: beginningOf(text) }];
    }),
  );
  return { blocked, previews: found.flat() };
}
