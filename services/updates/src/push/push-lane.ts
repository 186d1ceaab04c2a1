import { readAppAddress } from '@covalence/contract/push-address';

/**
 * The lane of a device in the queue: the host of its browser's push service, or its app and environment. One lane cannot block
 * another.
 */
export function laneOf(endpoint: string): string {
  const address = readAppAddress(endpoint);
  return address ? `${address.transport}:${address.app}/${address.environment}` : new URL(endpoint).host;
}

/** Whether a lane is that of an app; the name of a host has no slash. */
export const isAppLane = (lane: string): boolean => lane.includes('/');

/** Devices that one process sends to at once in a lane. An operator's apps get more than hosts that clients choose. */
export const atOnceIn = (lane: string): number => (isAppLane(lane) ? 1_000 : 50);

/** Devices that may wait in a lane, and that may rest there until quiet hours end: 1 to 2 KB of Redis each. */
export const waitingIn = (lane: string, rests: boolean): number =>
  rests || isAppLane(lane) ? 400_000 : 50_000;
