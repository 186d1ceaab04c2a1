import { z } from 'zod';
import { fieldGroups, visibilities } from './catalogue/field.ts';
import {
  blockings,
  covalences,
  genders,
  membershipStatuses,
  userStatuses,
  worldPlusChoices,
} from './record.ts';

/**
 * The member record as schemas, one for each use (RecordUse): tests hold every answer against them, and the
 * OpenAPI document shows them.
 */

const text = z.string();
const truth = z.boolean();
const yesNo = z.enum(['y', 'n']).meta({ id: 'YesNo' });
const count = z.int().nonnegative();
const time = z.iso.datetime();
const sex = z.enum(genders).meta({ id: 'Gender' });
const membershipStatus = z.enum(membershipStatuses).meta({ id: 'MembershipStatus' });
const userStatus = z.enum(userStatuses).meta({ id: 'UserStatus' });
const covalence = z.enum(covalences).meta({ id: 'Covalence', description: 'Spec 2.4.' });
const blocked = z.enum(blockings).meta({ id: 'Blocked' });

/** Spec 2.5: the address to show is urlstem + suffix + extension; without a photo both are ''. */
export const photoObjectSchema = z
  .strictObject({
    id: z.int().optional(),
    urlstem: text,
    extension: text,
    max1600: text.optional(),
    max800: text.optional(),
    square1000: text.optional(),
    square500: text.optional(),
    square250: text.optional(),
  })
  .meta({
    id: 'PhotoObject',
    description: 'The address of a size is urlstem + suffix + extension.',
  });

const sharedPhotos = z
  .strictObject({ can_share: truth, can_send_to: truth, can_receive_from: truth, receiving_me: truth })
  .meta({ id: 'SharedPhotos', description: 'Spec 2.6.' });

/** Sent in every record. */
const always = {
  id: z.int(),
  member_id: z.uuid(),
  about_me: text,
  aboutme: text,
  age: z.int(),
  cansendto: yesNo,
  city: text,
  covalence,
  blocked,
  display_name: text,
  from_world_plus: truth,
  gender: sex,
  gender_preference: sex,
  genderpreference: sex,
  has_been_messaged: truth,
  viewer_messaged_by_member: truth,
  member_messaged_by_viewer: truth,
  headline: text,
  location: text,
  marital_status: text,
  maritalstatus: text,
  mood: text,
  online: truth,
  online_recently: yesNo,
  onlinerecently: yesNo,
  /** Seconds since the last activity; -1 where that is not known. */
  since_active: z.int().min(-1),
  photo_count: count,
  photo_pending: truth,
  photopending: z.int().min(0).max(1),
  photo_primary: truth,
  photo: photoObjectSchema,
  shared_photos: sharedPhotos,
  platinum: yesNo,
  reported: truth,
  searchable: truth,
  site: z.int(),
  site_url: text,
  state: text,
  title: text,
  username: text,
  userstatus: userStatus,
  zip: text,
  zippostalcode: text,
  /** Only on sites that show it. */
  zodiac: text.optional(),
  membership_status: membershipStatus,
};

const answer = z
  .strictObject({
    name: text,
    label: text,
    value: z.union([z.string(), z.number()]).optional().meta({
      description: 'A code of GET /questions, a number or a text; absent where there may be several.',
    }),
    values: z.array(z.int()).optional().meta({ description: 'The codes, where there may be several.' }),
    text: text.meta({ description: 'The answer as the viewer reads it.' }),
    in_common: truth
      .optional()
      .meta({ description: 'True where the viewer has given the same answer, or one of the same.' }),
    visibility: z.enum(visibilities).optional().meta({
      description: 'Own answers only: read by everyone who may see the profile, or by the owner alone.',
    }),
    value_moderated: text.optional().meta({
      description: 'Own answers only: the text that waits for review; others read `value` meanwhile.',
    }),
  })
  .meta({ id: 'Answer', description: 'What a member answered in one field.' });

const answerGroup = z
  .strictObject({ group: z.enum(fieldGroups), label: text, fields: z.array(answer) })
  .meta({ id: 'AnswerGroup', description: 'The answers of one group, in the order of GET /questions.' });

/** What a member answered in the fields of one group. */
export type AnswerGroup = z.infer<typeof answerGroup>;

/** Only of a single profile; of the membership only while membership_status is `active`. */
const single = {
  answers: z.array(answerGroup),
  autorenew: truth.optional(),
  daysremaining: count.optional(),
  expirationdate: time.nullable().optional(),
};

const whole = z.int().nullable();
const degrees = z.number().nullable();

/** Only the member's own; what waits for review is there while it does. */
const own = {
  about_me_moderated: text.optional(),
  aboutme_moderated: text.optional(),
  city_moderated: text.optional(),
  headline_moderated: text.optional(),
  username_moderated: text.optional(),
  email_moderated: text.optional(),
  marital_status_value: whole,
  push_ids: z.array(text),
  country: text,
  dateofbirth: z.strictObject({ year: z.int(), month: z.int(), day: z.int() }),
  email: text,
  date_registered: time,
  first_name: text,
  last_name: text,
  first_initial: text,
  display_name_preference: z.enum(['nickname', 'firstname']),
  locale: text,
  world_plus: z.enum(worldPlusChoices),
  missing_required_fields: z.array(text),
  num_required_fields: count,
  agefrom: whole,
  ageto: whole,
  latitude: degrees,
  longitude: degrees,
};

/** Search results only; answers where a search names some in `fields`. */
const inSearch = {
  answers: z.array(answerGroup).optional(),
  isconnection: truth.nullable(),
  covalencedatecreated: time.nullable(),
  covalencedateanswered: time.nullable(),
};

/** The member's own record. */
export const ownRecordSchema = z
  .strictObject({ ...always, ...single, ...own })
  .meta({ id: 'OwnRecord', description: 'The member’s own record.' });

/** Another member as a single profile. */
export const singleRecordSchema = z
  .strictObject({ ...always, ...single })
  .meta({ id: 'SingleRecord', description: 'Another member as a single profile.' });

/** Another member in a list. */
export const listedRecordSchema = z
  .strictObject({ ...always, ...inSearch })
  .meta({ id: 'ListedRecord', description: 'Another member in a list or a search result.' });
