/** Records and parts of records that the examples show; a test holds them against the schemas. */

const stem = 'https://api.example/photos/5f3Jw0aVnq8sT2mXcR7yKd1LhZbE4uPo';

/** A photo as a record has it. */
const photo = {
  id: 4711,
  urlstem: stem,
  extension: '.jpg',
  max1600: '_1600',
  max800: '_800',
  square1000: '_1000',
  square500: '_500',
  square250: '_250',
};

/** A photo as GET /photo has it. */
export const ownPhoto = {
  ...photo,
  photo_pending: false,
  photo_primary: true,
  private: false,
  caption: 'At the lake',
  width: 1600,
  height: 1200,
  blurhash: 'LEHV6nWB2yk8pyo0adR*.7kCMdnj',
  color: '#8a7f70',
  added: '2026-03-01T10:00:00.000Z',
};

const shown = {
  id: 1002,
  member_id: '019a3f1e-7c11-7a90-b6a5-0c3fb1f0a2d4',
  about_me: 'I like long walks and short queues.',
  aboutme: 'I like long walks and short queues.',
  age: 37,
  cansendto: 'n',
  city: 'Lincoln',
  covalence: 'likedme',
  blocked: 'none',
  display_name: 'Tom H',
  from_world_plus: true,
  gender: 'Male',
  gender_preference: 'Female',
  genderpreference: 'Female',
  has_been_messaged: false,
  viewer_messaged_by_member: false,
  member_messaged_by_viewer: false,
  headline: 'Better in person',
  location: 'Lincoln, Nebraska 68502',
  marital_status: 'Single',
  maritalstatus: 'Single',
  mood: 'Cheerful',
  online: true,
  online_recently: 'y',
  onlinerecently: 'y',
  since_active: 42,
  photo_count: 1,
  photo_pending: false,
  photopending: 0,
  photo_primary: true,
  photo,
  shared_photos: { can_share: true, can_send_to: false, can_receive_from: false, receiving_me: false },
  platinum: 'n',
  reported: false,
  searchable: true,
  site: 1,
  site_url: 'https://www.example',
  state: 'Nebraska',
  title: 'Example',
  username: 'tomh',
  userstatus: 'approved',
  zip: '68502',
  zippostalcode: '68502',
  membership_status: 'none',
};

const height = { name: 'height', label: 'Height (cm)', value: 183, text: '183' };
const languages = { name: 'language', label: 'Languages', values: [10, 30], text: 'English, German' };

/** Another member as a single profile. */
export const singleRecord = {
  ...shown,
  answers: [{ group: 'basic', label: 'Basics', fields: [height, { ...languages, in_common: true }] }],
};

/** Another member in a list. */
export const listedRecord = {
  ...shown,
  isconnection: false,
  covalencedatecreated: '2026-03-02T18:30:00.000Z',
  covalencedateanswered: null,
};

/** The member's own record. */
export const ownRecord = {
  ...shown,
  covalence: 'none',
  answers: [
    {
      group: 'basic',
      label: 'Basics',
      fields: [
        {
          name: 'religion',
          label: 'Religion',
          value: 110,
          text: 'Spiritual',
          visibility: 'owner',
        },
      ],
    },
    {
      group: 'question',
      label: 'Questions',
      fields: [
        {
          name: 'q_lessons',
          label: 'What has life taught you?',
          value: '',
          text: '',
          visibility: 'everyone',
          value_moderated: 'Patience.',
        },
      ],
    },
  ],
  push_ids: [],
  marital_status_value: 10,
  country: 'US',
  dateofbirth: { year: 1988, month: 9, day: 2 },
  email: 'tom@mail.example',
  date_registered: '2026-02-20T09:15:00.000Z',
  first_name: 'Tom',
  last_name: 'Hill',
  first_initial: 'Tom H',
  display_name_preference: 'firstname',
  locale: 'en_US',
  world_plus: 'undecided',
  missing_required_fields: ['height'],
  num_required_fields: 3,
  agefrom: 30,
  ageto: 45,
  latitude: 40.789,
  longitude: -96.693,
};

/** The same right after a registration with what must be there and a place. */
export const registeredRecord = {
  ...ownRecord,
  answers: [],
  about_me: '',
  aboutme: '',
  display_name: 'tomh',
  headline: '',
  marital_status: '',
  maritalstatus: '',
  mood: '',
  since_active: 0,
  photo_count: 0,
  photo_primary: false,
  photo: { urlstem: '', extension: '' },
  marital_status_value: null,
  first_name: '',
  last_name: '',
  first_initial: '',
  display_name_preference: 'nickname',
  missing_required_fields: ['headline', 'about_me', 'height'],
  agefrom: null,
  ageto: null,
};

/** Activity counters. */
export const counters = {
  connections_since_reset: 1,
  connections_total: 4,
  likedme_since_reset: 0,
  likedme_total: 2,
  views_since_reset: 12,
  views_total: 96,
};

/** A message. */
export const message = {
  id: '019a3f20-0b1c-7d41-9d0f-5b1f5c1e8a77',
  profileid: 1002,
  sent: true,
  text: 'Shall we walk on Sunday?',
  at: '2026-03-03T20:00:00.000Z',
  read_at: null,
  client_message_id: 'm-1',
};

/** A page of search results. */
export const searchPage = {
  totalmatches: 1,
  page: 1,
  pagesize: 20,
  currentpagesize: 1,
  users: [{ ...listedRecord, relevance: 0.87, exactmatch: false, distance: 8 }],
};

/** A membership as its member sees it. */
export const membership = {
  membership_status: 'active',
  autorenew: true,
  expirationdate: '2026-06-01T12:00:00.000Z',
};
