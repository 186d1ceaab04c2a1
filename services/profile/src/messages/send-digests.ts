import { digestKinds, kindOfPush, type DigestKind } from '@covalence/contract/notification-kinds';
import { always, eachPart, type MayGoOn } from '@covalence/events/periodic';
import { isUnavailableError } from '@covalence/runtime/unavailable-error';
import type { Member } from '../members/document/member.ts';
import { seemsVisible } from '../members/document/member-values.ts';
import { recipientOf } from '../members/members.ts';
import { nextDigest } from '../members/notifications/digest-time.ts';
import { countNew } from '../pairs/counters.ts';
import type { MessagesContext } from './messages.ts';

/** Members read at a time, and handled at once. */
const pageSize = 100;
const atOnce = 5;

/** Counts of a member's new and unseen items between two times, by kind of the digest. */
async function countsOf(
  context: MessagesContext,
  member: Member,
  since: Date,
  until: Date,
): Promise<Partial<Record<DigestKind, number>>> {
  const [messages, others, { matches }] = await Promise.all([
    context.messages.store.unreadBetween(member._id, since, until),
    countNew(context, member, since, until),
    context.search.countMatches({
      id: member._id,
      since: since.toISOString(),
      until: until.toISOString(),
    }),
  ]);
  const { unmailed = [] } = member.notifications ?? {};
  const counts = Object.entries({ messages, ...others, matches }) as [DigestKind, number][];
  return Object.fromEntries(counts.filter(([kind, count]) => count > 0 && !unmailed.includes(kind)));
}

/** Whether a device notifies the member of something that a digest counts. */
const isNotifiedByDevice = ({
  notifications: { muted = [] } = {},
  push_subscriptions: devices = [],
}: Member): boolean => {
  const pushed = new Set<string>(digestKinds.filter((kind) => !muted.includes(kind)));
  return devices.some(({ types }) => types.some((type) => pushed.has(kindOfPush[type])));
};

/**
 * Mails the digest that is due at a time, unless another process has. Auth mails each at most once, so that the next one is noted only
 * after it has taken this one.
 */
async function sendDigest(context: MessagesContext, id: number, due: Date): Promise<void> {
  const { auth, clock, members } = context;
  const member = await members.store.byId(id);
  const { digest_due, notifications } = member ?? {};
  if (!member || digest_due?.at.getTime() !== due.getTime()) return;
  const period = notifications?.digest;
  if (period && seemsVisible(member) && !isNotifiedByDevice(member)) {
    const counts = await countsOf(context, member, digest_due.since, due);
    if (Object.keys(counts).length)
      await auth.sendDigest({ ...recipientOf(context, member), due: due.toISOString(), counts });
  }
  const next = period && { at: nextDigest(member, period, clock()), since: due };
  await members.store.moveDigest(id, due, next);
}

/** Job: mails digests that are due. Resolves with failures; those are tried again in the next round. */
export async function sendDigests(context: MessagesContext, mayGoOn: MayGoOn = always): Promise<number> {
  const { clock, logger, members } = context;
  const now = clock();
  let failed = 0;
  let after: { at: Date; key: number } | undefined;
  for (;;) {
    const page = await members.store.digestsDue(now, pageSize, after);
    failed += await eachPart(page, ({ id, at }) => sendDigest(context, id, at), {
      mayGoOn,
      // Every further member would wait for the store or for auth.
      ends: isUnavailableError,
      logger,
      left: 'digest not sent: will retry',
      about: ({ id }) => ({ member: id }),
      atOnce,
    });
    const last = page.at(-1);
    if (!last || page.length < pageSize || !(await mayGoOn())) return failed;
    after = { at: last.at, key: last.id };
  }
}
