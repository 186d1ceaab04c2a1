import { until } from '@covalence/testing/until';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { manual, meanwhile, path, startModeration, type Moderation, why } from '../../support/moderation.ts';

let service: Moderation['service'];
let ann: Moderation['ann'];
let bob: Moderation['bob'];
let live: Moderation['live'];
let own: Moderation['own'];
let entryOf: Moderation['entryOf'];
let entries: Moderation['entries'];
let actions: Moderation['actions'];
let notifiedOf: Moderation['notifiedOf'];
beforeAll(async () => {
  ({ service, ann, bob, live, own, entryOf, entries, actions, notifiedOf } =
    await startModeration('mod-texts'));
});
afterAll(() => service.close());

describe('texts', () => {
  it('wait beside the current text, and become current or are dropped', async () => {
    const member = await service.register({ ...manual, headline: 'The first one' });
    await ann.post(path(member, 'approve')).expect(200);
    expect(await entryOf('text', member)).toBeUndefined();
    await member.post('/members/self', { headline: 'The second headline' }).expect(200);
    expect(await entryOf('text', member)).toMatchObject({
      kind: 'text',
      texts: [{ field: 'headline', current: 'The first one', proposed: 'The second headline', flags: [] }],
    });
    const { body } = await ann.post(path(member, 'texts/headline/approve'));
    expect(body).toMatchObject({ id: member.id, field: 'headline', changed: true });
    expect(await own(member)).toMatchObject({ headline: 'The second headline' });
    expect(await own(member)).not.toHaveProperty('headline_moderated');
    expect((await ann.post(path(member, 'texts/headline/approve'))).body.changed).toBe(false);

    await member.post('/members/self', { about_me: 'A description. '.repeat(8) }).expect(200);
    await bob.post(path(member, 'texts/aboutme/reject'), { reason: 'dull' }).expect(200);
    expect(await own(member)).toMatchObject({ about_me: '' });
    expect(await own(member)).not.toHaveProperty('about_me_moderated');
    expect(await entryOf('text', member)).toBeUndefined();
    expect(await entries(member)).toMatchObject([
      { action: 'reject-text', field: 'about_me', reason: 'dull', staff_id: bob.memberId },
      { action: 'approve-text', field: 'headline', reason: null },
      { action: 'approve' },
    ]);
    await until('the member is told', () => notifiedOf(member).length === 3);
    expect(notifiedOf(member).slice(1)).toEqual([
      { subject: 'text', decision: 'approved', field: 'headline' },
      { subject: 'text', decision: 'rejected', field: 'about_me' },
    ]);
    expect(JSON.stringify(live)).not.toMatch(/second headline|A description|dull/);
  });

  it('that changed after staff saw them are not approved', async () => {
    const member = await service.register(manual);
    await member.post('/members/self', { headline: 'A nice headline' }).expect(200);
    const entry = await entryOf('text', member);
    const [text] = (entry?.['texts'] ?? []) as { revision: string }[];
    await member.post('/members/self', { headline: 'A nasty headline' }).expect(200);
    const late = await ann.post(path(member, 'texts/headline/approve'), { revision: text?.revision });
    expect({ status: late.status, body: late.body }).toEqual({ status: 409, body: { fail: 'Conflict' } });
    expect(await own(member)).toMatchObject({ headline: '', headline_moderated: 'A nasty headline' });
    expect(await actions(member)).toEqual([]);
  });

  const place = { latitude: 30.26, longitude: -97.74 };
  const lincoln = {
    state: 'Nebraska',
    latitude: expect.closeTo(40.8, 0),
    longitude: expect.closeTo(-96.7, 0),
  };
  it.each<[string, object, object]>([
    ['takes its place along', { city: 'Lincoln' }, { ...lincoln, zip: '' }],
    [
      'keeps the coordinates that came with it',
      { city: 'Haymarket', latitude: 40.81, longitude: -96.71 },
      { ...lincoln, latitude: 40.81, longitude: -96.71 },
    ],
    [
      'keeps the postal code that came with it',
      { city: 'Haymarket', zip: '68502' },
      { ...lincoln, zip: '68502' },
    ],
    [
      'keeps the state that came with it',
      { city: 'Portland', state: 'Maine' },
      { city: 'Portland', state: 'Maine', latitude: expect.closeTo(43.66, 1) },
    ],
    [
      'keeps the country that came with it',
      { city: 'München', country: 'DE', zip: '80331' },
      { city: 'München', state: 'Bavaria', country: 'DE', zip: '80331', latitude: expect.closeTo(48.1, 0) },
    ],
    [
      'that nobody knows is without coordinates',
      { city: 'Hintertupfing' },
      { city: 'Hintertupfing', latitude: null, longitude: null },
    ],
  ])('a city that is approved %s', async (_name, update, expected) => {
    const member = await service.register({ ...manual, ...place });
    await member.post('/members/self', update).expect(200);
    expect((await own(member))['city_moderated']).toBe((update as { city: string }).city);
    await ann.post(path(member, 'texts/city/approve')).expect(200);
    expect(await own(member)).toMatchObject({ city: (update as { city: string }).city, ...expected });
  });

  it('coordinates and postal codes sent after a waiting city stay', async () => {
    const member = await service.register({ ...manual, ...place });
    await member.post('/members/self', { city: 'Lincoln' }).expect(200);
    await member.post('/members/self', { zip: '10007' }).expect(200);
    // Also through an update that is about something else.
    await member.post('/members/self', { i_art: 20 }).expect(200);
    await ann.post(path(member, 'texts/city/approve')).expect(200);
    expect(await own(member)).toMatchObject({
      city: 'Lincoln',
      zip: '10007',
      latitude: expect.closeTo(40.71, 1),
    });
  });

  it('an unchanged city, or one that the rest of the place implies, does not wait', async () => {
    const springfield = { country: 'US', city: 'Springfield', state: 'Illinois', zip: '62701' };
    const member = await service.register({ ...manual, ...springfield });
    const settled = async (update: object, expected: object) => {
      await member.post('/members/self', update).expect(200);
      expect(await own(member)).toMatchObject({ ...update, ...expected });
      expect(await own(member)).not.toHaveProperty('city_moderated');
    };
    const other = { city: 'Springfield', state: 'Massachusetts' };
    await settled(other, { zip: '', longitude: expect.closeTo(-72.6, 1) });
    await settled({ city: 'Athens', zip: '30601' }, { state: 'Georgia' });
    await settled({ country: 'GR', city: 'Athens' }, { state: 'Attica', latitude: expect.closeTo(38, 1) });
  });

  it('a rejected city changes nothing', async () => {
    const place = { latitude: 30.26, longitude: -97.74 };
    const member = await service.register({ ...manual, ...place });
    await member.post('/members/self', { city: 'Lincoln' }).expect(200);
    await ann.post(path(member, 'texts/city/reject'), why).expect(200);
    expect(await own(member)).toMatchObject({ city: 'Austin', ...place });
  });
});

const rename = async () => {
  const member = await service.register(manual);
  const username = `${member.username}New`;
  await member.post('/members/self', { username }).expect(200);
  return { member, username };
};
const nameCalls = (from: number) =>
  service.auth.calls.slice(from).filter((call) => call.includes('username'));

describe('usernames', () => {
  it('become the login name with the approval', async () => {
    const { member, username } = await rename();
    const from = service.auth.calls.length;
    await ann.post(path(member, 'texts/username/approve')).expect(200);
    expect(nameCalls(from)).toEqual(['apply-username']);
    expect(service.auth.accounts.get(member.memberId)?.username).toBe(username);
    expect(await own(member)).toMatchObject({ username });
  });

  it('release their claim with the rejection', async () => {
    const { member } = await rename();
    const from = service.auth.calls.length;
    await ann.post(path(member, 'texts/username/reject'), why).expect(200);
    expect(nameCalls(from)).toEqual(['claim-username']);
    expect(service.auth.accounts.get(member.memberId)?.username).toBe(member.username);
    expect(await own(member)).toMatchObject({ username: member.username });
    expect(await own(member)).not.toHaveProperty('username_moderated');
  });

  it('stay in the queue while the auth service fails', async () => {
    const { member, username } = await rename();
    service.auth.failNext('apply-username');
    const failed = await ann.post(path(member, 'texts/username/approve'));
    expect(failed.status).toBeGreaterThanOrEqual(500);
    expect(await entryOf('text', member)).toBeDefined();
    expect(await actions(member)).toEqual([]);
    await ann.post(path(member, 'texts/username/approve')).expect(200);
    expect(await own(member)).toMatchObject({ username });
  });

  it('approved and rejected at once end equal in both services', async () => {
    for (let time = 0; time < 5; time += 1) {
      const { member } = await rename();
      await Promise.all([
        ann.post(path(member, 'texts/username/approve')),
        bob.post(path(member, 'texts/username/reject'), why),
      ]);
      expect(await actions(member)).toHaveLength(1);
      const { username } = await own(member);
      expect(service.auth.accounts.get(member.memberId)?.username).toBe(username);
    }
  });
});

describe('contact data', () => {
  const about = `${'I like long walks. '.repeat(6)}Write to jane at gmail dot com`;

  it('waits for review on sites that review automatically, and nothing else does', async () => {
    const member = await service.register();
    await member.post('/members/self', { about_me: about, headline: 'A clean headline' }).expect(200);
    expect(await own(member)).toMatchObject({
      userstatus: 'approved',
      headline: 'A clean headline',
      about_me: '',
      about_me_moderated: about,
    });
    expect(await entryOf('text', member, { flagged: 'true' })).toMatchObject({
      flagged: true,
      texts: [{ field: 'about_me', proposed: about, flags: ['email'] }],
    });
    expect(await entryOf('text', member, { flagged: 'false' })).toBeUndefined();
    await ann.post(path(member, 'texts/about_me/approve')).expect(200);
    expect(await own(member)).toMatchObject({ about_me: about });
    expect(await entryOf('text', member)).toBeUndefined();
    // Looked at once: the same text is not put before a person again.
    await member.post('/members/self', { about_me: about, i_art: 20 }).expect(200);
    expect(await own(member)).toMatchObject({ about_me: about });
    expect(await entryOf('text', member)).toBeUndefined();
  });

  it('leaves the queue when the member withdraws it', async () => {
    const member = await service.register();
    await member.post('/members/self', { headline: 'Call +1 512 477 8468' }).expect(200);
    expect(await entryOf('text', member)).toBeDefined();
    await member.post('/members/self', { headline: 'A clean headline' }).expect(200);
    expect(await own(member)).toMatchObject({ headline: 'A clean headline' });
    expect(await own(member)).not.toHaveProperty('headline_moderated');
    expect(await entryOf('text', member)).toBeUndefined();
  });

  it('in a current text is flagged, and removed by a rejection', async () => {
    const member = await service.register();
    await member.post('/members/self', { first_name: 'see www.example.com/me' }).expect(200);
    expect(await entryOf('text', member)).toMatchObject({
      texts: [{ field: 'first_name', current: 'see www.example.com/me', proposed: null, flags: ['link'] }],
    });
    await ann.post(path(member, 'texts/first-name/reject'), { reason: 'link' }).expect(200);
    expect((await service.context.members.store.byId(member.id))?.fields).not.toHaveProperty('first_name');
    expect(await entryOf('text', member)).toBeUndefined();
  });

  it('instead of a postal code is flagged; a postal code of its country is not', async () => {
    const registered = await service.register({ zip: '512-477-8468' });
    expect(await entryOf('text', registered)).toMatchObject({
      texts: [{ field: 'zip', current: '512-477-8468', flags: ['phone'] }],
    });
    await ann.post(path(registered, 'texts/zip/reject'), { reason: 'phone' }).expect(200);
    expect(await own(registered)).toMatchObject({ zip: '' });
    const honest = await service.register({ zip: '78701-1234' });
    expect(await entryOf('text', honest)).toBeUndefined();
  });

  it('in an answer that changes meanwhile is not approved unseen', async () => {
    const member = await service.register();
    await member.post('/members/self', { q_lessons: 'see www.example.com/me' }).expect(200);
    meanwhile(service, member, () =>
      member.post('/members/self', { q_lessons: 'see www.example.org/it' }).expect(200),
    );
    await ann.post(path(member, 'texts/q-lessons/approve')).expect(409);
    expect(await entryOf('text', member)).toMatchObject({
      texts: [{ current: '', proposed: 'see www.example.org/it', flags: ['link'] }],
    });
  });

  it('at registration waits beside an approved profile, else is reviewed with the profile', async () => {
    const automatic = await service.register({ headline: 'insta: jane_doe' });
    expect(await own(automatic)).toMatchObject({
      userstatus: 'approved',
      headline: '',
      headline_moderated: 'insta: jane_doe',
    });
    expect(await entryOf('text', automatic)).toMatchObject({ flagged: true });

    const waiting = await service.register({ ...manual, headline: 'insta: jane_doe' });
    expect(await entryOf('profile', waiting, { flagged: 'true' })).toMatchObject({
      flags: { headline: ['handle'] },
      texts: { headline: 'insta: jane_doe' },
    });
    expect(await entryOf('text', waiting)).toBeUndefined();
    await ann.post(path(waiting, 'approve')).expect(200);
    expect(await own(waiting)).toMatchObject({ headline: 'insta: jane_doe' });
    expect(await entryOf('text', waiting)).toBeUndefined();
  });
});
