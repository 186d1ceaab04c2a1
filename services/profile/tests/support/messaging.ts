import type { MemberPatch } from '../../src/members/store/member-store.ts';
import type { TestMember, ServiceUnderTest } from '../harness.ts';

/** A membership that has a week to go, or none. */
export const platinum = (status: 'active' | 'none' = 'active') => ({
  membership: {
    status,
    autorenew: false,
    expires_at: new Date(Date.now() + 7 * 86_400_000),
    version: Date.now(),
  },
});

/** Sends a message. */
export const say = (from: TestMember, to: TestMember, text: string, client_message_id?: string) =>
  from.post('/messages', { profileid: to.id, text, ...(client_message_id && { client_message_id }) });

/** The texts of a thread, as one of the two sees it. */
export const texts = async (viewer: TestMember, other: TestMember): Promise<string[]> => {
  const { body } = await viewer.get(`/messages/${other.id}`).expect(200);
  return body.messages.map(({ text }: { text: string }) => text);
};

/** Members who write to each other. */
export function messaging(service: () => ServiceUnderTest) {
  const patch = (member: TestMember, change: MemberPatch) =>
    service().context.members.store.change(member.id, () => change);
  const woman = (fields: object = {}) =>
    service().register({ gender: 'Female', genderpreference: 'Male', ...fields });
  /** A man who may write to anyone, and a woman who pays nothing. */
  const writers = async (fields: object = {}): Promise<[TestMember, TestMember]> => {
    const [adam, eve] = await Promise.all([service().register(), woman(fields)]);
    await patch(adam, platinum());
    return [adam, eve];
  };
  return { patch, woman, writers };
}
