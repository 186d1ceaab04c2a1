import { covalences } from '@covalence/contract/record';
import { isoOrNull } from '@covalence/runtime/clock';
import { openTo } from '../pairs/eligibility.ts';
import { z } from 'zod';
import type { PrivacyContext } from './privacy.ts';
import type { Member } from '../members/document/member.ts';
import { messageView, viewOf } from '../messages/messages.ts';
import type { TimeCursor } from '../members/store/time-cursor.ts';
import type { ListedMember } from '../pairs/pair-list-store.ts';
import { type Side, type Sides, relationOf } from '../pairs/pair.ts';

const batch = 500;

const time = z.iso.datetime().nullable();

/** The times of a side, by name. */
const sideTimes = {
  stance_at: time,
  blocked_at: time,
  viewed_at: time,
  messaged_at: time,
  reported_at: time,
  passed_until: time,
};

const timeNames = Object.keys(sideTimes) as (keyof typeof sideTimes)[];

/** The schema of a pair. */
const relationSchema = z.strictObject({
  profileid: z.int(),
  covalence: z.enum(covalences),
  isconnection: z.boolean().nullable(),
  covalencedatecreated: time,
  covalencedateanswered: time,
  viewer_messaged_by_member: z.boolean(),
  member_messaged_by_viewer: z.boolean(),
  mine: z
    .strictObject({
      stance: z.string(),
      ...sideTimes,
      photos: z.strictObject({ send: z.boolean(), receive: z.boolean() }).nullable(),
    })
    .meta({ description: 'What the member did.' }),
});

const view = z.strictObject({ profileid: z.int(), at: z.iso.datetime() });

/** The schemas of `relationsOf`. */
export const relationSections = {
  relations: z.array(relationSchema),
  views: z.strictObject({ received: z.array(view), made: z.array(view) }),
  messages: z.array(
    z.strictObject({
      profileid: z.int(),
      messages: z.array(messageView.extend({ deleted: z.boolean() }).meta({ id: 'ExportedMessage' })),
    }),
  ),
};

/** The member's own actions on another; no actions of the other. */
const sideView = (side: Side) => ({
  stance: side.stance,
  ...(Object.fromEntries(timeNames.map((name) => [name, isoOrNull(side[name])])) as Record<
    keyof typeof sideTimes,
    string | null
  >),
  photos: side.photos ?? null,
});

const acted = ({ stance, ...rest }: Side) => stance !== 'none' || Object.values(rest).some((value) => value);

/** A pair with what the other's record shows the member: not that the other blocked, reported or passed. */
const relationView = (profileid: number, sides: Sides) => {
  const { covalence, isconnection, created, answered, messagedByMe, messagedByThem } = relationOf(sides);
  return {
    profileid,
    covalence,
    isconnection,
    covalencedatecreated: isoOrNull(created),
    covalencedateanswered: isoOrNull(answered),
    viewer_messaged_by_member: messagedByThem,
    member_messaged_by_viewer: messagedByMe,
    mine: sideView(sides.mine),
  };
};

async function viewsOf({ pairs }: PrivacyContext, member: number): Promise<ListedMember[]> {
  const all: ListedMember[] = [];
  for (let after: TimeCursor | undefined; ; after = all.at(-1)) {
    const page = await pairs.activity.listViews(member, batch, after);
    all.push(...page);
    if (page.length < batch) return all;
  }
}

async function messagesWith({ messages }: PrivacyContext, member: number, other: number) {
  const archived = await messages.store.archive(member, other);
  return {
    profileid: other,
    messages: archived.map((each) => ({ ...viewOf(each, member), deleted: each.hidden })),
  };
}

/** The part of an export about other members: pairs, views and conversations. Others appear by numeric id only. */
export async function relationsOf(context: PrivacyContext, member: Member) {
  const { _id } = member;
  const [pairs, views, made] = await Promise.all([
    context.pairs.store.all(_id),
    viewsOf(context, _id),
    context.pairs.activity.viewsBy(_id),
  ]);
  const strangers = [...pairs].filter(([, { mine }]) => !acted(mine)).map(([other]) => other);
  const unsure = new Set([...strangers, ...views.map(({ other }) => other)]);
  const { open } = await openTo(context, _id, unsure, (other) => relationOf(pairs.get(other)));
  const own = [...pairs].filter(([other, { mine }]) => acted(mine) || open.has(other));
  const written = [...pairs].filter(([, { mine, theirs }]) => mine.messaged_at ?? theirs.messaged_at);
  const threads = [];
  for (const [other] of written) threads.push(await messagesWith(context, _id, other));
  return {
    relations: own.map(([other, sides]) => relationView(other, sides)),
    views: {
      received: views
        .filter(({ other }) => open.has(other))
        .map(({ other, at }) => ({ profileid: other, at: at.toISOString() })),
      made: made.map(({ viewed, at }) => ({ profileid: viewed, at: at.toISOString() })),
    },
    messages: threads.filter(({ messages }) => messages.length > 0),
  };
}
