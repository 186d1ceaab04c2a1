import type { AuthUnderTest } from '../harness.ts';
import type { TestMember } from './people.ts';

/** What open sockets and devices of a member were told, by type. */
export async function alertsTo(auth: AuthUnderTest, { id }: Pick<TestMember, 'id'>): Promise<string[]> {
  await auth.context.background.drained();
  return auth.profile.alerts.filter((alert) => alert.id === id).map(({ alert }) => alert);
}

/** What they are told while something happens, except of sign-ins. */
export async function alertsDuring(
  auth: AuthUnderTest,
  member: Pick<TestMember, 'id'>,
  work: () => Promise<void>,
): Promise<string[]> {
  const { length } = await alertsTo(auth, member);
  await work();
  return (await alertsTo(auth, member)).slice(length).filter((alert) => alert !== 'session');
}
