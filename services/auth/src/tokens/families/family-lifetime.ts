import type { Family } from './family-store.ts';

/** Metadata of the provider's client. */
interface RefreshSettings {
  readonly clientId: string;
  readonly refresh_lifetime_seconds?: number | null;
}

/** Seconds until the end of the lifetime that the client sets for its families; undefined when it sets none. */
function secondsLeft(family: Family | undefined, client: unknown, now: Date): number | undefined {
  const seconds = (client as RefreshSettings | undefined)?.refresh_lifetime_seconds ?? undefined;
  if (!family || seconds === undefined) return undefined;
  return seconds - Math.ceil((now.getTime() - family.begun_at.getTime()) / 1000);
}

/** The smaller of `seconds` and what the client's lifetime leaves to the family. */
export function withinLifetime(
  seconds: number,
  family: Family | undefined,
  client: unknown,
  now: Date,
): number {
  return Math.max(1, Math.min(seconds, secondsLeft(family, client, now) ?? seconds));
}

/** When a family ends unless it is used: with its refresh token, or with the lifetime that its client sets. */
export function endOf(
  { begun_at, token_expires_at, expires_at }: Pick<Family, 'begun_at' | 'token_expires_at' | 'expires_at'>,
  { refresh_lifetime_seconds }: Partial<RefreshSettings> = {},
): Date {
  // A sign-in of the command line has no refresh token.
  const token = token_expires_at ?? expires_at;
  const most = begun_at.getTime() + (refresh_lifetime_seconds ?? Infinity) * 1000;
  return new Date(Math.min(token.getTime(), most));
}

/** Whether the lifetime that its own client sets for a family has ended. */
export function isExpired(family: Family, client: unknown, now: Date): boolean {
  const { clientId } = JSON.parse(family.token ?? '{}') as Partial<RefreshSettings>;
  const isOwn = clientId !== undefined && clientId === (client as RefreshSettings | undefined)?.clientId;
  return isOwn && (secondsLeft(family, client, now) ?? 1) < 1;
}
