import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { likesPerDay, type System } from '../support/system.ts';
import { spoilHistory } from '@covalence/testing/spoil-history';
import { until } from '@covalence/testing/until';
import request from 'supertest';
import sharp from 'sharp';
import { as, male, registerMember, type TestMember } from '../support/members.ts';
import { runEvents } from '../support/commands.ts';
import { openProfileDatabase, type ProfileDatabase } from '../support/profile-database.ts';
import { invalid } from '../support/refusals.ts';
import { tokensBySignIn } from '../support/sign-in.ts';
import { openSocket } from '../support/socket.ts';

/** Messages and notifications between members. */
export function messageCases(system: () => System): void {
  describe('interaction between members', () => {
    let stack: System;
    let nora: TestMember;
    let tom: TestMember;
    const man = (fields: object = {}) => registerMember(stack.url, stack.demo, { ...male, ...fields });
    beforeAll(async () => {
      stack = system();
      [nora, tom] = await Promise.all([registerMember(stack.url, stack.demo), man()]);
    });

    describe('messages, through the gateway only', () => {
      it('refuses messages between strangers without platinum, and delivers them between connections', async () => {
        const [ofNora, ofTom] = [as(stack.url, nora), as(stack.url, tom)];
        const hello = { profileid: tom.id, text: 'Hello Tom', client_message_id: 'n-1' };
        const refused = await ofNora.post('/messages', hello).expect(403);
        expect(refused.body).toEqual(invalid(80008));
        await ofNora.post('/like', { profileid: tom.id }).expect(200);
        await ofTom.post('/like', { profileid: nora.id }).expect(200);
        const liked = await ofNora.get('/members/self/activity/connections').expect(200);
        expect(liked.body.users).toMatchObject([{ id: tom.id, cansendto: 'y' }]);

        const socket = await openSocket(stack.url, tom.tokens.access_token);
        const sent = await ofNora.post('/messages', hello).expect(200);
        const again = await ofNora.post('/messages', hello).expect(200);
        expect(again.body).toEqual(sent.body);
        const frame = await socket.next('message');
        expect(frame.data).toEqual({ profileid: nora.id, messageid: sent.body.id });
        const answer = await ofTom.post('/messages', { profileid: nora.id, text: 'Hello Nora' }).expect(200);
        expect(answer.body).toMatchObject({ sent: true, profileid: nora.id });
        expect(socket.frames.filter(({ type }) => type === 'message')).toHaveLength(1);
        socket.close();
      });

      it('reads, marks and deletes threads for one member alone', async () => {
        const [ofNora, ofTom] = [as(stack.url, nora), as(stack.url, tom)];
        const threads = await ofTom.get('/messages').expect(200);
        expect(threads.body).toMatchObject({
          unread: 1,
          threads: [{ profileid: nora.id, unread: 1, user: { id: nora.id }, last: { text: 'Hello Nora' } }],
        });
        const { body } = await ofTom.get(`/messages/${nora.id}`).expect(200);
        expect(body.messages.map(({ text }: { text: string }) => text)).toEqual(['Hello Nora', 'Hello Tom']);
        await ofTom.post(`/messages/${nora.id}/read`).expect(200, { unread: 0 });
        await ofTom.delete(`/messages/${nora.id}/${body.messages[0].id}`).expect(200, {});
        await ofTom.delete(`/messages/${nora.id}`).expect(200, {});
        expect((await ofTom.get('/messages')).body).toEqual({ threads: [], unread: 0, next: null });
        expect((await ofNora.get('/messages')).body.threads).toHaveLength(1);
      });

      it('hides a member with one call', async () => {
        const { status, body } = await as(stack.url, nora).post('/pass', { profileid: tom.id });
        expect({ status, body }).toEqual({ status: 200, body: {} });
      });
    });

    describe('notifications of two members', () => {
      it('sends the current counters to every device of both members', async () => {
        const carl = await man();
        const [hers, his] = await Promise.all([
          openSocket(stack.url, nora.tokens.access_token),
          openSocket(stack.url, carl.tokens.access_token),
        ]);
        await as(stack.url, carl).post('/like', { profileid: nora.id }).expect(200);
        await hers.next('counters', ({ data }) => data['likedme_total'] === 1);
        await as(stack.url, nora).post('/like', { profileid: carl.id }).expect(200);
        const both = await Promise.all(
          [hers, his].map((socket, index) =>
            socket.next('counters', ({ data }) => data['connections_total'] === 2 - index),
          ),
        );
        const now = await as(stack.url, nora).get('/members/self/activity').expect(200);
        expect(both[0]?.data).toEqual(now.body);
        await as(stack.url, nora).get(`/users/${carl.id}`).expect(200);
        await his.next('counters', ({ data }) => data['views_total'] === 1);
        await as(stack.url, carl).post('/unlike', { profileid: nora.id }).expect(200);
        await hers.next('counters', ({ data }) => data['connections_total'] === 1);
        await as(stack.url, carl).post('/members/self/activity/reset/views').expect(200);
        await his.next('counters', ({ data }) => data['views_since_reset'] === 0);
        for (const socket of [hers, his]) socket.close();
      });

      it('keeps an event that cannot be handled as a dead letter, and delivers it once when replayed', async () => {
        const rita = await registerMember(stack.url, stack.demo);
        const carl = await man();
        const socket = await openSocket(stack.url, rita.tokens.access_token);
        const mend = await spoilHistory(stack, rita.id);
        await as(stack.url, carl).post('/like', { profileid: rita.id }).expect(200);
        const waiting = async () => {
          const { out } = await runEvents(
            stack,
            'show',
            '--queue',
            'updates.live',
            '--type',
            'pair.liked',
            '--json',
          );
          return JSON.parse(out) as { id: string; member: number }[];
        };
        const [letter] = await until(
          'a dead letter',
          async () => (await waiting()).length && waiting(),
          30_000,
        );
        expect(letter).toMatchObject({
          member: carl.id,
          error: expect.stringContaining('WRONGTYPE'),
          tries: 5,
          replays: 0,
        });
        const listed = await runEvents(stack, 'list');
        expect(listed.out).toMatch(
          /^updates\.live: [1-9].*\n(?: {2}.*\n)* {2}1 pair\.liked, rejected: .*WRONGTYPE/m,
        );

        await mend();
        const replayed = await runEvents(stack, 'replay', letter?.id ?? '', '--yes');
        expect(replayed).toMatchObject({ code: 0, out: 'updates.live: 1 replayed\n' });
        const office = stack.demo.staff;
        const staff = as(stack.url, { tokens: await tokensBySignIn(stack.url, office, office) });
        const { body: audit } = await staff.get(`/staff/audit?about=${letter?.id}`).expect(200);
        const call = 'POST /staff/operations/dead-letters/replay';
        expect(audit.entries).toMatchObject([{ call, username: null, about: ['updates.live', letter?.id] }]);
        await socket.next('like', ({ data }) => data['profileid'] === carl.id);
        // Later events are delivered, so a duplicate would have arrived.
        await as(stack.url, await man())
          .post('/like', { profileid: rita.id })
          .expect(200);
        await socket.next('like', ({ data }) => data['profileid'] !== carl.id);
        expect(
          socket.frames.filter(({ data, type }) => type === 'like' && data['profileid'] === carl.id),
        ).toHaveLength(1);
        expect(await waiting()).toEqual([]);
        socket.close();
      });

      it('shows a private photo to a member it is shared with who accepts, until sharing ends', async () => {
        const [ofNora, ofTom] = [as(stack.url, nora), as(stack.url, tom)];
        const image = await sharp({ create: { width: 90, height: 90, channels: 3, background: '#306090' } })
          .png()
          .toBuffer();
        const uploaded = await request(stack.url)
          .post('/photo')
          .set('Authorization', `Bearer ${nora.tokens.access_token}`)
          .field('private', 'true')
          .attach('image', image, 'me.png')
          .expect(200);
        expect(uploaded.body).toMatchObject({ private: true, photo_primary: false });
        expect((await ofTom.get(`/photo?profileid=${nora.id}`).expect(200)).body).toEqual([]);

        const socket = await openSocket(stack.url, tom.tokens.access_token);
        await ofNora.post('/members/self/photosharing', { profileid: tom.id, send: true }).expect(200);
        const frame = await socket.next('photo');
        expect(frame.data).toEqual({ profileid: nora.id });
        socket.close();
        expect((await ofTom.get(`/photo?profileid=${nora.id}`).expect(200)).body).toEqual([]);
        await ofTom.post('/members/self/photosharing', { profileid: nora.id, receive: true }).expect(200, {
          can_share: true,
          can_send_to: false,
          can_receive_from: true,
          receiving_me: false,
        });
        const [photo] = (await ofTom.get(`/photo?profileid=${nora.id}`).expect(200)).body;
        expect(photo).toMatchObject({ id: uploaded.body.id, private: true });
        const file = new URL(`${photo.urlstem}${photo.max800}${photo.extension}`).pathname;
        const got = await request(stack.url)
          .get(file)
          .expect(200)
          .expect('Cache-Control', 'private, no-cache');
        await request(stack.url)
          .get(file)
          .set('If-None-Match', got.headers['etag'] ?? '')
          .expect(304);
        await ofNora.post('/members/self/photosharing', { profileid: tom.id, send: false }).expect(200);
        await request(stack.url)
          .get(file)
          .set('If-None-Match', got.headers['etag'] ?? '')
          .expect(404);
      });
    });

    describe('every code of interactions, messaging and profile access', () => {
      let staff: ReturnType<typeof as>;
      let database: ProfileDatabase;
      beforeAll(async () => {
        const office = stack.demo.staff;
        staff = as(stack.url, { tokens: await tokensBySignIn(stack.url, office, office) });
        database = await openProfileDatabase(stack);
      });
      afterAll(() => database?.close());

      const decide = (member: TestMember, action: string, body: object = {}) =>
        staff.post(`/staff/members/${member.id}/${action}`, body).expect(200);
      /** A member in a given state towards nora. */
      const others: Record<string, () => Promise<{ id: number }>> = {
        herself: () => Promise.resolve(nora),
        'a woman': () => registerMember(stack.url, stack.demo),
        'a deleted man': async () => {
          const other = await man();
          await decide(other, 'delete', { reason: 'gone' });
          return other;
        },
        'one who blocked her': async () => {
          const other = await man();
          await as(stack.url, other).post('/block', { profileid: nora.id }).expect(200);
          return other;
        },
        'one whom she blocked': async () => {
          const other = await man();
          await as(stack.url, nora).post('/block', { profileid: other.id }).expect(200);
          return other;
        },
        'a hidden man': async () => {
          const other = await man();
          await as(stack.url, other).post('/members/self', { searchable: false }).expect(200);
          return other;
        },
        'a man of another group': () => man({ siteid: 3 }),
        'a stranger': () => man(),
        nobody: () => Promise.resolve({ id: 987_654_321 }),
        'a suspended connection': async () => {
          const other = await man();
          await as(stack.url, other).post('/like', { profileid: nora.id }).expect(200);
          await as(stack.url, nora).post('/like', { profileid: other.id }).expect(200);
          await decide(other, 'suspend', { reason: 'spam' });
          return other;
        },
        staff: () => Promise.resolve({ id: 0 }),
        'a new man': () => man({ siteid: 2 }),
        'a rejected man': async () => {
          const other = await man({ siteid: 2 });
          await decide(other, 'reject', { reason: 'no text' });
          return other;
        },
        'a man in a state that is not known here': async () => {
          const other = await man();
          await database.setMember(other.id, { userstatus: 'frozen' });
          return other;
        },
        'a deactivated man': async () => {
          const other = await man();
          await as(stack.url, other).post('/members/self', { deactivated: true }).expect(200);
          return other;
        },
        'a hidden woman of another group': async () => {
          const other = await registerMember(stack.url, stack.demo, { siteid: 3 });
          await as(stack.url, other).post('/members/self', { searchable: false }).expect(200);
          return other;
        },
      };

      it.each([
        ['herself', 80001, 80001, 200],
        ['a woman', 80002, 80002, 80002],
        ['a deleted man', 80003, 80003, 80003],
        ['one who blocked her', 80004, 80004, 80004],
        ['one whom she blocked', 80005, 80005, 200],
        ['a hidden man', 80006, 80061, 80061],
        ['a man of another group', 80007, 80007, 80007],
        ['a stranger', 80008, 200, 200],
        ['nobody', 80013, 80013, 80013],
        ['a suspended connection', 80014, 80014, 80014],
        ['staff', 80015, 80013, 80013],
        ['a new man', 80006, 80062, 80062],
        ['a rejected man', 80006, 80063, 80063],
        ['a deactivated man', 80064, 80064, 80064],
        ['a man in a state that is not known here', 80006, 80065, 80065],
        // The first matching row of the table.
        ['a hidden woman of another group', 80002, 80002, 80002],
      ])('%s: message %i, like %i, profile %i', async (name, ...expected) => {
        const { id: profileid } = (await others[name]?.()) ?? { id: -1 };
        const { get, post } = as(stack.url, nora);
        const answers = [
          await post('/messages', { profileid, text: 'Hello' }),
          await post('/like', { profileid }),
          await get(`/users/${profileid}`),
        ];
        const seen = answers.map(({ status, body }) => (status === 200 ? 200 : [status, body]));
        expect(seen).toEqual(expected.map((code) => (code === 200 ? 200 : [403, invalid(code)])));
      });

      it('80012: a sender who no longer exists', async () => {
        const ghost = await man();
        await database.setMember(ghost.id, { deleted: true });
        const message = { profileid: nora.id, text: 'Hello' };
        const { status, body } = await as(stack.url, ghost).post('/messages', message);
        expect([status, body]).toEqual([403, invalid(80012)]);
      });

      it('80016: a message that could not be stored', async () => {
        const { post } = as(stack.url, nora);
        await post('/like', { profileid: tom.id }).expect(200);
        await as(stack.url, tom).post('/like', { profileid: nora.id }).expect(200);
        const text = 'What cannot be stored twice';
        await post('/messages', { profileid: tom.id, text }).expect(200);
        const sent = { profileid: tom.id, text, client_message_id: 'twice' };
        const { status, body } = await database.refuseTwice(text, async () => post('/messages', sent));
        expect([status, body]).toEqual([403, invalid(80016)]);
        await post('/messages', sent).expect(200);
      });

      it('50001: exceeding the daily likes', async () => {
        const [liker, ...women] = await Promise.all([
          man(),
          ...Array.from({ length: likesPerDay + 1 }, () => registerMember(stack.url, stack.demo)),
        ]);
        const { post } = as(stack.url, liker);
        for (const { id } of women.slice(0, likesPerDay)) await post('/like', { profileid: id }).expect(200);
        const { status, body } = await post('/like', { profileid: women[likesPerDay]?.id });
        expect([status, body]).toEqual([403, invalid(50001)]);
        // A repeated like does not count.
        await post('/like', { profileid: women[0]?.id }).expect(200);
      });
    });
  });
}
