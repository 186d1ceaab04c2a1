import type { Family } from './family-store.ts';

/** What oidc-provider's client has of the settings that matter to refresh tokens. */
interface RefreshSettings {
  readonly clientId: string;
  readonly refresh_lifetime_seconds?: number | null;
}

/** Seconds until the lifetime that its client gives a family is over; undefined where it gives none. */
function secondsLeft(family: Family | undefined, client: unknown, now: Date): number | undefined {
  const seconds = (client as RefreshSettings | undefined)?.refresh_lifetime_seconds ?? undefined;
  if (!family || seconds === undefined) return undefined;
  return seconds - Math.ceil((now.getTime() - family.begun_at.getTime()) / 1000);
}

/** `seconds`, or as many as the family has left of the lifetime that its client gives it. */
export function withinLifetime(
  seconds: number,
  family: Family | undefined,
  client: unknown,
  now: Date,
): number {
  return Math.max(1, Math.min(seconds, secondsLeft(family, client, now) ?? seconds));
}

/** Whether the lifetime that its own client gives a family is over. */
export function isOver(family: Family, client: unknown, now: Date): boolean {
  const { clientId } = JSON.parse(family.token ?? '{}') as Partial<RefreshSettings>;
  const isOwn = clientId !== undefined && clientId === (client as RefreshSettings | undefined)?.clientId;
  return isOwn && (secondsLeft(family, client, now) ?? 1) < 1;
}
