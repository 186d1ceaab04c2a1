import { z } from 'zod';
import { fieldGroups, visibilities } from '../catalogue/field.ts';
import {
  blockings,
  covalences,
  genders,
  membershipStatuses,
  userStatuses,
  worldPlusChoices,
} from '../members/record.ts';

const text = z.string();
const truth = z.boolean();
const yesNo = z.enum(['y', 'n']).meta({ id: 'YesNo' });
const count = z.int().nonnegative();
const time = z.iso.datetime();
const sex = z.enum(genders).meta({ id: 'Gender' });
const membershipStatus = z.enum(membershipStatuses).meta({ id: 'MembershipStatus' });
const userStatus = z.enum(userStatuses).meta({ id: 'UserStatus' });
const covalence = z
  .enum(covalences)
  .meta({ id: 'Covalence', description: 'The relation of the two members, as the viewer sees it.' });
const blocked = z.enum(blockings).meta({ id: 'Blocked' });

/** The address to show is urlstem + suffix + extension; without a photo both are ''. */
export const photoObjectSchema = z
  .strictObject({
    id: z
      .int()
      .optional()
      .meta({ examples: [4711] }),
    urlstem: text.meta({ examples: ['https://api.example/photos/5f3Jw0aVnq8sT2mXcR7yKd1LhZbE4uPo'] }),
    extension: text.meta({ examples: ['.jpg'] }),
    max1600: text.optional().meta({ examples: ['_1600'] }),
    max800: text.optional().meta({ examples: ['_800'] }),
    square1000: text.optional().meta({ examples: ['_1000'] }),
    square500: text.optional().meta({ examples: ['_500'] }),
    square250: text.optional().meta({ examples: ['_250'] }),
  })
  .meta({
    id: 'PhotoObject',
    description: 'The address of a size is urlstem + suffix + extension.',
  });

const sharedPhotos = z
  .strictObject({ can_share: truth, can_send_to: truth, can_receive_from: truth, receiving_me: truth })
  .meta({ id: 'SharedPhotos', description: 'What two members share of their private photos.' });

/** Sent in every record. */
const always = {
  id: z.int().meta({ examples: [1002] }),
  member_id: z.uuid().meta({ examples: ['019a3f1e-7c11-7a90-b6a5-0c3fb1f0a2d4'] }),
  about_me: text.meta({ examples: ['I like long walks and short queues.'] }),
  aboutme: text.meta({ examples: ['I like long walks and short queues.'] }),
  age: z.int().meta({ examples: [37] }),
  cansendto: yesNo,
  city: text.meta({ examples: ['Lincoln'] }),
  covalence,
  blocked,
  display_name: text.meta({ examples: ['Tom H'] }),
  from_world_plus: truth.meta({ examples: [true] }),
  gender: sex,
  gender_preference: sex,
  genderpreference: sex,
  has_been_messaged: truth,
  viewer_messaged_by_member: truth,
  member_messaged_by_viewer: truth,
  headline: text.meta({ examples: ['Better in person'] }),
  location: text.meta({ examples: ['Lincoln, Nebraska 68502'] }),
  marital_status: text.meta({ examples: ['Single'] }),
  maritalstatus: text.meta({ examples: ['Single'] }),
  mood: text.meta({ examples: ['Cheerful'] }),
  online: truth.meta({ examples: [true] }),
  online_recently: yesNo,
  onlinerecently: yesNo,
  /** Seconds since the last activity; -1 if unknown. */
  since_active: z
    .int()
    .min(-1)
    .meta({ examples: [42] }),
  photo_count: count.meta({ examples: [1] }),
  photo_pending: truth,
  photopending: z.int().min(0).max(1),
  photo_primary: truth.meta({ examples: [true] }),
  photo: photoObjectSchema,
  shared_photos: sharedPhotos,
  platinum: yesNo,
  reported: truth.meta({ examples: [false] }),
  searchable: truth.meta({ examples: [true] }),
  site: z.int().meta({ examples: [1] }),
  site_url: text.meta({ examples: ['https://www.example'] }),
  state: text.meta({ examples: ['Nebraska'] }),
  title: text.meta({ examples: ['Example'] }),
  username: text.meta({ examples: ['tomh'] }),
  userstatus: userStatus,
  zip: text.meta({ examples: ['68502'] }),
  zippostalcode: text.meta({ examples: ['68502'] }),
  /** Only on sites that show it. */
  zodiac: text.optional(),
  membership_status: membershipStatus,
};

const answer = z
  .strictObject({
    name: text.meta({ examples: ['height'] }),
    label: text.meta({ examples: ['Height (cm)'] }),
    value: z
      .union([z.string(), z.number()])
      .optional()
      .meta({
        examples: [183],
        description: 'A code of GET /questions, a number or a text; absent where there may be several.',
      }),
    code: z
      .int()
      .optional()
      .meta({ examples: [183], description: 'The value where it is a code or a number.' }),
    values: z.array(z.int()).optional().meta({ description: 'The codes, where there may be several.' }),
    text: text.meta({ examples: ['183'], description: 'The answer as the viewer reads it.' }),
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
  .strictObject({
    group: z.enum(fieldGroups),
    label: text.meta({ examples: ['Basics'] }),
    fields: z.array(answer),
  })
  .meta({ id: 'AnswerGroup', description: 'The answers of one group, in the order of GET /questions.' });

/** A member's answers in one group. */
export type AnswerGroup = z.infer<typeof answerGroup>;

/** In single profiles; the membership only while membership_status is `active`. */
const single = {
  answers: z.array(answerGroup),
  autorenew: truth.optional(),
  daysremaining: count.optional(),
  expirationdate: time.nullable().optional(),
};

const whole = z.int().nullable();
const degrees = z.number().nullable();

/** In the own record; `*_moderated` only while a text waits for review. */
const own = {
  about_me_moderated: text.optional(),
  aboutme_moderated: text.optional(),
  city_moderated: text.optional(),
  headline_moderated: text.optional(),
  username_moderated: text.optional(),
  email_moderated: text.optional(),
  marital_status_value: whole,
  push_ids: z.array(text).meta({ examples: [[]] }),
  country: text.meta({ examples: ['US'] }),
  dateofbirth: z
    .strictObject({ year: z.int(), month: z.int(), day: z.int() })
    .meta({ examples: [{ year: 1988, month: 9, day: 2 }] }),
  email: text.meta({ examples: ['tom@mail.example'] }),
  date_registered: time,
  first_name: text.meta({ examples: ['Tom'] }),
  last_name: text.meta({ examples: ['Hill'] }),
  first_initial: text.meta({ examples: ['Tom H'] }),
  display_name_preference: z.enum(['nickname', 'firstname']),
  locale: text.meta({ examples: ['en_US'] }),
  world_plus: z.enum(worldPlusChoices),
  record_searches: truth.meta({ examples: [true] }),
  missing_required_fields: z.array(text).meta({ examples: [['height']] }),
  num_required_fields: count,
  agefrom: whole,
  ageto: whole,
  latitude: degrees,
  longitude: degrees,
};

/** In search results; answers only if the search names `fields`. */
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
