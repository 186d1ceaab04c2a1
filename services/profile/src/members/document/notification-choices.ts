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

interface Channels {
  readonly push?: boolean | undefined;
  readonly mail?: boolean | undefined;
}

type KindsChange = Partial<Readonly<Record<NotificationKind, Channels | undefined>>>;

/** A change of choices: what is absent stays, null ends quiet hours. */
interface ChoicesChange extends KindsChange {
  readonly previews?: boolean | undefined;
  readonly quiet_hours?: QuietHours | null | undefined;
  readonly digest?: DigestPeriod | 'off' | undefined;
}

/** The kinds that are off on a channel, after some were turned on or off. */
function turned<Kind extends NotificationKind>(
  off: readonly Kind[] = [],
  change: KindsChange,
  channel: keyof Channels,
): readonly Kind[] {
  const named = Object.entries(change) as [Kind, Channels | undefined][];
  const kindsThatAre = (value: boolean) =>
    named.filter(([, channels]) => channels?.[channel] === value).map(([kind]) => kind);
  const on = kindsThatAre(true);
  return [...new Set([...off.filter((kind) => !on.includes(kind)), ...kindsThatAre(false)])].toSorted();
}

/** Choices after a change; undefined where all are the defaults. */
export function changed(
  before: NotificationChoices = {},
  { previews = before.previews, quiet_hours, digest = before.digest, ...kinds }: ChoicesChange,
): NotificationChoices | undefined {
  const muted = turned(before.muted, kinds, 'push');
  const unmailed = turned(before.unmailed, kinds, 'mail');
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
