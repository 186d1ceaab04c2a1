import type { AuthUnderTest } from '../harness.ts';
import type { TestMember } from './people.ts';

/** What open sockets and devices of a member were told, by type. */
export async function alertsTo(auth: AuthUnderTest, { id }: Pick<TestMember, 'id'>): Promise<string[]> {
  await auth.context.background.drained();
  return auth.profile.alerts.filter((alert) => alert.id === id).map(({ alert }) => alert);
}
