import { pushTargets } from '@covalence/contract/internal/profile-api';
import { endpoint } from '@covalence/http/endpoint';
import type { Member } from '../members/document/member.ts';
import { isActive, localeOf } from '../members/document/member-values.ts';
import { siteOf } from '../members/members.ts';
import type { MessagesContext } from './messages.ts';

const devicesOf = ({ push_subscriptions: devices = [] }: Member) =>
  devices.map(({ id: _id, family: _family, added_at, types, capabilities, ...address }) => ({
    ...address,
    types: [...types],
    ...(capabilities && { capabilities: [...capabilities] }),
    added_at: added_at.toISOString(),
  }));

/** POST /internal/push/targets: the devices, locale and title for push messages, of members who can sign in. */
export const targetsOfPush = endpoint({
  access: 'service',
  summary: 'Read the devices that take push messages',
  ...pushTargets,
  async handler({ input: { ids, badges } }, context: MessagesContext) {
    const found = await context.members.store.byIds(ids);
    const able = found.filter((member) => member.push_subscriptions?.length && isActive(member));
    const unread = badges && (await context.messages.store.unreadOf(able.map(({ _id }) => _id)));
    const targets = able.map((member) => {
      const site = siteOf(context, member.siteid);
      return {
        id: member._id,
        title: site.title,
        locale: localeOf(member, site),
        devices: devicesOf(member),
        ...(unread && { unread: unread.get(member._id) ?? 0 }),
      };
    });
    return { targets };
  },
});
