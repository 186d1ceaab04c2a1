import { collectionSchema, required } from '@covalence/runtime/schema';
import { freeTextAnswers } from '@covalence/contract/catalogue/answers';
import type { Field, FieldKind } from '@covalence/contract/catalogue/field';
import { fields } from '@covalence/contract/catalogue/fields';
import { digestKinds, digestPeriods, notificationKinds } from '@covalence/contract/notification-kinds';
import { membershipStatuses, photoStatuses, userStatuses } from '@covalence/contract/record';
import { outboxFields, outboxIndex } from '@covalence/events/outbox';
import { Schema, type Connection, type Model } from 'mongoose';
import { isStoredField } from '../document/member-values.ts';
import { waitingKinds } from '../document/account-status.ts';
import type { Member } from '../document/member.ts';
import { waitingIndex } from './waiting-index.ts';

const text = { type: String };
const number = { type: Number };

const codeType = ({ values = [] }: Field) =>
  values.every(({ code }) => typeof code === 'number') ? Number : String;

const typesByKind: Record<FieldKind, (field: Field) => object> = {
  text: () => text,
  username: () => text,
  email: () => text,
  password: () => text,
  country: () => text,
  locale: () => text,
  timezone: () => text,
  gender: () => text,
  date: () => text,
  keyword: () => text,
  boolean: () => ({ type: Boolean }),
  integer: () => number,
  number: () => number,
  choice: (field) => ({ type: codeType(field) }),
  choices: (field) => ({ type: [codeType(field)], default: undefined }),
};

const subdocument = (definition: object) =>
  new Schema(definition, { _id: false, strict: 'throw', minimize: false });

const fieldsSchema = subdocument(
  Object.fromEntries(
    fields
      .filter(({ name }) => isStoredField(name))
      .map((field) => [field.name, typesByKind[field.kind](field)]),
  ),
);

const suspicion = { suspected: Boolean, ban_matches: { type: [String], default: undefined } };

const photoSchema = subdocument({
  ...required({ id: Number, stem: String, extension: String }),
  sizes: [Number],
  status: { type: String, enum: photoStatuses, required: true },
  ...required({ primary: Boolean, order: Number, added_at: Date }),
  private: Boolean,
  caption: String,
  width: Number,
  height: Number,
  blurhash: String,
  color: String,
  ...suspicion,
});

const pushSubscriptionSchema = subdocument({
  ...required({ id: String, endpoint: String, added_at: Date }),
  p256dh: String,
  auth: String,
  types: [String],
  locale: String,
  capabilities: { type: [String], default: undefined },
  family: String,
});

const notificationsSchema = subdocument({
  muted: { type: [{ type: String, enum: notificationKinds }], default: undefined },
  unmailed: { type: [{ type: String, enum: digestKinds }], default: undefined },
  previews: Boolean,
  quiet_hours: subdocument(required({ from: String, to: String, timezone: String })),
  digest: { type: String, enum: digestPeriods },
});

const memberSchema = collectionSchema<Member>(
  'members',
  {
    ...required({ _id: Number, member_id: String, siteid: Number, version: Number, joined: Date }),
    userstatus: { type: String, enum: userStatuses, required: true },
    fields: { type: fieldsSchema, required: true },
    pending: subdocument(
      Object.fromEntries(fields.filter(({ moderated }) => moderated).map(({ name }) => [name, text])),
    ),
    approved_answers: subdocument(Object.fromEntries(freeTextAnswers.map((name) => [name, text]))),
    pending_place: { type: [String], default: undefined },
    ...suspicion,
    matched_by: { type: [{ type: String, enum: ['email', 'device'] }], default: undefined },
    cleared_bans: { type: [String], default: undefined },
    // By names of the catalogue, which updates check.
    flags: Schema.Types.Mixed,
    scam_signals_at: Date,
    strikes_at: Date,
    waiting: subdocument({ profile: Date, text: Date, photo: Date, flagged: Boolean }),
    unlogged: { type: [Schema.Types.Mixed], default: undefined },
    photos: [photoSchema],
    public_photos: {
      type: [subdocument(required({ photo: Number, name: String }))],
      default: undefined,
    },
    was_hidden: Boolean,
    membership: subdocument({
      status: { type: String, enum: membershipStatuses },
      autorenew: Boolean,
      expires_at: Date,
      version: Number,
    }),
    presence: subdocument({ last_seen: Date, offline: Boolean }),
    answering: subdocument(required({ rate: Number, at: Date })),
    ...required({ deactivated: Boolean, suspended: Boolean, deleted: Boolean }),
    tokens_ended_at: Date,
    deactivation_changed_at: Date,
    erase_at: Date,
    own_erase_at: Date,
    reason_id: Number,
    moved: subdocument(required({ from: String, at: Date })),
    changes: subdocument({ gender: Number, date_of_birth: Number }),
    push_subscriptions: { type: [pushSubscriptionSchema], default: undefined },
    banned_devices: { type: [String], default: undefined },
    legacy_push_ids: { type: [String], default: undefined },
    notifications: notificationsSchema,
    digest_due: subdocument(required({ at: Date, since: Date })),
    // By names of the catalogue and of the import.
    import_digests: Schema.Types.Mixed,
    affiliateid: String,
    subid: String,
    ...outboxFields,
  },
  { minimize: false },
);

// Not unique, which a collection that is sharded by `_id` cannot have: of a UUID there is one account, which has one number.
memberSchema.index({ member_id: 1, _id: 1 });
memberSchema.index({ deactivation_changed_at: 1 }, { sparse: true });
memberSchema.index({ erase_at: 1 }, { sparse: true });
// The owner of a photo, for its review.
memberSchema.index({ 'photos.id': 1 }, { sparse: true });
// The owner of a photo by its public name.
memberSchema.index({ 'public_photos.name': 1 }, { sparse: true });
// Photos whose files are still to be removed, which are few at any time.
memberSchema.index(
  { 'photos.status': 1 },
  { name: 'deleted_photos', partialFilterExpression: { 'photos.status': 'deleted' } },
);
// The members whose device an endpoint is.
memberSchema.index({ 'push_subscriptions.id': 1 }, { sparse: true });
memberSchema.index({ 'digest_due.at': 1 }, { sparse: true });
// Decisions that the history does not have yet.
memberSchema.index({ 'unlogged.at': 1 }, { sparse: true });
memberSchema.index({ strikes_at: 1 }, { sparse: true });
for (const kind of waitingKinds) {
  const path = `waiting.${kind}`;
  memberSchema.index(...waitingIndex(path));
  // Few are flagged, behind many others.
  memberSchema.index(
    { siteid: 1, 'waiting.flagged': 1, [path]: 1, _id: 1 },
    { partialFilterExpression: { 'waiting.flagged': true } },
  );
}
memberSchema.index(...outboxIndex);

/** Declares the members collection: `fields` holds exactly the catalogue's fields, by their kinds. */
export function declareMembers(connection: Connection): Model<Member> {
  return connection.model<Member>('Member', memberSchema);
}
