import { photoSuffix } from '@covalence/contract/photo-files';
import { membershipStatuses, photoStatuses, userStatuses } from '@covalence/contract/record';
import { isoOrNull } from '@covalence/runtime/clock';
import { z } from 'zod';
import type { PrivacyContext } from './privacy.ts';
import type { Member, Decision } from '../members/document/member.ts';
import { settingsOf, settingsSchema } from '../members/notifications/settings.ts';
import { photoEntry, photoShown } from '../photos/list-photos.ts';
import { waitingSchema, waitingSince, withoutSuspicion } from '../members/document/account-status.ts';
import { lastSeen } from '../members/document/presence.ts';
import { ownReports, ownReportSchema } from '../moderation/reports/own-reports.ts';
import { tryMoveDecisions, decisionView, decisionViewShape } from '../moderation/decide.ts';

const text = z.string();
const orNull = text.nullable();
const time = z.iso.datetime();
const timeOrNull = time.nullable();

/** The member's use of a daily limit. */
const usage = z.strictObject({ day: text, given: z.int() }).nullable();

/** The schema of `profileOf`. */
export const profileSection = z.strictObject({
  siteid: z.int(),
  date_registered: time,
  userstatus: z.enum(userStatuses),
  fields: z.record(text, z.unknown()).meta({ id: 'StoredFields' }),
  pending: z.record(text, text),
  approved_answers: z.record(text, text),
  suspended: z.boolean(),
  reason_id: z.int().nullable(),
  legacy_push_ids: z.array(text),
  notification_settings: settingsSchema,
  next_digest: timeOrNull,
  affiliateid: orNull,
  subid: orNull,
  /** The country whose prices hold for some time after a move. */
  country_before: z.strictObject({ country: text, moved_at: time }).nullable(),
  changes: z.strictObject({ gender: z.int(), date_of_birth: z.int() }),
  last_seen: timeOrNull,
  offline: z.boolean(),
  membership: z.strictObject({
    status: z.enum(membershipStatuses),
    autorenew: z.boolean(),
    expires_at: timeOrNull,
  }),
  counters: z.strictObject({
    connections_reset: timeOrNull,
    likedme_reset: timeOrNull,
    views_total: z.int(),
    views_since_reset: z.int(),
  }),
  likes_of_the_day: usage,
  views_of_the_day: usage,
  results_of_the_day: usage,
  conversations_of_the_day: usage,
});

/** The schema of `pushDevicesOf`. */
export const pushDevicesSection = z.array(
  z.strictObject({
    endpoint: text.meta({ format: 'uri' }),
    types: z.array(text),
    locale: orNull,
    capabilities: z.array(text),
    added_at: time,
  }),
);

/** The schema of `photosOf`. */
export const photosSection = z.array(
  photoEntry.extend({ status: z.enum(photoStatuses), files: z.array(text) }).meta({ id: 'ExportedPhoto' }),
);

/** The schema of `moderationOf`. */
export const moderationSection = z.strictObject({
  history: z.array(z.strictObject(decisionViewShape)),
  waiting: waitingSchema.extend({ flagged: z.boolean().optional() }),
  flags: z.record(text, z.array(text)),
  reports_about: z.array(z.strictObject({ open: z.boolean(), at: timeOrNull })),
  notes: z.array(z.strictObject({ at: time, text })),
  reports_filed: z.array(ownReportSchema),
  fraud_warnings: z.array(z.strictObject({ profileid: z.int(), at: time })),
  appeals: z.array(
    z
      .strictObject({
        decision_id: z.uuid().optional(),
        profileid: z.int().optional().meta({ description: 'The member whose report was closed.' }),
        at: time,
        text,
        outcome: orNull,
        answer: orNull,
      })
      .meta({ id: 'ExportedAppeal' }),
  ),
});

/** The part of an export about the profile: the stored document without what other parts show, and the counters. */
export async function profileOf(context: PrivacyContext, member: Member) {
  const now = context.clock();
  const { quotas } = context.pairs;
  const usage = async (kind: keyof typeof quotas) => {
    const read = await quotas[kind].read(member._id);
    return read ? { day: read.day, given: read.used } : null;
  };
  const [sightings, activity, likes, views, results, conversations] = await Promise.all([
    context.members.presence.read([member._id], now),
    context.pairs.activity.read(member._id),
    usage('likes'),
    usage('views'),
    usage('results'),
    usage('conversations'),
  ]);
  const { membership, changes, presence } = member;
  return {
    siteid: member.siteid,
    date_registered: member.joined.toISOString(),
    userstatus: member.userstatus,
    fields: member.fields,
    pending: member.pending,
    approved_answers: member.approved_answers ?? {},
    suspended: member.suspended,
    reason_id: member.reason_id ?? null,
    legacy_push_ids: [...(member.legacy_push_ids ?? [])],
    notification_settings: settingsOf(member),
    next_digest: isoOrNull(member.digest_due?.at),
    affiliateid: member.affiliateid ?? null,
    subid: member.subid ?? null,
    country_before: member.moved
      ? { country: member.moved.from, moved_at: member.moved.at.toISOString() }
      : null,
    changes: { gender: changes.gender, date_of_birth: changes.date_of_birth },
    last_seen: isoOrNull(lastSeen(member, sightings.get(member._id))),
    offline: presence.offline,
    membership: {
      status: membership.status,
      autorenew: membership.autorenew,
      expires_at: isoOrNull(membership.expires_at),
    },
    counters: {
      connections_reset: isoOrNull(activity.connections_reset),
      likedme_reset: isoOrNull(activity.likedme_reset),
      views_total: activity.views_total,
      views_since_reset: activity.views_since_reset,
    },
    likes_of_the_day: likes,
    views_of_the_day: views,
    results_of_the_day: results,
    conversations_of_the_day: conversations,
  };
}

/** The devices that take push messages, without their encryption secret. */
export function pushDevicesOf({ push_subscriptions: devices = [] }: Member) {
  return devices.map(({ endpoint, types, locale = null, capabilities = [], added_at }) => ({
    endpoint,
    types: [...types],
    locale,
    capabilities: [...capabilities],
    added_at: added_at.toISOString(),
  }));
}

/** Every stored photo, private and rejected ones included, with the addresses of its files for the owner. */
export function photosOf({ records }: Pick<PrivacyContext, 'records'>, member: Member) {
  const address = records.photoAddresses.of(member._id);
  return member.photos
    .filter(({ status }) => status !== 'deleted')
    .map((photo) => {
      const urlstem = address(member, photo);
      return {
        ...photoShown(photo, urlstem),
        status: photo.status,
        files: photo.sizes.map((size) => `${urlstem}${photoSuffix(size)}${photo.extension}`),
      };
    });
}

const batch = 500;

async function decisionsOf({ moderation }: PrivacyContext, member: number): Promise<Decision[]> {
  const all: Decision[] = [];
  for (;;) {
    const page = await moderation.decisions.of(member, all.at(-1)?.id, batch);
    all.push(...page);
    if (page.length < batch) return all;
  }
}

const looks = ['find-member', 'view-member', 'view-evidence'] as const;

/** Decisions on appeals of those who reported the member. */
const ofReporters = ['reopen-report', 'keep-report-closed'] as const;

const undisclosed: ReadonlySet<Decision['action']> = new Set([...looks, ...ofReporters]);

/** Whether staff released what the ban list or signals of a scam had pointed to, which its member did not know. */
const isRelease = ({ action, before, after }: Decision) =>
  action === 'dismiss-signals' || ((action === 'approve' || action === 'approve-photo') && before === after);

/**
 * The history without what would tell of a match of the ban list or of signals of a scam: its release, and that staff look, also at
 * members without a match, because a history that lacks it would tell as much.
 */
function disclosed(history: readonly Decision[]): Decision[] {
  const withheld = new Set(history.filter(isRelease).map(({ id }) => id));
  return history.filter(
    ({ id, action, undoes = '' }) => !withheld.has(id) && !withheld.has(undoes) && !undisclosed.has(action),
  );
}

/** The part of an export about moderation. Reports about the member appear without the reporter and the reason. */
export async function moderationOf(context: PrivacyContext, member: Member) {
  await tryMoveDecisions(context, member);
  const [history, notes, about, filed, appeals, warnings] = await Promise.all([
    decisionsOf(context, member._id),
    context.moderation.notes.of(member._id),
    context.moderation.reports.about(member._id),
    context.moderation.reports.filedBy(member._id),
    context.moderation.appeals.of(member._id),
    context.moderation.warnings.to(member._id),
  ]);
  const known = withoutSuspicion(member);
  return {
    // Without the staff account, and without the report, whose id names the reporter.
    history: disclosed(history).map(decisionView),
    waiting: { ...waitingSince(known), flagged: known.waiting?.flagged },
    flags: member.flags ?? {},
    reports_about: about.map(({ open_at, closed_at }) => ({
      open: open_at !== undefined,
      at: (open_at ?? closed_at)?.toISOString() ?? null,
    })),
    // Without their authors, and without those that tell something of others.
    notes: notes
      .filter(({ about_others }) => !about_others)
      .map(({ at, text: written }) => ({ at: at.toISOString(), text: written })),
    reports_filed: await ownReports(context, member._id, filed),
    fraud_warnings: warnings.map(({ banned, at }) => ({ profileid: banned, at: at.toISOString() })),
    appeals: appeals.map(({ decision, reported, at, text: written, decided }) => ({
      // The id of a closing would tell its time.
      ...(reported === undefined ? { decision_id: decision } : { profileid: reported }),
      at: at.toISOString(),
      text: written,
      outcome: decided?.outcome ?? null,
      answer: decided?.answer ?? null,
    })),
  };
}
