import type { TestMember, TestStaff } from '../harness.ts';
import { manual, type Moderation } from './moderation.ts';

/** The next entry of the profiles of site 2, claimed. */
export const nextProfile = async (staff: TestStaff, body: object = {}) => {
  const claimed = { kind: 'profile', siteid: 2, ...body };
  const answer = await staff.post('/staff/queue/claim', claimed).expect(200);
  return answer.body.entry as { readonly id: number; readonly claimed_by: string } | null;
};

/** The queue of profiles of site 2. `moderation` is called once a test runs. */
export function profileQueue(moderation: () => Pick<Moderation, 'service' | 'ann'>) {
  return {
    /** Registers a member who waits. */
    wait: async (): Promise<TestMember> => {
      const { service } = moderation();
      const member = await service.register(manual);
      // Times in the queue have milliseconds.
      service.advance(2);
      return member;
    },
    /** Decides everything that waits, so that each test begins with an empty queue. */
    drain: async (): Promise<void> => {
      const { service, ann } = moderation();
      // Claims end.
      service.advance(360_000);
      for (let entry = await nextProfile(ann); entry; entry = await nextProfile(ann))
        await ann.post(`/staff/members/${entry.id}/approve`).expect(200);
    },
  };
}
