import { describe, expect, it } from '@jest/globals';
import { relationOf } from '../../../src/pairs/pair.ts';
import { renderRecord } from '../../../src/record/render-record.ts';
import { member, now, subject } from '../../support/subjects.ts';

const hour = 3_600_000;
const ago = (ms: number) => new Date(now.getTime() - ms);

const paying = {
  status: 'active' as const,
  autorenew: true,
  expires_at: new Date('2026-06-20T11:00:00Z'),
  version: 1,
};
const photo = {
  id: 8,
  stem: 'stem-of-a-photo-of-the-tests',
  extension: '.jpg',
  sizes: [1600, 800, 1000, 500, 250],
  status: 'approved' as const,
  primary: true,
  order: 0,
  added_at: now,
};
const photoShown = {
  id: 8,
  urlstem: 'http://api.test/photos/name-of-photo-8',
  extension: '.jpg',
  max1600: '_1600',
  max800: '_800',
  square1000: '_1000',
  square500: '_500',
  square250: '_250',
};

describe('the record, value by value', () => {
  it('of a complete member, as the member sees it', () => {
    const ada = member(
      1,
      {
        about_me: 'I count.',
        headline: 'Hello there',
        marital_status: 20,
        p_mood: 40,
        first_name: 'Ada',
        last_name: 'Lovelace',
        display_name_preference: 'firstname',
        locale: 'de_AT',
        agefrom: 25,
        ageto: 40,
        latitude: 30.27,
        longitude: -97.74,
        world_plus: 'opted_in',
      },
      {
        membership: paying,
        pending: { about_me: 'I write.', city: 'Dallas', headline: 'Hello again', username: 'Augusta' },
        photos: [{ ...photo, status: 'pending', primary: false }],
        push_subscriptions: [
          { id: 'x', endpoint: 'https://push.example/x', p256dh: '', auth: '', types: [], added_at: now },
        ],
      },
    );
    expect(renderRecord(subject('self', ada, ada))).toEqual({
      id: 1,
      answers: [
        {
          group: 'basic',
          label: 'Basics',
          fields: [
            {
              name: 'marital_status',
              label: 'Marital status',
              value: 20,
              code: 20,
              text: 'Separated',
              visibility: 'everyone',
            },
          ],
        },
        {
          group: 'personality',
          label: 'Personality',
          fields: [
            { name: 'p_mood', label: 'Mood', value: 40, code: 40, text: 'Cheerful', visibility: 'everyone' },
          ],
        },
      ],
      member_id: ada.member_id,
      about_me: 'I count.',
      aboutme: 'I count.',
      about_me_moderated: 'I write.',
      aboutme_moderated: 'I write.',
      age: 36,
      cansendto: 'n',
      city: 'Austin',
      city_moderated: 'Dallas',
      covalence: 'none',
      blocked: 'none',
      display_name: 'Ada L',
      from_world_plus: true,
      gender: 'Male',
      gender_preference: 'Female',
      genderpreference: 'Female',
      has_been_messaged: false,
      viewer_messaged_by_member: false,
      member_messaged_by_viewer: false,
      headline: 'Hello there',
      headline_moderated: 'Hello again',
      location: 'Austin, Texas 78701',
      marital_status: 'Separated',
      maritalstatus: 'Separated',
      marital_status_value: 20,
      mood: 'Cheerful',
      online: false,
      online_recently: 'y',
      onlinerecently: 'y',
      since_active: 60,
      photo_count: 0,
      photo_pending: true,
      photopending: 1,
      photo_primary: false,
      photo: photoShown,
      shared_photos: { can_share: false, can_send_to: false, can_receive_from: false, receiving_me: false },
      platinum: 'y',
      push_ids: [ada.member_id],
      reported: false,
      searchable: true,
      site: 1,
      site_url: 'https://heartland.example',
      state: 'Texas',
      title: 'Heartland Singles',
      username: 'user1',
      username_moderated: 'Augusta',
      userstatus: 'approved',
      zip: '78701',
      zippostalcode: '78701',
      zodiac: 'Gemini',
      membership_status: 'active',
      autorenew: true,
      daysremaining: 5,
      expirationdate: '2026-06-20T11:00:00.000Z',
      country: 'US',
      dateofbirth: { year: 1990, month: 6, day: 15 },
      email: 'secret@example.org',
      date_registered: now.toISOString(),
      first_name: 'Ada',
      last_name: 'Lovelace',
      first_initial: 'Ada L',
      display_name_preference: 'firstname',
      locale: 'de_AT',
      world_plus: 'opted_in',
      record_searches: true,
      missing_required_fields: ['smoking'],
      num_required_fields: 3,
      agefrom: 25,
      ageto: 40,
      latitude: 30.27,
      longitude: -97.74,
    });
  });

  it('of an empty member: texts are empty, numbers null', () => {
    const bare = member(3, { city: null, zip: null }, {}, 3);
    expect(renderRecord(subject('self', bare, bare))).toMatchObject({
      about_me: '',
      display_name: 'user3',
      first_initial: '',
      marital_status: '',
      marital_status_value: null,
      mood: '',
      push_ids: [],
      platinum: 'n',
      membership_status: 'none',
      display_name_preference: 'nickname',
      locale: 'en_US',
      world_plus: 'undecided',
      missing_required_fields: [],
      num_required_fields: 0,
      agefrom: null,
      ageto: null,
      latitude: null,
      longitude: null,
    });
  });

  it('of a member of another group, with every relation', () => {
    const eve = member(
      5,
      { gender: 'Female', gender_preference: 'Male', world_plus: 'opted_in', first_name: 'Eve' },
      { userstatus: 'new', photos: [photo, { ...photo, id: 9, primary: false, order: 1, private: true }] },
      3,
    );
    const hidden = { ...eve, fields: { ...eve.fields, searchable: false } };
    const photos = { send: true, receive: true };
    const relation = relationOf({
      mine: { stance: 'liked', stance_at: ago(2 * hour), messaged_at: now, reported_at: now, photos },
      theirs: { stance: 'liked', stance_at: ago(hour), messaged_at: now, photos },
      begun_at: ago(2 * hour),
    });
    const presence = { online: true, sinceActive: 0 };
    const seen = { relation, presence, photoSharing: true };
    expect(renderRecord(subject('search', hidden, member(2), seen))).toEqual({
      id: 5,
      member_id: eve.member_id,
      about_me: '',
      aboutme: '',
      age: 36,
      cansendto: 'y',
      city: 'Austin',
      covalence: 'mutual',
      isconnection: true,
      covalencedatecreated: ago(2 * hour).toISOString(),
      covalencedateanswered: ago(hour).toISOString(),
      blocked: 'none',
      display_name: 'user5',
      from_world_plus: false,
      gender: 'Female',
      gender_preference: 'Male',
      genderpreference: 'Male',
      has_been_messaged: true,
      viewer_messaged_by_member: true,
      member_messaged_by_viewer: true,
      headline: '',
      location: 'Austin, Texas 78701',
      marital_status: '',
      maritalstatus: '',
      mood: '',
      online: true,
      online_recently: 'y',
      onlinerecently: 'y',
      since_active: 0,
      photo_count: 2,
      photo_pending: false,
      photopending: 0,
      photo_primary: true,
      photo: photoShown,
      shared_photos: { can_share: true, can_send_to: true, can_receive_from: true, receiving_me: true },
      platinum: 'n',
      reported: true,
      searchable: false,
      site: 3,
      site_url: 'https://agora.example',
      state: 'Texas',
      title: 'Agora',
      username: 'user5',
      userstatus: 'new',
      zip: '78701',
      zippostalcode: '78701',
      membership_status: 'none',
    });
  });

  it.each([
    [-1, 'n'],
    [7 * 86_400, 'y'],
    [7 * 86_400 + 1, 'n'],
  ])('since_active %d is online_recently %s on a site of seven days', (sinceActive, recently) => {
    const presence = { online: false, sinceActive };
    expect(renderRecord(subject('single', member(5), member(2), { presence }))).toMatchObject({
      since_active: sinceActive,
      online_recently: recently,
      onlinerecently: recently,
    });
  });
});
