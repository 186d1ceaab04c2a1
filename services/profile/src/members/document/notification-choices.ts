import type { DigestKind, DigestPeriod, NotificationKind } from '@covalence/contract/notification-kinds';
import type { QuietHours } from '@covalence/contract/quiet-hours';

/** A member's notification settings that differ from the defaults. */
export interface NotificationChoices {
  /** Kinds without push messages. */
  readonly muted?: readonly NotificationKind[];
  /** Kinds that a digest leaves out. */
  readonly unmailed?: readonly DigestKind[];
  /** Whether push messages show names and texts. */
  readonly previews?: boolean;
  readonly quiet_hours?: QuietHours;
  /** The shortest time between digests; absent if the member receives none. */
  readonly digest?: DigestPeriod;
}

/** A change of choices: what is absent stays, null ends quiet hours. */
export interface ChoicesChange {
  readonly push: Partial<Readonly<Record<NotificationKind, boolean | undefined>>>;
  readonly mail: Partial<Readonly<Record<DigestKind, boolean | undefined>>>;
  readonly previews?: boolean | undefined;
  readonly quiet_hours?: QuietHours | null | undefined;
  readonly digest?: DigestPeriod | 'off' | undefined;
}

/** The kinds that are off, after some were turned on or off. */
function turned<Kind extends string>(
  off: readonly Kind[] = [],
  change: Partial<Readonly<Record<Kind, boolean | undefined>>>,
): readonly Kind[] {
  const named = Object.entries(change) as [Kind, boolean | undefined][];
  const on = new Set(named.filter(([, value]) => value === true).map(([kind]) => kind));
  const newlyOff = named.filter(([, value]) => value === false).map(([kind]) => kind);
  return [...new Set([...off.filter((kind) => !on.has(kind)), ...newlyOff])].toSorted();
}

/** Choices after a change; undefined where all are the defaults. */
export function changed(
  before: NotificationChoices = {},
  { push, mail, previews = before.previews, quiet_hours, digest = before.digest }: ChoicesChange,
): NotificationChoices | undefined {
  const muted = turned(before.muted, push);
  const unmailed = turned(before.unmailed, mail);
  const quiet = quiet_hours === undefined ? before.quiet_hours : quiet_hours;
  const after = {
    ...(muted.length && { muted }),
    ...(unmailed.length && { unmailed }),
    ...(previews && { previews }),
    ...(quiet && { quiet_hours: quiet }),
    ...(digest && digest !== 'off' && { digest }),
  };
  return Object.keys(after).length ? after : undefined;
}
