import { clearedFields, fieldSchemas, requiredFields } from '../catalogue-schemas.ts';
import type { EndpointDocuments } from '../endpoint-document.ts';
import { locale, platform, profileidInPath, siteid } from '../parameters.ts';
import { ownRecord, registeredRecord, singleRecord } from '../samples.ts';
import { clearedKeyword, ref, typesKeyword } from '../schema.ts';

const credentials = {
  client_id: { type: 'string', description: 'Your app.' },
  client_secret: { type: 'string', description: 'Your app’s secret.' },
  platform: platform.schema ?? {},
  siteid: {
    ...siteid.schema,
    description: 'The site to register on; an unknown one is refused without code.',
  },
};

const origin = {
  affiliateid: {
    type: 'string',
    maxLength: 100,
    description: 'Who sent the member; a suspended one is 10701.',
  },
  subid: { type: 'string', maxLength: 100 },
};

/** Registration, the own profile and the profiles of others. */
export const members: EndpointDocuments = {
  'POST /members': {
    tag: 'Members',
    description:
      'Client credentials and site come first (403 without code); then every bad parameter is reported at once; 10101 and 10302 come only where every other parameter is valid. Too many registrations or taken names from one address in an hour are 429. Either `latitude` and `longitude` are given, or `country` with at least one of `city`, `state` and `zip`. The answer is the own record with a `code` that is good for 10 seconds at POST /token. Any other field of the catalogue may be sent too; `null` is what is not given. Names do not care about case, and `-` and `_` are the same.',
    body: {
      type: 'object',
      properties: { ...credentials, ...fieldSchemas('register'), ...origin },
      required: ['client_id', 'client_secret', 'siteid', ...requiredFields],
    },
    example: {
      request: {
        client_id: '3f0e8a52-6f5d-4b6c-9f5e-0f4b7f3f6f10',
        client_secret: 'c2VjcmV0LXNlY3JldC1zZWNyZXQ',
        siteid: 1,
        gender: 'Male',
        gender_preference: 'Female',
        date_of_birth: '09/02/1988',
        username: 'tomh',
        password: 'queues-and-lakes-9',
        email: 'tom@mail.example',
        country: 'US',
        city: 'Lincoln',
        state: 'Nebraska',
        zip: '68502',
      },
      answer: { ...registeredRecord, code: 'eyJhbGciOiJFUzI1NiJ9.eyJqdGkiOiIxIn0.c2lnbmF0dXJl' },
    },
  },
  'POST /members/self': {
    tag: 'Members',
    description:
      'All or nothing. `headline`, `about_me`, `city` and `username` wait for review on sites that review (the record shows them as `…_moderated`). `null` or an empty text clears a trait, a favorite or an answer. `deactivated` true takes effect with the answer: every later call is 403 `Deactivated` until the member signs in again. 10101 and 20502 come only where every other parameter is valid. More than 10 other e-mail addresses or usernames in an hour are 429.',
    body: { type: 'object', properties: fieldSchemas('update'), [clearedKeyword]: clearedFields },
    example: { request: { headline: 'Better in person', online: true, world_plus: 'opted-in' }, answer: {} },
  },
  'DELETE /members/self': {
    tag: 'Members',
    description:
      'Needs a sign-in at most 10 minutes old. Deactivates at once, ends the renewal of a membership, and erases everything 30 days later. Signing in before then, with the credentials entered twice, brings everything back but the renewal.',
    parameters: {
      reason_id: { schema: { type: 'integer' }, description: 'One of /reasons/profile/delete.' },
    },
    example: { request: { reason_id: 1 }, answer: { erased_after: '2026-04-01T10:00:00.000Z' } },
  },
  'GET /members/self/export': {
    tag: 'Members',
    description:
      'Needs a sign-in at most 10 minutes old. Everything that any service stores about the caller as one archive, and of others only what the caller could see; whole, or 503. Counted by the hour: 429 beyond.',
    example: {
      answer: {
        exported_at: '2026-03-02T10:00:00.000Z',
        id: 1001,
        member_id: ownRecord.member_id,
        record: ownRecord,
        profile: { siteid: 1, userstatus: 'approved', fields: { headline: 'Better in person' } },
        photos: [],
        relations: [{ profileid: 1002, covalence: 'liked', mine: { stance: 'liked' } }],
        views: { received: [], made: [] },
        messages: [],
        moderation: { history: [], waiting: {}, flags: {}, reports_about: [], reports_filed: [] },
        account: { username: 'anna', email: 'anna@mail.example' },
        sign_ins: [],
        browser_sessions: [],
        saved_searches: [],
        match_criteria: {},
        origins: [],
        index: null,
        membership: null,
        payments: [],
        ledger: [],
        promo_codes: [],
        live_updates: [],
        push_subscriptions: [],
      },
    },
  },
  'GET /users/:profileid': {
    tag: 'Members',
    description:
      'One profile by number or UUID; `self` or one’s own id is the own record. Counts a view. The codes say why a profile may not be opened. A site may limit the members whose profile or photos are opened in a day (429).',
    parameters: {
      profileid: {
        ...profileidInPath,
        description: 'A member, or `self`.',
        schema: { type: 'string', [typesKeyword]: ['integer', 'string'] },
      },
    },
    answer: ref('MemberRecord'),
    example: { request: { profileid: '1002' }, answer: singleRecord },
  },
  'GET /questions': {
    tag: 'Members',
    description:
      'Every field that the site takes with its possible values. For a member by token; before registration `siteid` names the site (403 without code where it is missing or unknown).',
    parameters: { locale, siteid },
    example: {
      request: { siteid: 1 },
      answer: {
        siteid: 1,
        locale: 'en_US',
        questions: [
          {
            name: 'smoking',
            group: 'basic',
            type: 'choice',
            label: 'Smoking',
            operations: ['register', 'update'],
            required: false,
            moderated: false,
            values: [{ value: 10, label: 'Never' }],
          },
        ],
      },
    },
  },
  'GET /reasons/profile/delete': {
    tag: 'Members',
    description: 'Reasons of which one may come as `reason_id` with `deactivated`.',
    parameters: { locale },
    example: {
      answer: { locale: 'en_US', reasons: [{ reason_id: 1, label: 'I met someone here' }] },
    },
  },
  'GET /recordaffiliatehit': affiliateHit(),
  'POST /recordaffiliatehit': affiliateHit(),
};

function affiliateHit() {
  return {
    tag: 'Members',
    description:
      'Counts a visit by way of an affiliate. `redirect_url` is where to send the visitor instead where the affiliate is suspended (10701), null where they may register. An unknown affiliate is 403 without code.',
    parameters: {
      affiliateid: { schema: { type: 'string' }, description: 'Who sent the visitor.', required: true },
    },
    example: { request: { affiliateid: 'summer-campaign' }, answer: { redirect_url: null } },
  } as const;
}
