import { until } from '@covalence/testing/until';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import request from 'supertest';
import { releaseMessages } from '../../../src/messages/release-messages.ts';
import type { TestMember } from '../../harness.ts';
import { banned, jpegOf, photoOf, type BannedMember } from '../../support/banned.ts';
import { messaging, platinum, say, texts } from '../../support/messaging.ts';
import { path, startModeration, type Moderation, why } from '../../support/moderation.ts';

const automatic = 1;
const manual = 2;

let all: Moderation;
let service: Moderation['service'];
let ann: Moderation['ann'];
beforeAll(async () => {
  all = await startModeration('banned-returns');
  ({ service, ann } = all);
});
afterAll(() => service.close());

const text = (value: unknown) => JSON.stringify(value);

/** The value without names, numbers and times, which differ for every member. */
function toldBy(value: unknown): unknown {
  const own = /"(id|member_id|username|display_name|email|email_moderated|code)":("[^"]*"|\d+)/g;
  return JSON.parse(
    text(value)
      .replaceAll(own, '"$1":"…"')
      .replaceAll(/"since_active":\d+/g, '"since_active":0')
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '…')
      // A public address has a random name; one that is signed would look another way.
      .replaceAll(/\/photos\/[\w-]{32}(?=["_])/g, '/photos/…')
      .replaceAll(/\/photos\/private\/\d+-\d+-\d+-[\w-]{43}/g, '/photos/private/…'),
  );
}

const withoutOther = ({ profileid: _other, ...message }: { readonly profileid: number }) => message;

/** A thread as one of the two sees it. */
const thread = async (member: TestMember, other: TestMember) =>
  toldBy((await member.get(`/messages/${other.id}`).expect(200)).body.messages.map(withoutOther));

const toldOf = (member: TestMember) =>
  all.live.filter(({ type, data }) => type === 'message.sent' && text(data).includes(`:${member.id},`));

/** The calls to auth and to the stores that a request makes. */
async function callsOf(make: () => Promise<unknown>) {
  const { bans, store } = service.context.members;
  const spies = [
    jest.spyOn(bans.store, 'ofMac'),
    jest.spyOn(bans.store, 'photosSince'),
    jest.spyOn(bans.store, 'among'),
    jest.spyOn(store, 'insert'),
    jest.spyOn(store, 'change'),
    jest.spyOn(service.context.photos.uploads, 'begin'),
  ];
  const before = service.auth.calls.length;
  await make();
  const calls = spies.map((spy) => spy.mock.calls.length);
  for (const spy of spies) spy.mockRestore();
  return [...service.auth.calls.slice(before), ...calls];
}

const headersOf = (answer: request.Response) => Object.keys(answer.headers).toSorted();

const withoutLooks = (seen: unknown) => text(seen).replaceAll(/"(blurhash|color)":"[^"]*"/g, '"$1":"…"');

/** An upload as its member sees it, and the calls that it makes. */
async function upload(member: TestMember, image: Buffer) {
  let body = {};
  const calls = await callsOf(async () => {
    ({ body } = await member.upload(image).expect(200));
  });
  return [withoutLooks(toldBy(body)), calls];
}

/** The calls that a change of the email address makes. */
const change = (member: TestMember, email: string) =>
  callsOf(() => member.post('/members/self', { email }).expect(200, {}));

const eventsOf = (member: TestMember) => {
  const own = all.live.filter((event) => event.member === member.id);
  return own.map(({ type, data }) => text({ type, data: { ...data, photo: '…' } }));
};

/** Everything that a member reads of themselves. */
async function seenBy(member: TestMember) {
  const paths = ['/users/self', '/photo', '/members/self/activity', '/messages', '/members/self/export'];
  const answers = [];
  for (const each of paths) {
    const { status, body } = await member.get(each);
    answers.push([each, status, body]);
  }
  return toldBy(answers);
}

const viewerOn = (siteid: number) => service.register({ siteid, gender: 'Female', genderpreference: 'Male' });

const refusal = async (viewer: TestMember, other: TestMember) => {
  const asked = { profileid: other.id };
  const answers = await Promise.all([
    viewer.get(`/users/${other.id}`),
    viewer.get(`/photo?profileid=${other.id}`),
    viewer.post('/like', asked),
    viewer.post('/messages', { ...asked, text: 'Hello' }),
  ]);
  return answers.map(({ status, body }) => [status, body.failcode]);
};

const isIndexed = async ({ id }: TestMember) =>
  (await service.internal('/internal/projections', { ids: [id] }).expect(200)).body.projections[0].visible;

describe.each([
  ['reviews automatically', automatic],
  ['reviews by hand', manual],
])('on a site that %s, a registration with a banned address', (_review, siteid) => {
  let grifter: BannedMember;
  beforeAll(async () => {
    grifter = await banned(all, { siteid });
  });

  it('is answered as any other, after the same calls', async () => {
    const clean = await service.tryRegister({ siteid }).expect(200);
    const dirty = await service.tryRegister({ siteid, email: grifter.spelling() }).expect(200);
    expect(headersOf(dirty)).toEqual(headersOf(clean));
    expect(toldBy(dirty.body)).toEqual(toldBy(clean.body));
    const calls = await callsOf(() => service.register({ siteid, email: grifter.spelling() }));
    expect(calls).toEqual(await callsOf(() => service.register({ siteid })));
  });

  it('makes a member who sees the same of themselves as any other, in answers, export and live updates', async () => {
    const clean = await service.register({ siteid, headline: 'Hello there' });
    const dirty = await service.register({ siteid, headline: 'Hello there', email: grifter.spelling() });
    for (const member of [clean, dirty]) {
      await member.upload(await jpegOf(7_000)).expect(200);
      await member.post('/members/self', { headline: 'Better in person' }).expect(200);
    }
    const [seen, expected] = [await seenBy(dirty), await seenBy(clean)];
    expect(text(seen)).toContain('Better in person');
    expect(seen).toEqual(expected);
    await until('live updates of both', () => {
      const [one, other] = [eventsOf(dirty), eventsOf(clean)];
      return one.length > 0 && one.length === other.length;
    });
    expect(eventsOf(dirty)).toEqual(eventsOf(clean));
  });

  it('makes a member whom staff find flagged, and nobody else before they approve', async () => {
    const dirty = await service.register({ siteid, email: grifter.spelling() });
    const viewer = await viewerOn(siteid);
    const entry = await all.entryOf('profile', dirty, { flagged: 'true' });
    expect(entry).toMatchObject({ flagged: true, flags: { email: ['banned'] } });
    expect(await isIndexed(dirty)).toBe(false);
    const code = siteid === manual ? 80062 : 80061;
    const refused = [403, [code]];
    expect((await refusal(viewer, dirty)).slice(0, 3)).toEqual([refused, refused, refused]);
    const { revision } = entry ?? {};
    const { body } = await ann.post(path(dirty, 'approve'), { revision }).expect(200);
    expect(body).toMatchObject({ changed: true, userstatus: 'approved' });
    await viewer.get(`/users/${dirty.id}`).expect(200);
    expect(await isIndexed(dirty)).toBe(true);
    expect(await all.entryOf('profile', dirty)).toBeUndefined();
    // A member who seemed to be approved all along is not notified of an approval.
    await until('the view after the approval', () => all.live.some(({ member }) => member === viewer.id));
    expect(all.notifiedOf(dirty)).toHaveLength(siteid === manual ? 1 : 0);
  });
});

it('a banned registration on a site that reviews by hand is refused to others as every new member is', async () => {
  const grifter = await banned(all, { siteid: manual });
  const viewer = await viewerOn(manual);
  const dirty = await service.register({ siteid: manual, email: grifter.spelling() });
  const clean = await service.register({ siteid: manual });
  expect(await refusal(viewer, dirty)).toEqual(await refusal(viewer, clean));
});

describe('a message of a member who waits for staff with a banned address', () => {
  const { patch } = messaging(() => service);
  /** A returned grifter who pays, and somebody to whom he writes. */
  const wooing = async () => {
    const grifter = await banned(all, { siteid: automatic });
    const [dirty, eve] = [
      await service.register({ email: grifter.spelling() }),
      await viewerOn(automatic),
    ] as const;
    await patch(dirty, platinum());
    return [dirty, eve] as const;
  };

  it('reaches nobody before the approval, looks sent as any other, and is delivered then', async () => {
    const [dirty, eve] = await wooing();
    const [clean, mary] = [await service.register(), await viewerOn(automatic)];
    await patch(clean, platinum());
    for (const [from, to] of [
      [dirty, eve],
      [clean, mary],
    ] as const) {
      await say(from, to, 'Hello', 'm-1').expect(200);
      await say(from, to, 'Hello', 'm-1').expect(200);
      await say(from, to, 'Are you there?').expect(200);
    }
    expect(await thread(dirty, eve)).toEqual(await thread(clean, mary));
    expect((await dirty.get('/members/self/export').expect(200)).body.messages).toHaveLength(1);
    expect(await releaseMessages(service.context)).toBe(0);
    const { body: before } = await eve.get('/messages').expect(200);
    expect(before).toMatchObject({ threads: [], unread: 0 });
    expect(await texts(eve, dirty)).toEqual([]);
    expect((await eve.get('/members/self/export').expect(200)).body.messages).toEqual([]);
    await until('the update of the other', () => toldOf(mary).length === 2);
    expect(toldOf(eve)).toEqual([]);

    await ann.post(path(dirty, 'approve')).expect(200);
    for (let round = 0; round < 2; round += 1) expect(await releaseMessages(service.context)).toBe(0);
    const { body: after } = await eve.get('/messages').expect(200);
    expect(after).toMatchObject({ unread: 2, threads: [{ profileid: dirty.id, unread: 2 }] });
    expect(await texts(eve, dirty)).toEqual(['Are you there?', 'Hello']);
    await until('the updates', () => toldOf(eve).length === 2);
  });

  it.each(['reject', 'suspend', 'delete'])('is never delivered after a %s', async (action) => {
    const [dirty, eve] = await wooing();
    await say(dirty, eve, 'Hello').expect(200);
    await ann.post(path(dirty, action), why).expect(200);
    expect(await releaseMessages(service.context)).toBe(0);
    expect((await eve.get('/messages').expect(200)).body.threads).toEqual([]);
  });

  it('is never delivered to a member who blocked the sender meanwhile', async () => {
    const [dirty, eve] = await wooing();
    await say(dirty, eve, 'Hello').expect(200);
    await eve.post('/block', { profileid: dirty.id }).expect(200);
    await ann.post(path(dirty, 'approve')).expect(200);
    expect(await releaseMessages(service.context)).toBe(0);
    await eve.post('/unblock', { profileid: dirty.id }).expect(200);
    expect(await releaseMessages(service.context)).toBe(0);
    expect((await eve.get('/messages').expect(200)).body).toMatchObject({ threads: [], unread: 0 });
  });
});

describe('a change of the email address to a banned one', () => {
  it('is answered as any other, keeps the member from others until approved, and does not tell', async () => {
    const grifter = await banned(all, { siteid: automatic });
    const [dirty, clean, viewer] = [
      await service.register(),
      await service.register(),
      await viewerOn(automatic),
    ];
    expect(await change(dirty, grifter.spelling())).toEqual(await change(clean, 'fresh-address@example.org'));
    expect(await seenBy(dirty)).toEqual(await seenBy(clean));
    await viewer.get(`/users/${clean.id}`).expect(200);
    expect((await viewer.get(`/users/${dirty.id}`).expect(403)).body.failcode).toEqual([80061]);
    expect(await isIndexed(dirty)).toBe(false);
    expect(await all.entryOf('profile', dirty)).toMatchObject({ flags: { email: ['banned'] } });
    await ann.post(path(dirty, 'approve')).expect(200);
    await viewer.get(`/users/${dirty.id}`).expect(200);
  });

  it('counts where the call fails after the auth service has the address', async () => {
    const grifter = await banned(all, { siteid: automatic });
    const dirty = await service.register();
    const { store } = service.context.members;
    const change = store.change.bind(store);
    const spy = jest.spyOn(store, 'change').mockImplementation((...input) => {
      if (service.auth.calls.includes('change-email')) throw new Error('the process ends here');
      return change(...input);
    });
    service.auth.calls.length = 0;
    await dirty.post('/members/self', { email: grifter.spelling() }).expect(500);
    spy.mockRestore();
    expect(await isIndexed(dirty)).toBe(false);
  });

  it('also keeps a connection from writing to and reading of the member', async () => {
    const grifter = await banned(all, { siteid: automatic });
    const [dirty, friend] = [await service.register(), await viewerOn(automatic)];
    await dirty.post('/like', { profileid: friend.id }).expect(200);
    await friend.post('/like', { profileid: dirty.id }).expect(200);
    await dirty.post('/messages', { profileid: friend.id, text: 'Hello' }).expect(200);
    await dirty.post('/members/self', { email: grifter.spelling() }).expect(200);
    expect((await friend.get('/messages').expect(200)).body.threads[0].user).toBeNull();
    expect((await friend.get('/members/self/activity').expect(200)).body.connections_total).toBe(0);
  });
});

describe('the upload of a banned photo', () => {
  let grifter: BannedMember;
  let copy: Buffer;
  beforeAll(async () => {
    grifter = await banned(all, { siteid: automatic });
    copy = await photoOf(grifter.seed).resize({ width: 300 }).flop().jpeg({ quality: 70 }).toBuffer();
  });

  it.each([automatic, manual])(
    'is answered on site %i as any other, after the same calls, and leaves the same to its owner',
    async (siteid) => {
      await banned(all, { siteid: manual });
      const [dirty, clean] = [await service.register({ siteid }), await service.register({ siteid })];
      const other = await photoOf(8_000 + siteid)
        .resize({ width: 300 })
        .jpeg({ quality: 70 })
        .toBuffer();
      expect(await upload(dirty, copy)).toEqual(await upload(clean, other));
      expect(withoutLooks(await seenBy(dirty))).toEqual(withoutLooks(await seenBy(clean)));
    },
  );

  it('shows the photo to nobody else before staff approve it, who find it flagged', async () => {
    const [dirty, viewer] = [await service.register(), await viewerOn(automatic)];
    const { body: photo } = await dirty.upload(copy).expect(200);
    const stored = await service.context.members.store.byPhoto(photo.id);
    // An address that is signed for the viewer, as of a private photo.
    const address = new URL(service.context.records.photoAddresses.of(viewer.id)({}, photo)).pathname;
    const seen = async () => {
      const [{ body: record }, { body: list }, { body: projection }, file] = [
        await viewer.get(`/users/${dirty.id}`).expect(200),
        await viewer.get(`/photo?profileid=${dirty.id}`).expect(200),
        await service.internal('/internal/projections', { ids: [dirty.id] }),
        await request(service.app).get(`${address}_800.jpg`),
      ];
      const { photo_count, photo: shown } = record;
      return [photo_count, shown.urlstem !== '', list.length, projection.projections[0].photo, file.status];
    };
    expect(stored?.photos).toMatchObject([{ status: 'approved', suspected: true }]);
    expect(await seen()).toEqual([0, false, 0, false, 404]);
    const entry = await all.entryOf('photo', dirty, { flagged: 'true' });
    expect(entry).toMatchObject({ flags: { photo: ['banned'] }, photos: [{ id: photo.id, flagged: true }] });
    await ann.post(`/staff/photos/${photo.id}/approve`).expect(200);
    expect(await seen()).toEqual([1, true, 1, true, 200]);
    expect(await all.entryOf('photo', dirty)).toBeUndefined();
    expect(all.notifiedOf(dirty)).toEqual([]);
  });

  it('leaves the next photo to stand for the member', async () => {
    const [dirty, viewer] = [await service.register(), await viewerOn(automatic)];
    await dirty.upload(copy).expect(200);
    const { body: other } = await dirty.upload(await jpegOf(9_000)).expect(200);
    const { body } = await viewer.get(`/users/${dirty.id}`).expect(200);
    expect(body).toMatchObject({ photo: { id: other.id }, photo_primary: true, photo_count: 1 });
  });

  it('ends by a rejection, of which the member is told', async () => {
    const dirty = await service.register();
    const { body: photo } = await dirty.upload(copy).expect(200);
    await ann.post(`/staff/photos/${photo.id}/reject`, why).expect(200);
    await until('the notification', () => all.notifiedOf(dirty).length === 1);
    expect((await dirty.get('/photo').expect(200)).body).toEqual([]);
  });
});
