import { milesBetween } from '@covalence/contract/position';
import { fuzzing } from '@covalence/testing/fuzzing';
import { fields } from '@covalence/contract/catalogue/fields';
import type { RecordUse } from '@covalence/contract/record';
import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { member, now, siteBy, sites, subject } from '../support/subjects.ts';
import { isStoredField, localeOf } from '../../src/members/document/member-values.ts';
import type { Member, Photo } from '../../src/members/document/member.ts';
import { presenceOf } from '../../src/members/document/presence.ts';
import { relationOf } from '../../src/pairs/pair.ts';
import { refusalOf } from '../../src/pairs/eligibility.ts';
import { createPhotoAddresses } from '../../src/record/photo-address.ts';
import { renderRecord, fieldsOfSearchRecords, partsOfSearchRecords } from '../../src/record/render-record.ts';

/** The fields of the record by audience. Conditional fields are sent where their condition holds. */
const everyone =
  `id member_id about_me aboutme age cansendto city covalence blocked display_name from_world_plus gender gender_preference
  genderpreference has_been_messaged viewer_messaged_by_member member_messaged_by_viewer headline location marital_status
  maritalstatus mood online online_recently onlinerecently since_active photo_count photo_pending photopending photo_primary photo
  shared_photos platinum reported searchable site site_url state title username userstatus zip zippostalcode zodiac
  membership_status`.split(/\s+/);
const searchOnly = ['isconnection', 'covalencedatecreated', 'covalencedateanswered'];
const singleOnly = ['autorenew', 'daysremaining', 'expirationdate'];
const selfOnly =
  `about_me_moderated aboutme_moderated city_moderated headline_moderated username_moderated marital_status_value push_ids country
  dateofbirth email email_moderated date_registered first_name last_name first_initial display_name_preference locale world_plus
  record_searches missing_required_fields num_required_fields agefrom ageto latitude longitude`.split(/\s+/);

const expected: Record<RecordUse, string[]> = {
  self: [...everyone, ...singleOnly, ...selfOnly, 'answers'],
  single: [...everyone, ...singleOnly, 'answers'],
  search: [...everyone, ...searchOnly],
};

const paying = {
  membership: {
    status: 'active' as const,
    autorenew: true,
    expires_at: new Date('2026-06-20T11:00:00Z'),
    version: 1,
  },
};
const full = member(
  1,
  { headline: 'Hello there', marital_status: 10, p_mood: 40 },
  { ...paying, pending: { headline: 'a', about_me: 'b', city: 'c', username: 'd' } },
);
const like = { stance: 'liked', stance_at: now } as const;
const mutual = relationOf({ mine: like, theirs: like, begun_at: now });
const viewer = member(2, { gender: 'Female', gender_preference: 'Male' });

/** The location text that a viewer who lives elsewhere is shown. */
const locationFor = (elsewhere: object, locale = 'en_US') => {
  const by = member(4, { gender: 'Female', gender_preference: 'Male', ...elsewhere });
  return renderRecord(subject('search', full, by, { locale }))['location'];
};

describe('the record', () => {
  it.each(['self', 'single', 'search'] as const)('for %s has exactly its fields', (use) => {
    const record = renderRecord({
      ...subject(use, full, use === 'self' ? full : viewer),
      pendingEmail: 'wanted@example.org',
    });
    expect(Object.keys(record).sort()).toEqual(expected[use].toSorted());
  });

  it('leaves out fields that do not apply: pending texts, membership details, zodiac', () => {
    const plain = member(3, {}, {}, 3);
    const record = renderRecord(subject('self', plain, plain));
    const conditional = [...singleOnly, 'zodiac', ...selfOnly.filter((name) => name.endsWith('_moderated'))];
    expect(Object.keys(record).filter((name) => conditional.includes(name))).toEqual([]);
  });

  it.each([
    ['es_ES', 'Soltero/a', 'Alegre'],
    ['de_AT', 'Ledig', 'Fröhlich'],
    ['el_GR', 'Ελεύθερος/η', 'Χαρούμενος/η'],
    ['tr_TR', 'Single', 'Cheerful'],
  ])('reads as the viewer’s locale %s has it', (locale, marital_status, mood) => {
    const record = renderRecord({ ...subject('single', full, viewer), locale });
    expect(record).toMatchObject({ marital_status, maritalstatus: marital_status, mood });
  });

  it('computes what depends on the day, the viewer and the settings', () => {
    expect(renderRecord(subject('single', full, viewer))).toMatchObject({
      age: 36,
      marital_status: 'Single',
      maritalstatus: 'Single',
      mood: 'Cheerful',
      zodiac: 'Gemini',
      platinum: 'y',
      membership_status: 'active',
      autorenew: true,
      daysremaining: 5,
      expirationdate: '2026-06-20T11:00:00.000Z',
      online_recently: 'y',
      cansendto: 'n',
      display_name: 'user1',
      photo: { urlstem: '', extension: '' },
      shared_photos: { can_share: false, can_send_to: false, can_receive_from: false, receiving_me: false },
    });
    const asleep = { online: false, sinceActive: 8 * 86_400 };
    expect(renderRecord(subject('single', full, viewer, { presence: asleep }))).toMatchObject({
      online_recently: 'n',
    });
    // Its end has come, and billing has not told yet what became of it.
    const later = { now: new Date('2026-06-21T00:00:00Z') };
    const statusOf = (autorenew: boolean) => {
      const shown = { ...full, membership: { ...full.membership, autorenew } };
      const { platinum, membership_status } = renderRecord(subject('single', shown, viewer, later));
      return [platinum, membership_status];
    };
    expect([statusOf(true), statusOf(false)]).toEqual([
      ['n', 'inactive'],
      ['n', 'none'],
    ]);
  });

  it('allows platinum members and connections to write first', () => {
    const rich = { ...viewer, ...paying };
    expect(renderRecord(subject('single', full, rich)).cansendto).toBe('y');
    expect(renderRecord(subject('single', full, viewer, { relation: mutual })).cansendto).toBe('y');
  });

  it('shows more of nearby places, in the viewer’s language', () => {
    expect(locationFor({})).toBe('Austin, Texas 78701');
    expect(locationFor({ city: 'Boston', state: 'Massachusetts', zip: '02108' })).toBe('Austin, Texas');
    expect(locationFor({ country: 'DE', city: 'Berlin' })).toBe('Texas, United States');
    expect(locationFor({ country: 'DE', city: 'Berlin' }, 'de_DE')).toBe('Texas, Vereinigte Staaten');
  });

  it('reveals no more of a position to a moving viewer than searches do', () => {
    // A home that is looked at from 2,000 places that are 36 feet apart, some 50 miles away.
    const home = member(1, { latitude: 30.001, longitude: -97.74 });
    const shown = subject('single', home, home).shownPosition(home) ?? { lat: NaN, lon: NaN };
    const texts = Array.from({ length: 2_000 }, (_, step) => {
      const latitude = 30.6 + step / 10_000;
      const place = { city: 'Hamilton', latitude, longitude: -97.74 };
      const by = member(4, { gender: 'Female', gender_preference: 'Male', ...place });
      const isNear = milesBetween({ lat: latitude, lon: -97.74 }, shown) <= 50;
      return [isNear, renderRecord(subject('single', home, by))['location']];
    });
    for (const [isNear, text] of texts) expect(text).toBe(isNear ? 'Austin, Texas 78701' : 'Austin, Texas');
    expect(new Set(texts.map(([isNear]) => isNear)).size).toBe(2);
  });

  it('treats the viewer’s own city without a position as near', () => {
    const village = { country: 'KE', city: 'Hintertupfing', state: 'Somewhere', zip: '90119' };
    const shown = member(1, village);
    const locationOf = (state: string) => {
      const by = member(4, { ...village, state, gender: 'Female', gender_preference: 'Male' });
      return renderRecord(subject('search', shown, by))['location'];
    };
    expect(locationOf('Somewhere')).toBe('Hintertupfing, Somewhere 90119');
    expect(locationOf('Elsewhere')).toBe('Hintertupfing, Somewhere');
  });
});

/** An object that notes which of its properties are read. */
const watched = <Watched extends object>(one: Watched, read: Set<string>, within = ''): Watched =>
  new Proxy(one, {
    get(object, name) {
      read.add(`${within}${String(name)}`);
      return Reflect.get(object, name) as unknown;
    },
  });

describe('a search record', () => {
  it('depends only on the parts and fields that a page of results reads', () => {
    const [parts, read] = [new Set<string>(), new Set<string>()];
    const watch = (one: Member) => {
      const photos = one.photos.map((each) => watched(each, parts, 'photos.'));
      return watched({ ...one, photos, fields: watched(one.fields, read) }, parts);
    };
    const looks = watch({ ...viewer, siteid: 2 });
    const photoAddress = createPhotoAddresses('http://api.test', ['a secret'], () => now).of(viewer._id);
    const shown = [
      full,
      member(5, { display_name_preference: 'firstname', city: 'Dallas', latitude: 1, longitude: 1 }),
      member(6, { country: 'DE' }, {}, 3),
      member(7, { world_plus: 'opted_in' }),
      member(8, {}, { photos: [photo(1, { primary: true }), photo(2, {}), photo(3, {})] }),
    ];
    for (const relation of [relationOf(), mutual]) {
      for (const one of shown.map(watch)) {
        for (const purpose of ['search', 'profile', 'thread'] as const) {
          refusalOf({ sites, clock: () => now }, { viewer: looks, other: one, relation, purpose });
        }
        localeOf(looks, siteBy(looks.siteid));
        const presence = presenceOf(one, undefined, now);
        renderRecord(subject('search', one, looks, { relation, presence, photoAddress }));
      }
    }
    expect([...read].sort()).toEqual(fieldsOfSearchRecords.toSorted());
    expect([...parts].sort()).toEqual([...partsOfSearchRecords, 'fields', 'photos'].sort());
  });
});

const photo = (id: number, parts: Partial<Photo>): Photo => ({
  id,
  stem: `stem-of-photo-number-${id}`,
  extension: '.jpg',
  sizes: [1600, 800, 1000, 500, 250],
  status: 'approved',
  primary: false,
  order: id,
  added_at: new Date(now.getTime() + id),
  ...parts,
});

const view = (photos: Photo[], isOwn: boolean) => {
  const shown = subject(isOwn ? 'self' : 'search', { ...full, photos }, viewer);
  const { photo_pending, photo_primary, photo: object } = renderRecord(shown);
  return { photo_pending, photo_primary, photo: object };
};

describe('the photo', () => {
  const none = { photo_pending: false, photo_primary: false, photo: { urlstem: '', extension: '' } };

  it('is the primary one for everyone, with every size', () => {
    const shown = view([photo(1, {}), photo(2, { primary: true })], false);
    expect(shown).toEqual({
      photo_pending: false,
      photo_primary: true,
      photo: {
        id: 2,
        urlstem: 'http://api.test/photos/name-of-photo-2',
        extension: '.jpg',
        max1600: '_1600',
        max800: '_800',
        square1000: '_1000',
        square500: '_500',
        square250: '_250',
      },
    });
  });

  it('falls back to the legacy sizes', () => {
    const { photo: shown } = view([photo(1, { primary: true, sizes: [400, 150] })], false);
    expect(shown).toMatchObject({ max1600: '_400', square500: '_400', square250: '_150' });
  });

  it('without a primary one is the oldest own photo, and none for others', () => {
    const photos = [
      photo(1, { status: 'rejected' }),
      photo(2, { status: 'deleted' }),
      photo(4, {}),
      photo(3, { status: 'pending' }),
    ];
    expect(view(photos, true)).toMatchObject({ photo_pending: true, photo_primary: false, photo: { id: 3 } });
    expect(view(photos, false)).toEqual(none);
    expect(view([], true)).toEqual(none);
  });
});

/** Degrees that no other value contains by chance, as whole ones are in ids. */
const degrees = (max: number) =>
  fc.double({ min: 10.000001, max, noNaN: true }).filter((each) => !Number.isInteger(each));

/** Texts of which each occurs once and in no other one, also where fast-check draws the same twice. */
const markers = (stem: string, count: number) =>
  fc
    .array(fc.uuid(), { minLength: count, maxLength: count })
    .map((ids) => ids.map((id, at) => `${stem}-${at}-${id}`));
describe('privacy', () => {
  const secrets = fc.record({
    first_name: fc.string({ minLength: 1 }),
    last_name: fc.string({ minLength: 1 }),
    country: fc.constantFrom('US', 'DE'),
    agefrom: fc.integer({ min: 18, max: 120 }),
    latitude: fc.double({ min: -90, max: 90, noNaN: true }),
    longitude: fc.double({ min: -180, max: 180, noNaN: true }),
    headline: fc.string(),
    income: fc.constantFrom(10, 20, 30),
    q_nerves: fc.string(),
    display_name_preference: fc.constantFrom('nickname', 'firstname'),
  });

  it('sends no own field to others, and nothing outside the table', () => {
    fc.assert(
      fc.property(
        secrets,
        fc.dictionary(fc.constantFrom('headline', 'about_me', 'city', 'username'), fc.string()),
        fc.constantFrom<RecordUse>('single', 'search'),
        (fields, pending, use) => {
          const shown = member(1, fields, { ...paying, pending });
          const record = renderRecord(subject(use, shown, viewer));
          const names = Object.keys(record);
          expect(names.filter((name) => !expected[use].includes(name))).toEqual([]);
          expect(names.filter((name) => selfOnly.includes(name))).toEqual([]);
          expect(JSON.stringify(record)).not.toContain('secret@example.org');
          const own = Object.keys(renderRecord(subject('self', shown, shown)));
          expect(own.filter((name) => !expected.self.includes(name))).toEqual([]);
        },
      ),
      fuzzing(),
    );
  });

  /** Catalogue texts that the record shows to others; all the others are for the questions of a profile only. */
  const shownTexts = new Set(['headline', 'about_me', 'city', 'state', 'zip', 'username']);
  const texts = fields
    .filter(({ name, kind }) => kind === 'text' && isStoredField(name))
    .map(({ name }) => name);

  it('sends no value of own fields to others, whatever the member filled in', () => {
    const hidden = texts.filter((name) => !shownTexts.has(name));
    expect(hidden.length).toBeGreaterThan(60);
    fc.assert(
      fc.property(
        markers('kept', texts.length),
        markers('waiting', 4),
        fc.record({
          latitude: degrees(89),
          longitude: degrees(179),
        }),
        fc.constantFrom<RecordUse>('single', 'search'),
        fc.constantFrom('nickname', 'firstname'),
        (values, waiting, position, use, display_name_preference) => {
          const filled = Object.fromEntries(texts.map((name, at) => [name, values[at]]));
          const [headline = '', about_me = '', city = '', username = ''] = waiting;
          const shown = member(
            1,
            { ...filled, ...position, display_name_preference },
            {
              pending: { headline, about_me, city, username },
              affiliateid: 'affiliate-of-the-test',
              subid: 'subid-of-the-test',
              reason_id: 987_654,
              flags: { headline: ['email'] },
            },
          );
          const sent = JSON.stringify(renderRecord(subject(use, shown, viewer)));
          // The display name may be the first name, that is what the preference is for.
          const mayShow = display_name_preference === 'firstname' ? ['first_name'] : [];
          const secret = hidden.filter((name) => !mayShow.includes(name)).map((name) => filled[name] ?? '');
          const numbers = Object.values(position).map((degrees) => JSON.stringify(degrees));
          const others = ['affiliate-of', 'subid-of', '987654', '1990-06-15', ...waiting, ...numbers];
          expect([...secret, ...others].filter((text) => sent.includes(text))).toEqual([]);
          const own = JSON.stringify(renderRecord(subject('self', shown, shown)));
          for (const text of [...waiting, filled['last_name'] ?? '', ...numbers]) expect(own).toContain(text);
        },
      ),
      fuzzing(),
    );
  });
});
