import { expect } from '@jest/globals';
import type { SearchProjection } from '@covalence/contract/search-projection';
import { dayMs } from '@covalence/contract/time';
import { newEvent } from '@covalence/events/new-event';
import { serviceAuthorization } from '@covalence/testing/service-tokens';
import request from 'supertest';
import { createApp } from '../../src/app.ts';
import { onMemberChanged } from '../../src/index/on-member-changed.ts';
import { relevanceSchema } from '../../src/relevance/relevance-settings.ts';
import type { PlainRelation } from '../fake-profile.ts';
import { startService } from '../harness.ts';
import { person } from '../person.ts';
import { testNow } from '../population.ts';

/** The day after that of the tests. */
export const tomorrow = new Date(testNow.getTime() + dayMs);

/** Answers from which tastes are learned. */
export const answers = (code: number) => ({ traits: { smoking: code, drinking: code } });

/** Facts of as many members as tastes are learned from. */
export const eight = (code: number) => Array.from({ length: 8 }, () => answers(code));

/** A page of a feed as a client sees it. */
interface FeedPage {
  readonly users: { readonly id: number; readonly reasons: string[] }[];
  readonly next: string | null;
}

/** The service with a feed on every site. */
export type FeedUnderTest = Awaited<ReturnType<typeof startFeed>>;

/** Starts the service without members; tests make their own. */
export async function startFeed(suite: string) {
  const service = await startService(suite, { members: [person(1, 'Female', { visible: false })] });
  const { context, profile } = service;
  let nextId = 1_000;

  /** Feeds leave out nobody, if a test does not ask for it. */
  const enable = (discover: boolean, sites: object = {}, discover_left_out = 0) => {
    const given = { ...context.settings.active.ofFile, discover, discover_left_out, sites };
    const relevance = relevanceSchema.parse(given);
    return service.publish({ relevance });
  };
  await enable(true);

  /** Stores members as they are now, in profile and in the index. */
  const store = async (...members: readonly SearchProjection[]) => {
    for (const one of members) {
      const version = (profile.members.get(one.id)?.version ?? 0) + 1;
      profile.members.set(one.id, { ...one, version });
    }
    const facts = { type: 'member.updated', version: 1, at: testNow } as const;
    const handle = onMemberChanged({ profile: context.profile, members: context.index.members, stores: [] });
    await handle(members.map(({ id }) => newEvent({ ...facts, member: id, data: {} })));
    await service.refresh();
  };
  /** Adds members without answers who joined long ago and are there now; resolves with their ids. */
  const made = async (
    gender: 'Male' | 'Female',
    ...facts: Partial<SearchProjection>[]
  ): Promise<number[]> => {
    const now = testNow.toISOString();
    const joined = '2025-01-01T00:00:00.000Z';
    const members = facts.map((one) =>
      person((nextId += 1), gender, { traits: {}, photo: false, last_seen: now, joined, ...one }),
    );
    await store(...members);
    return members.map(({ id }) => id);
  };
  const relate = (member: number, ...relations: PlainRelation[]) => profile.relations.set(member, relations);
  const page = async (member: number, query = ''): Promise<FeedPage> => {
    const { status, body } = await service.call(member, 'get', `/discover?${query}`);
    expect([status, body.fail]).toEqual([200, undefined]);
    return body as FeedPage;
  };

  return {
    service,
    enable,
    made,
    page,
    woman: async (facts: Partial<SearchProjection> = {}) => (await made('Female', facts))[0] ?? 0,
    men: (...facts: Partial<SearchProjection>[]) => made('Male', ...facts),
    change(id: number, facts: Partial<SearchProjection>) {
      const before = profile.members.get(id);
      if (!before) throw new Error(`no member ${id}`);
      return store({ ...before, ...facts });
    },
    /** Changes match criteria. */
    async wish(member: number, criteria: object) {
      const { status, body } = await service.call(member, 'post', '/members/self/criteria', criteria);
      expect([status, body.fail]).toEqual([200, undefined]);
    },
    /** The ids of a whole feed. */
    list: async (member: number) => (await page(member, 'pagesize=100')).users.map(({ id }) => id),
    relate,
    /** Makes a member like some and pass others. */
    choose: (member: number, liked: readonly number[], passed: readonly number[]) =>
      relate(
        member,
        ...liked.map((other, turn) => ({ other, version: turn + 1, likes: true })),
        ...passed.map((other, turn) => ({ other, version: turn + 1, passed_until: tomorrow.toISOString() })),
      ),
    /** A call of profile about a member. */
    privacy: async (action: 'export' | 'erase', id: number) =>
      request(createApp(context))
        .post(`/internal/members/${action}`)
        .set('Authorization', serviceAuthorization({ from: 'profile', to: 'search' }))
        .send({ id, member_id: '00000000-0000-4000-8000-000000000003' }),
    /** Hides everybody. */
    async clear() {
      service.setNow(testNow);
      await enable(true);
      await store(...[...profile.members.values()].map((one) => ({ ...one, visible: false })));
      profile.relations.clear();
      profile.settings.clear();
      profile.platinum.clear();
    },
  };
}
