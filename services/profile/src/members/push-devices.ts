import { deactivated, notFound } from '@covalence/contract/failure';
import {
  addPushDevice,
  addPushId,
  endPush,
  pushTargets,
  removePushDevices,
} from '@covalence/contract/internal/profile-api';
import { endpoint } from '@covalence/http/endpoint';
import { createHash } from 'node:crypto';
import { siteOf, type MembersContext } from './members.ts';
import { isActive, localeOf } from './document/member-values.ts';
import { type Member, pushIdsOf, type PushSubscription } from './document/member.ts';

/** Devices and push ids that one member may have; the oldest go. */
const mostDevices = 20;

const idOf = (endpoint: string) => createHash('sha256').update(endpoint).digest('base64url');

const withoutDevice =
  (id: string) =>
  ({ push_subscriptions: devices = [] }: Member) =>
    devices.some((device) => device.id === id)
      ? { push_subscriptions: devices.filter((device) => device.id !== id) }
      : undefined;

const isSame = (one: PushSubscription, other: PushSubscription) =>
  one.p256dh === other.p256dh &&
  one.auth === other.auth &&
  one.family === other.family &&
  one.types.join() === other.types.join();

/** Throws 404 for a member who cannot sign in, and 403 Deactivated. */
async function requireActive(member: number, member_id: string, { members }: MembersContext): Promise<void> {
  const found = await members.store.byId(member);
  if (!found || found.member_id !== member_id || found.deleted || found.suspended) throw notFound();
  if (found.deactivated) throw deactivated();
}

/** POST /internal/push/add: adds a device, or updates its keys and types. It belongs to the member who signed in on it last. */
export const addDevice = endpoint({
  access: 'service',
  summary: 'Add a device that takes push messages',
  ...addPushDevice,
  async handler({ input }, context: MembersContext) {
    const { members, clock } = context;
    const { id: member, member_id, ...given } = input;
    await requireActive(member, member_id, context);
    const device: PushSubscription = { id: idOf(given.endpoint), ...given, added_at: clock() };
    for (const holder of await members.store.holdersOfPush(device.id)) {
      if (holder !== member) await members.store.change(holder, withoutDevice(device.id));
    }
    const after = await members.store.change(member, ({ push_subscriptions: devices = [] }) => {
      const known = devices.find(({ id }) => id === device.id);
      if (known && isSame(known, device)) return undefined;
      const others = devices.filter(({ id }) => id !== device.id);
      return { push_subscriptions: [...others, device].slice(-mostDevices) };
    });
    return { push_ids: after ? pushIdsOf(after) : [] };
  },
});

/** POST /internal/push/add-id: records a push id of an older app. */
export const addId = endpoint({
  access: 'service',
  summary: 'Record a push id of an older app',
  ...addPushId,
  async handler({ input: { id, member_id, push_id } }, context: MembersContext) {
    await requireActive(id, member_id, context);
    const after = await context.members.store.change(id, ({ legacy_push_ids: ids = [] }) =>
      ids.includes(push_id) ? undefined : { legacy_push_ids: [...ids, push_id].slice(-mostDevices) },
    );
    return { push_ids: after ? pushIdsOf(after) : [] };
  },
});

/** POST /internal/push/remove: removes one device or push id, or all of the member. Idempotent. */
export const removeDevices = endpoint({
  access: 'service',
  summary: 'Remove devices that take push messages',
  ...removePushDevices,
  async handler({ input: { id, endpoint: address, push_id } }, { members }: MembersContext) {
    const after = await members.store.change(id, (member) => {
      const { legacy_push_ids: ids = [] } = member;
      if (push_id !== undefined && ids.includes(push_id)) {
        return { legacy_push_ids: ids.filter((one) => one !== push_id) };
      }
      if (address !== undefined) return withoutDevice(idOf(address))(member);
      if (push_id !== undefined || !pushIdsOf(member).length) return undefined;
      return { push_subscriptions: [], legacy_push_ids: [] };
    });
    return { push_ids: after ? pushIdsOf(after) : [] };
  },
});

/** POST /internal/push/end: removes the devices of ended sign-ins. Idempotent. */
export const endPushOf = endpoint({
  access: 'service',
  summary: 'Remove the devices of ended sign-ins',
  ...endPush,
  async handler({ input: { sign_ins } }, { members }: MembersContext) {
    for (const { id, family } of sign_ins) {
      await members.store.change(id, ({ push_subscriptions: devices = [] }) =>
        devices.some((device) => device.family === family)
          ? { push_subscriptions: devices.filter((device) => device.family !== family) }
          : undefined,
      );
    }
    return {};
  },
});

/** POST /internal/push/targets: the devices, locale and title for push messages, of members who can sign in. */
export const targetsOfPush = endpoint({
  access: 'service',
  summary: 'Read the devices that take push messages',
  ...pushTargets,
  async handler({ input: { ids } }, context: MembersContext) {
    const found = await context.members.store.byIds(ids);
    const able = found.filter((member) => member.push_subscriptions?.length && isActive(member));
    const targets = able.map((member) => {
      const site = siteOf(context, member.siteid);
      const devices = (member.push_subscriptions ?? []).map(
        ({ id: _id, added_at: _added, family: _family, types, ...address }) => ({
          ...address,
          types: [...types],
        }),
      );
      return { id: member._id, title: site.title, locale: localeOf(member, site), devices };
    });
    return { targets };
  },
});
