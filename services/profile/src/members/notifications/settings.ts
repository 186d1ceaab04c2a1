import { timeZoneOf } from '@covalence/contract/catalogue/check-value';
import { digestPeriods } from '@covalence/contract/notification-kinds';
import { booleanParameter, optional } from '@covalence/contract/parameters';
import { recentSignInSeconds } from '@covalence/contract/recent-sign-in';
import { requireRecentSignIn } from '@covalence/http/bearer';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { Member } from '../document/member.ts';
import { memberEndpoint } from '../member-endpoint.ts';
import type { MembersContext } from '../members.ts';
import { nextDigest } from './digest-time.ts';
import { changed, type NotificationChoices } from '../document/notification-choices.ts';

const time = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/);
const timezone = z
  .string()
  .max(64)
  .regex(/^[A-Za-z]/)
  .meta({ description: 'An IANA time zone.', examples: ['Europe/Berlin'] })
  .transform((name, context) => {
    const zone = timeZoneOf(name);
    if (zone === undefined) context.addIssue('unknown time zone');
    return zone ?? z.NEVER;
  });

const onOff = (what: string) => booleanParameter.optional().meta({ type: 'boolean', description: what });
const pushOnly = (what: string) => z.strictObject({ push: onOff(what) }).optional();
const channels = (push: string, mail: string) =>
  z.strictObject({ push: onOff(push), mail: onOff(mail) }).optional();

const quietHours = z
  .strictObject({
    from: time.meta({ description: 'HH:MM.', examples: ['22:00'] }),
    to: time.meta({ description: 'HH:MM, the end; may be on the next day.', examples: ['07:00'] }),
    timezone,
  })
  .refine(({ from, to }) => from !== to);

const patch = z.strictObject({
  likes: channels('New likes as push messages.', 'New likes in the digest.'),
  connections: channels('New connections as push messages.', 'New connections in the digest.'),
  messages: channels('New messages as push messages.', 'Unread messages in the digest.'),
  matches: channels(
    'Members who newly fit a saved search, as push messages.',
    'Members who newly fit a saved search, in the digest.',
  ),
  views: pushOnly('Views of the profile as push messages.'),
  account: pushOnly('Reviews of the profile and changes of the membership as push messages.'),
  security: pushOnly('Sign-ins and changes of the account as push messages.'),
  quiet_hours: z
    .preprocess((value) => (value === '' ? null : value), quietHours.nullable().optional())
    .meta({ description: 'Hours without push messages; null ends them.' }),
  previews: onOff('Whether push messages show names and the beginning of messages.'),
  digest: optional(z.enum([...digestPeriods, 'off'])).meta({
    type: 'string',
    enum: [...digestPeriods, 'off'],
    description: 'How often a digest comes by mail at most.',
  }),
});

const isOn = z.boolean().meta({ examples: [true] });
const bothChannels = z.object({ push: isOn, mail: isOn }).meta({ id: 'NotificationChannels' });
const onlyPush = z.object({ push: isOn }).meta({ id: 'NotificationPush' });

/** The answer: every setting, with its default where the member chose nothing. */
export const settingsSchema = z
  .object({
    likes: bothChannels,
    connections: bothChannels,
    messages: bothChannels,
    matches: bothChannels,
    views: onlyPush,
    account: onlyPush,
    security: z
      .object({
        push: isOn,
        mail: z.boolean().meta({
          readOnly: true,
          description: 'Always true: security mails cannot be turned off.',
          examples: [true],
        }),
      })
      .meta({ id: 'SecurityNotifications' }),
    quiet_hours: z
      .object({
        from: z.string().meta({ examples: ['22:00'] }),
        to: z.string().meta({ examples: ['07:00'] }),
        timezone: z.string().meta({ examples: ['Europe/Berlin'] }),
      })
      .nullable(),
    previews: z.boolean().meta({ examples: [false] }),
    digest: z.enum(['off', ...digestPeriods]),
  })
  .meta({ id: 'NotificationSettings' });

/** Every setting of a member, with its default where the member chose nothing. */
export function settingsOf({
  notifications = {},
}: Pick<Member, 'notifications'>): z.output<typeof settingsSchema> {
  const { muted = [], unmailed = [], previews = false, quiet_hours = null, digest = 'off' } = notifications;
  const push = (kind: (typeof muted)[number]) => ({ push: !muted.includes(kind) });
  const both = (kind: (typeof unmailed)[number]) => ({ ...push(kind), mail: !unmailed.includes(kind) });
  return {
    likes: both('likes'),
    connections: both('connections'),
    messages: both('messages'),
    matches: both('matches'),
    views: push('views'),
    account: push('account'),
    security: { ...push('security'), mail: true },
    quiet_hours,
    previews,
    digest,
  };
}

/** Whether a change hides a thief's sign-in from the member, or shows private texts to who looks at the phone. */
const weakens = (before: NotificationChoices = {}, after: NotificationChoices = {}): boolean =>
  (after.muted?.includes('security') && !before.muted?.includes('security')) ||
  (after.previews === true && !before.previews);

/** A digest that is turned on or comes at other times is due after a period, so that changes bring no more mails. */
function digestAfter(before: Member, choices: NotificationChoices | undefined, now: Date) {
  const period = choices?.digest;
  if (!period) return { digest_due: undefined };
  const isSame =
    period === before.notifications?.digest &&
    isDeepStrictEqual(choices.quiet_hours, before.notifications.quiet_hours);
  if (isSame) return {};
  const since = before.digest_due?.since ?? now;
  return { digest_due: { at: nextDigest({ ...before, notifications: choices }, period, now), since } };
}

const defaults =
  'By default every kind is on, quiet hours, previews and digests are off. A device gets a kind if it is on here and among its own `types`; kinds of `security` come to every device. Open sockets get everything.';

/** GET /notifications/settings */
export const showSettings = memberEndpoint({
  tag: 'Live updates',
  operationId: 'getNotificationSettings',
  summary: 'Get the notification settings',
  description: `Which notifications the member receives, and how. ${defaults}`,
  answer: 'Every setting.',
  input: z.object({}),
  output: settingsSchema,
  handler: ({ member }) => Promise.resolve(settingsOf(member)),
});

/** PATCH /notifications/settings: changes what is sent and keeps the rest. */
export const changeSettings = memberEndpoint({
  tag: 'Live updates',
  operationId: 'updateNotificationSettings',
  summary: 'Change the notification settings',
  description: `Changes what is sent and keeps the rest. ${defaults} In quiet hours, push messages other than those of \`security\` wait for the end. Turning \`security\` off or \`previews\` on needs a sign-in at most 10 minutes old. An unknown name or a bad value is 403 without code.`,
  answer: 'Every setting.',
  example: {
    request: {
      likes: { push: false },
      quiet_hours: { from: '22:00', to: '07:00', timezone: 'Europe/Berlin' },
      digest: 'weekly',
    },
  },
  bodyOnly: true,
  input: patch,
  output: settingsSchema,
  async handler({ input, caller, member }, { clock, members }: MembersContext) {
    const after = await members.store.change(member._id, (before) => {
      const { notifications } = before;
      const choices = changed(notifications, input);
      if (weakens(notifications, choices)) requireRecentSignIn(caller, recentSignInSeconds);
      if (isDeepStrictEqual(choices, notifications)) return undefined;
      return { notifications: choices, ...digestAfter(before, choices, clock()) };
    });
    return settingsOf(after ?? member);
  },
});
