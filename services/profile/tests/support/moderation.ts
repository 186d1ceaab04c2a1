import type { Event } from '@covalence/contract/events';
import { jest } from '@jest/globals';
import { startService, type TestMember, type ServiceUnderTest, type TestStaff } from '../harness.ts';

/** An entry of the queue. */
export interface Entry {
  readonly id: number;
  readonly revision: string;
  readonly since: string;
  readonly [name: string]: unknown;
}

/** An entry of a member's history. */
interface HistoryEntry {
  readonly id: string;
  readonly action: string;
  readonly staff_id: string;
  readonly before?: string;
  readonly after?: string;
}

/** A service with two of the staff, and what suites ask of both. */
export interface Moderation {
  readonly service: ServiceUnderTest;
  readonly ann: TestStaff;
  readonly bob: TestStaff;
  /** Events that the live-updates service receives. */
  readonly live: Event[];
  readonly own: (member: TestMember) => Promise<Record<string, unknown>>;
  /** Every entry of a queue, page by page. */
  readonly all: (kind: string, query?: Record<string, string>, pagesize?: number) => Promise<Entry[]>;
  readonly entryOf: (
    kind: string,
    member: TestMember,
    query?: Record<string, string>,
  ) => Promise<Entry | undefined>;
  /** The member's history, newest first. */
  readonly entries: (member: TestMember) => Promise<HistoryEntry[]>;
  readonly actions: (member: TestMember) => Promise<string[]>;
  /** Decisions that the member is notified of. */
  readonly notifiedOf: (member: TestMember) => object[];
}

/** Site 2 reviews by hand, site 1 by itself. */
export const manual = { siteid: 2 };

/** A reason, which every restriction needs. */
export const why = { reason: 'No' };

/** The path of a staff call about a member. */
export const path = (member: TestMember, rest: string): string => `/staff/members/${member.id}/${rest}`;

/** Lets something else happen once between what a call reads and its next write of a member. */
export function meanwhile(service: ServiceUnderTest, member: TestMember, act: () => Promise<unknown>): void {
  const { store } = service.context.members;
  const change = store.change.bind(store);
  const spy = jest.spyOn(store, 'change').mockImplementation(async (id, ...asked) => {
    if (id === member.id) {
      spy.mockRestore();
      await act();
    }
    return change(id, ...asked);
  });
}

/** Starts the service of a suite about moderation. */
export async function startModeration(
  suite: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<Moderation> {
  const service = await startService(suite, { environment });
  const [ann, bob] = await Promise.all([service.staff(), service.staff()]);
  const live = service.gather('updates.live');

  const all: Moderation['all'] = async (kind, query = {}, pagesize = 100) => {
    const found: Entry[] = [];
    let cursor: string | undefined;
    do {
      const asked = { kind, pagesize: String(pagesize), ...query, ...(cursor && { cursor }) };
      const { body } = await ann.get(`/staff/queue?${new URLSearchParams(asked).toString()}`).expect(200);
      if (body.entries.length > pagesize) throw new Error('a page has more entries than asked for');
      found.push(...(body.entries as Entry[]));
      cursor = body.next ?? undefined;
    } while (cursor);
    return found;
  };
  const entries: Moderation['entries'] = async (member) =>
    (await ann.get(path(member, 'history')).expect(200)).body.entries;

  return {
    service,
    ann,
    bob,
    live,
    all,
    entries,
    own: async (member) => (await member.get('/users/self').expect(200)).body,
    entryOf: async (kind, member, query = {}) => (await all(kind, query)).find(({ id }) => id === member.id),
    actions: async (member) => (await entries(member)).map(({ action }) => action),
    notifiedOf: (member) =>
      live.flatMap((event) =>
        event.type === 'moderation.decided' && event.member === member.id ? [event.data] : [],
      ),
  };
}
