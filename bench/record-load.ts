import autocannon from 'autocannon';
import { createConnection } from 'mongoose';
import { pace, paceOf, type Pace } from './pace.ts';
import type { BenchMember, System } from './system.ts';

/** Reads under way at once, here and at the reference. */
const connections = 16;

/** Pairs of members who may see each other: even ones look for odd ones. */
const meetings = (members: readonly BenchMember[]) =>
  members.map((viewer, at) => ({ viewer, other: members[(at + 1) % members.length] ?? viewer }));

/** GET /users/{id} for some seconds, each connection going through the same members in turn. */
export async function loadRecords(system: System, seconds: number): Promise<Pace> {
  const times: number[] = [];
  const result = await autocannon({
    url: system.urlOf('gateway'),
    connections,
    duration: seconds,
    setupClient: (connection) =>
      connection.on('response', (_status: number, _bytes: number, time: number) => times.push(time)),
    requests: meetings(system.members).map(({ viewer, other }) => ({
      method: 'GET' as const,
      path: `/users/${other.id}`,
      headers: { authorization: `Bearer ${viewer.accessToken}` },
    })),
  });
  if (result.non2xx || result.errors) throw new Error(`${result.non2xx + result.errors} reads failed`);
  return paceOf(times, result.duration);
}

/** The read of one member's document, and nothing else, from this process. */
export async function bareReads(
  { mongodb, profileDatabase, members }: System,
  seconds: number,
): Promise<Pace> {
  const connection = await createConnection(mongodb, { dbName: profileDatabase }).asPromise();
  try {
    const documents = connection.collection<{ _id: number }>('members');
    const hidden = { projection: { outbox: 0, outboxAt: 0 } };
    let next = 0;
    return await pace(seconds, connections, async () => {
      const member = members[(next += 1) % members.length];
      if (!(await documents.findOne({ _id: member?.id ?? 0 }, hidden))) throw new Error('no such member');
    });
  } finally {
    await connection.close();
  }
}
