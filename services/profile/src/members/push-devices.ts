import { deactivated, Failure, notFound } from '@covalence/contract/failure';
import { addPushDevice, addPushId, endPush, removePushDevices } from '@covalence/contract/peers/profile-api';
import { readAppAddress } from '@covalence/contract/push-address';
import { serviceEndpoint } from '@covalence/http/endpoint';
import { createHash } from 'node:crypto';
import type { MembersContext } from './members.ts';
import { type Member, pushIdsOf, type PushSubscription } from './document/member.ts';
import { memberSuspicionOf } from './document/suspicion.ts';

/** Devices and push ids that one member may have, and devices of one sign-in; the oldest go. */
const mostDevices = 20;
const mostOfSignIn = 3;

/** The id under which a device is stored. */
export const deviceIdOf = (endpoint: string): string =>
  createHash('sha256').update(endpoint).digest('base64url');

/** Removes a device; with a time, only if it was not added again since. */
const withoutDevice =
  (id: string, addedAt?: string) =>
  ({ push_subscriptions: devices = [] }: Member) => {
    const known = devices.find((device) => device.id === id);
    if (!known || (addedAt !== undefined && known.added_at > new Date(addedAt))) return undefined;
    return { push_subscriptions: devices.filter((device) => device.id !== id) };
  };

const appOf = ({ endpoint: address }: PushSubscription) => readAppAddress(address)?.app;

/** An app registers at each start. Its time decides whether a later report of its end counts; a write costs an index update. */
const renewAfterMs = 3_600_000;

const isSame = (one: PushSubscription, other: PushSubscription) =>
  one.p256dh === other.p256dh &&
  one.auth === other.auth &&
  one.family === other.family &&
  one.locale === other.locale &&
  one.types.join() === other.types.join() &&
  one.capabilities?.join() === other.capabilities?.join() &&
  (appOf(one) === undefined || other.added_at.getTime() - one.added_at.getTime() < renewAfterMs);

/** Whether a device is now known by another one's address: an app has one token per sign-in, and gets a new one at times. */
const isReplaced = (before: PushSubscription, by: PushSubscription) => {
  const app = appOf(by);
  return app !== undefined && by.family !== undefined && before.family === by.family && appOf(before) === app;
};

/** The sign-in that asks for a change. */
interface Asking {
  readonly family?: string | undefined;
  readonly recent_sign_in: boolean;
}

/** Throws 409 where a device of another sign-in would go: a stolen token must not keep security messages from the member. */
function requireOwn(gone: readonly PushSubscription[], { family, recent_sign_in }: Asking): void {
  const isForeign = gone.some((device) => device.family !== family);
  if (isForeign && !recent_sign_in) throw new Failure(409, 'Recent Sign-In Required');
}

/** The devices with a new one, the newest last, and those that go for it. */
function withDevice(devices: readonly PushSubscription[], device: PushSubscription) {
  const others = devices.filter(({ id }) => id !== device.id);
  const all = [...others.filter((one) => !isReplaced(one, device)), device];
  const isOfSignIn = ({ family }: PushSubscription) =>
    device.family !== undefined && family === device.family;
  const stay = new Set([
    ...all.filter((one) => !isOfSignIn(one)),
    ...all.filter(isOfSignIn).slice(-mostOfSignIn),
  ]);
  const kept = all.filter((one) => stay.has(one)).slice(-mostDevices);
  return { kept, gone: others.filter((one) => !kept.includes(one)) };
}

/** The member. Throws 404 for one who cannot sign in, and 403 Deactivated. */
async function requireActive(
  member: number,
  member_id: string,
  { members }: MembersContext,
): Promise<Member> {
  const found = await members.store.byId(member);
  if (!found || found.member_id !== member_id || found.deleted || found.suspended) throw notFound();
  if (found.deactivated) throw deactivated();
  return found;
}

/** Leaves a device to the member who added it last, where several have it because they added it at once. */
async function leaveToLast(deviceId: string, { members }: MembersContext): Promise<void> {
  const ids = await members.store.holdersOfPush(deviceId);
  if (ids.length < 2) return;
  const holders = await members.store.byIds(ids);
  const addedAt = ({ push_subscriptions: devices = [] }: Member) =>
    devices.find(({ id }) => id === deviceId)?.added_at.getTime() ?? 0;
  const [, ...others] = holders.toSorted((one, two) => addedAt(two) - addedAt(one) || two._id - one._id);
  for (const { _id } of others) await members.store.change(_id, withoutDevice(deviceId));
}

/** POST /internal/push/add: adds a device, or updates its keys and types. It belongs to the member who signed in on it last. */
export const addDevice = serviceEndpoint(addPushDevice, async (input, context: MembersContext) => {
  const { members, clock } = context;
  const { id: member, member_id, recent_sign_in, ...given } = input;
  const { siteid, joined } = await requireActive(member, member_id, context);
  const device: PushSubscription = { id: deviceIdOf(given.endpoint), ...given, added_at: clock() };
  for (const holder of await members.store.holdersOfPush(device.id)) {
    if (holder !== member) await members.store.change(holder, withoutDevice(device.id));
  }
  const matches = await members.bans.ofDevice(device.id, siteid, joined);
  const after = await members.store.change(member, (current) => {
    const { push_subscriptions: devices = [] } = current;
    const known = devices.find(({ id }) => id === device.id);
    if (known && isSame(known, device)) return undefined;
    const { kept, gone } = withDevice(devices, device);
    requireOwn(gone, { ...given, recent_sign_in });
    return { push_subscriptions: kept, ...(!known && memberSuspicionOf('device', matches, current)) };
  });
  await leaveToLast(device.id, context);
  return { push_ids: after ? pushIdsOf(after) : [] };
});

/** POST /internal/push/add-id: records a push id of an older app. */
export const addId = serviceEndpoint(
  addPushId,
  async ({ id, member_id, push_id }, context: MembersContext) => {
    await requireActive(id, member_id, context);
    const after = await context.members.store.change(id, ({ legacy_push_ids: ids = [] }) =>
      ids.includes(push_id) ? undefined : { legacy_push_ids: [...ids, push_id].slice(-mostDevices) },
    );
    return { push_ids: after ? pushIdsOf(after) : [] };
  },
);

/** POST /internal/push/remove: removes one device or push id, or all of the member. Idempotent. */
export const removeDevices = serviceEndpoint(
  removePushDevices,
  async (input, { members }: MembersContext) => {
    const { id, endpoint: address, push_id, added_at } = input;
    const after = await members.store.change(id, (member) => {
      const { push_subscriptions: devices = [], legacy_push_ids: ids = [] } = member;
      if (push_id !== undefined) {
        return ids.includes(push_id) ? { legacy_push_ids: ids.filter((one) => one !== push_id) } : undefined;
      }
      const deviceId = address === undefined ? undefined : deviceIdOf(address);
      requireOwn(
        devices.filter((device) => deviceId === undefined || device.id === deviceId),
        input,
      );
      if (deviceId !== undefined) return withoutDevice(deviceId, added_at)(member);
      return pushIdsOf(member).length ? { push_subscriptions: [], legacy_push_ids: [] } : undefined;
    });
    return { push_ids: after ? pushIdsOf(after) : [] };
  },
);

/** POST /internal/push/end: removes the devices of ended sign-ins. Idempotent. */
export const endPushOf = serviceEndpoint(endPush, async ({ sign_ins }, { members }: MembersContext) => {
  for (const { id, family } of sign_ins) {
    await members.store.change(id, ({ push_subscriptions: devices = [] }) =>
      devices.some((device) => device.family === family)
        ? { push_subscriptions: devices.filter((device) => device.family !== family) }
        : undefined,
    );
  }
  return {};
});
