import { notifyDecisions } from '../../src/moderation/notifications/notify-decisions.ts';
import type { TestMember, TestStaff } from '../harness.ts';
import { manual, path, type Moderation } from './moderation.ts';

/** The text of every appeal. */
export const text = 'The photo shows me and my sister.';

/** An appeal that waits, as staff see it. */
interface WaitingAppeal {
  readonly appeal_id: string;
  readonly id: number;
  readonly own: boolean;
  readonly in_force: boolean;
  readonly later: { readonly decision_id: string; readonly staff_id: string } | null;
}

/** The steps of an appeal, for suites about them. `started` is called when a test runs. */
export function appealing(started: () => Pick<Moderation, 'service' | 'ann' | 'bob'>) {
  const context = () => started().service.context;
  const newest = async (member: TestMember): Promise<string> => {
    const [decision] = await context().moderation.decisions.statementsTo(member.id, undefined, 1);
    return decision?.id ?? 'none';
  };
  const waiting = async (staff: TestStaff = started().bob) =>
    (await staff.get('/staff/appeals?pagesize=100').expect(200)).body.entries as WaitingAppeal[];
  const waitingOf = async (member: TestMember) => (await waiting()).find(({ id }) => id === member.id);
  const appealOf = async (member: TestMember) => (await waitingOf(member))?.appeal_id ?? 'none';
  return {
    newest,
    waiting,
    waitingOf,
    appealOf,
    appeal: async (member: TestMember, id?: string, body: object = { text }) =>
      member.post(`/members/self/decisions/${id ?? (await newest(member))}/appeal`, body),
    /** By the page, as a member who cannot sign in. */
    appealOnPage: async ({ memberId: member_id }: TestMember, decision_id: string) =>
      started().service.internal('/internal/decisions/appeal', { member_id, decision_id, text }),
    readOnPage: async ({ memberId: member_id }: TestMember, decision_id: string) =>
      started().service.internal('/internal/decisions/appeal/read', { member_id, decision_id }),
    decide: async (member: TestMember, outcome: 'grant' | 'refuse', staff: TestStaff = started().bob) =>
      staff.post(`/staff/appeals/${await appealOf(member)}/${outcome}`, { answer: 'We looked at it again.' }),
    stored: async ({ id }: TestMember) => context().members.store.byId(id),
    approved: async (fields: object = {}): Promise<TestMember> => {
      const { service, ann } = started();
      const member = await service.register({ ...manual, ...fields });
      await ann.post(path(member, 'approve')).expect(200);
      return member;
    },
    mailsTo: async ({ memberId }: TestMember) => {
      await notifyDecisions(context());
      return started().service.auth.appeals.filter(({ member_id }) => member_id === memberId);
    },
  };
}
