import { pushTargets } from '@covalence/contract/peers/profile-api';
import { serviceEndpoint } from '@covalence/http/endpoint';
import type { Member } from '../members/document/member.ts';
import { isActive, localeOf } from '../members/document/member-values.ts';
import { siteOf } from '../members/members.ts';
import type { MessagesContext } from './messages.ts';
import { previewsOf } from './push-previews.ts';

const devicesOf = ({ push_subscriptions: devices = [] }: Member) =>
  devices.map(({ id: _id, family: _family, added_at, types, capabilities, ...address }) => ({
    ...address,
    types: [...types],
    ...(capabilities && { capabilities: [...capabilities] }),
    added_at: added_at.toISOString(),
  }));

const choicesOf = ({ notifications: { muted = [], quiet_hours } = {} }: Member) => ({
  muted: [...muted],
  ...(quiet_hours && { quiet_hours }),
});

const showsBadge = ({ push_subscriptions: devices = [] }: Member) =>
  devices.some(({ capabilities }) => capabilities?.includes('badge'));

/** POST /internal/push/targets: the devices, choices, locale and title for push messages, of members who can sign in. */
export const targetsOfPush = serviceEndpoint(
  pushTargets,
  async ({ ids, badges, unread: counted, previews }, context: MessagesContext) => {
    const found = await context.members.store.byIds(ids);
    const able = found.filter((member) => member.push_subscriptions?.length && isActive(member));
    const asked = new Set(counted);
    const reading = able
      .filter((member) => asked.has(member._id) || (badges && showsBadge(member)))
      .map(({ _id }) => _id);
    const counts = reading.length ? await context.messages.store.unreadOf(reading) : undefined;
    const unread = new Map(reading.map((id) => [id, counts?.get(id) ?? 0]));
    const targets = able.map(async (member) => {
      const site = siteOf(context, member.siteid);
      const wanted = previews.filter(({ id }) => id === member._id);
      return {
        id: member._id,
        title: site.title,
        locale: localeOf(member, site),
        devices: devicesOf(member),
        ...choicesOf(member),
        unread: unread.get(member._id),
        ...(wanted.length && (await previewsOf(context, member, wanted))),
      };
    });
    return { targets: await Promise.all(targets) };
  },
);
