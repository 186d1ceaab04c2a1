import { effort } from './effort.ts';
import { say } from './engines.ts';
import { cannonade, inTurns, pace, rate, slowest, type Pace } from './load.ts';
import { bareHashing } from './login-load.ts';
import { measurement, median, type Measurement } from './measurement.ts';
import { bearer, registrationOf, send, startSystem, type System } from './system.ts';

const memberCount = 32;
const connections = 16;
const registeringAtOnce = 8;
const { seconds, warmUp } = effort;

/** GET /users/{id} for some seconds, by members who may see each other: odd ones look for even ones. */
const readProfiles = (system: System, duration: number): Promise<Pace> =>
  cannonade({
    url: system.urlOf('gateway'),
    connections,
    duration,
    requests: system.members.map((viewer, at, members) => ({
      method: 'GET',
      path: `/users/${(members[(at + 1) % members.length] ?? viewer).id}`,
      headers: bearer(viewer),
    })),
  });

/** Reads of one member document from this process. */
function readDocuments({ databaseOf, members }: System, duration: number): Promise<Pace> {
  const documents = databaseOf('profile').collection<{ _id: number }>('members');
  const options = { projection: { outbox: 0, outboxAt: 0 } };
  let next = 0;
  return pace(duration, connections, async () => {
    const member = members[(next += 1) % members.length];
    if (!(await documents.findOne({ _id: member?.id ?? 0 }, options))) throw new Error('no such member');
  });
}

async function profileReads(system: System): Promise<Measurement[]> {
  if (warmUp) await readProfiles(system, warmUp);
  await readDocuments(system, warmUp);
  const { own, reference } = await inTurns(
    () => readDocuments(system, seconds),
    () => readProfiles(system, seconds),
  );
  return [
    measurement('GET /users/{id}, × one read of a member', '1/s', rate(own), rate(reference)),
    measurement('p99 of it, × one read of a member', 'ms', slowest(own), slowest(reference)),
  ];
}

/** Registrations of new members through the gateway. */
async function registrations(system: System): Promise<Measurement> {
  let number = memberCount;
  const registering = async (duration: number) => {
    const load = await pace(duration, registeringAtOnce, () => {
      number += 1;
      const body = new URLSearchParams(registrationOf(system.client, number));
      return send(`${system.urlOf('gateway')}/members`, { method: 'POST', body });
    });
    return load.perSecond;
  };
  await registering(warmUp);
  const { own, reference } = await inTurns(
    () => bareHashing(seconds),
    () => registering(seconds),
  );
  return measurement('registrations, × bare argon2', '1/s', median(own), median(reference));
}

/** Measures profile reads and registrations through the gateway. */
export async function benchMembers(): Promise<readonly Measurement[]> {
  say('members: starting gateway, auth and profile …');
  const system = await startSystem(memberCount, ['gateway']);
  try {
    say('members: profile reads …');
    const ofReads = await profileReads(system);
    say('members: registrations …');
    return [...ofReads, await registrations(system)];
  } finally {
    await system.stop();
  }
}
