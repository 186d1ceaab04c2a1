import { photoSuffix } from '@covalence/contract/photo-files';
import { isoOrNull } from '@covalence/runtime/clock';
import type { PrivacyContext } from './privacy.ts';
import type { Member } from '../members/document/member.ts';
import { photoShown } from '../photos/list-photos.ts';
import { lastSeen } from '../members/document/presence.ts';

/** The uses of a daily quota; null where there are none. */
const usageView = (usage: { readonly day: string; readonly used: number } | undefined) =>
  usage ? { day: usage.day, given: usage.used } : null;

/** The part of an export about the profile: the stored document without what other parts show, and the counters. */
export async function profileOf(context: PrivacyContext, member: Member) {
  const now = context.clock();
  const [sightings, activity, likes, views, results, conversations] = await Promise.all([
    context.members.presence.read([member._id], now),
    context.pairs.activity.read(member._id),
    context.pairs.quotas.likes.read(member._id),
    context.pairs.quotas.views.read(member._id),
    context.pairs.quotas.results.read(member._id),
    context.pairs.quotas.conversations.read(member._id),
  ]);
  const { membership, changes, presence } = member;
  return {
    siteid: member.siteid,
    date_registered: member.joined.toISOString(),
    userstatus: member.userstatus,
    fields: member.fields,
    pending: member.pending,
    approved_answers: member.approved_answers ?? {},
    suspended: member.suspended,
    reason_id: member.reason_id ?? null,
    affiliateid: member.affiliateid ?? null,
    subid: member.subid ?? null,
    changes: { gender: changes.gender, date_of_birth: changes.date_of_birth },
    last_seen: isoOrNull(lastSeen(member, sightings.get(member._id))),
    offline: presence.offline,
    membership: {
      status: membership.status,
      autorenew: membership.autorenew,
      expires_at: isoOrNull(membership.expires_at),
    },
    counters: {
      connections_reset: isoOrNull(activity.connections_reset),
      likedme_reset: isoOrNull(activity.likedme_reset),
      views_total: activity.views_total,
      views_since_reset: activity.views_since_reset,
    },
    likes_of_the_day: usageView(likes),
    views_of_the_day: usageView(views),
    results_of_the_day: usageView(results),
    conversations_of_the_day: usageView(conversations),
  };
}

/** The devices that take push messages, without their encryption secret. */
export function pushDevicesOf({ push_subscriptions: devices = [] }: Member) {
  return devices.map(({ endpoint, types, added_at }) => ({
    endpoint,
    types: [...types],
    added_at: added_at.toISOString(),
  }));
}

/** Every stored photo, private and rejected ones included, with the addresses of its files for the owner. */
export function photosOf({ records }: Pick<PrivacyContext, 'records'>, member: Member) {
  const address = records.photoAddresses.of(member._id);
  return member.photos
    .filter(({ status }) => status !== 'deleted')
    .map((photo) => {
      const urlstem = address(member, photo);
      return {
        ...photoShown(photo, urlstem),
        status: photo.status,
        files: photo.sizes.map((size) => `${urlstem}${photoSuffix(size)}${photo.extension}`),
      };
    });
}
