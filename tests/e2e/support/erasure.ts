import { findTraces } from '@covalence/testing/find-traces';
import { withDatabases } from '@covalence/testing/with-databases';
import type { StackUnderTest } from '@covalence/testing/stack-under-test';
import { until } from '@covalence/testing/until';
import sharp from 'sharp';
import request from 'supertest';
import { as, type TestMember } from './members.ts';
import { openSocket } from './socket.ts';

const membersOf = ({ namespace }: StackUnderTest) => `${namespace}-profile`;

/** Makes the erasure of a deleted member due now instead of in 30 days. */
export async function dueNow(stack: StackUnderTest, member: TestMember): Promise<void> {
  await withDatabases(async (connection) => {
    const members = connection.useDb(membersOf(stack)).collection<{ _id: number }>('members');
    const { matchedCount } = await members.updateOne(
      { _id: member.id, erase_at: { $exists: true } },
      { $set: { erase_at: new Date(Date.now() - 1_000) } },
    );
    if (!matchedCount) throw new Error('no deletion is due');
  });
}

/** Whether search has a document of the member, which takes a moment after registration. */
async function indexed(stack: StackUnderTest, { id, record }: TestMember): Promise<boolean> {
  const subject = { id, member_id: String(record['member_id']) };
  const { index } = await stack.peer('search').exportMember(subject);
  return index !== null;
}

/** Leaves data in every store; returns the file names of the photos. */
export async function liveOn(
  stack: StackUnderTest,
  member: TestMember,
  other: TestMember,
): Promise<string[]> {
  const own = as(stack.url, member);
  const socket = await openSocket(stack.url, member.tokens.access_token);
  const image = await sharp({ create: { width: 300, height: 300, channels: 3, background: 'teal' } })
    .jpeg()
    .toBuffer();
  const { body: photo } = await request(stack.url)
    .post('/photo')
    .set('Authorization', `Bearer ${member.tokens.access_token}`)
    .attach('image', image, 'me.jpg')
    .expect(200);
  await own.post('/like', { profileid: other.id }).expect(200);
  await as(stack.url, other).post('/like', { profileid: member.id }).expect(200);
  await socket.next('mutual');
  await own.post('/messages', { profileid: other.id, text: 'Do you keep bees?' }).expect(200);
  await as(stack.url, other).get(`/users/${member.id}`).expect(200);
  await own.get(`/users/${other.id}`).expect(200);
  await own.post('/report', { profileid: other.id, reason: 'only to have one' }).expect(200);
  const age = { from: 18, to: 99 };
  await own.post('/searches/saved', { name: 'Near me', age }).expect(200);
  await own.post('/members/self/criteria', { smoking: { values: [10] } }).expect(200);
  await own.post('/searches', { age, location: { of: '40.8,-96.7' } }).expect(200);
  const { body: offers } = await own.get('/packages').expect(200);
  const { package_id, rate_id } = offers.packages[0];
  await own.post('/packages/purchase', { package_id, rate_id, receipt: 'paper' }).expect(200);
  await until('the record is platinum', async () => (await own.get('/users/self')).body.platinum === 'y');
  await until('the index has the member', () => indexed(stack, member));
  socket.close();
  return [String(photo.urlstem).replace(/^.*\//, '')];
}

/**
 * The stored values that still name a member. Skips request counts, ids of delivered events and histories of
 * others, which expire within a day.
 */
export function tracesOf(
  stack: StackUnderTest,
  { id, username, record }: TestMember,
  more: readonly string[],
): Promise<string[]> {
  return findTraces({
    namespace: stack.namespace,
    photoDir: stack.photoDir,
    of: [id, username, String(record['member_id']), String(record['email']), ...more],
    skipKeys: new RegExp(`:limit:|:delivered:|:pushed:|:live:\\{(?!${id}\\})`),
  });
}

/** DELETE /members/self. */
export const remove = ({ url }: StackUnderTest, member: Pick<TestMember, 'tokens'>): request.Test =>
  as(url, member).delete('/members/self').send({ reason_id: 1 });

/** Waits until no store names the member; rejects with the remaining traces. */
export function gone(stack: StackUnderTest, member: TestMember, more: readonly string[] = []): Promise<true> {
  return until(
    'no trace is left',
    async () => {
      const traces = await tracesOf(stack, member, more);
      if (traces.length) throw new Error(traces.join('\n'));
      return true as const;
    },
    30_000,
  );
}
