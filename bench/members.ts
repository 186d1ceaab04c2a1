import { effort } from './effort.ts';
import { allButOneCore, bareHashing } from './login-load.ts';
import { measurement, median, type Measurement } from './measurement.ts';
import { perSecond, rate, slowest, type Pace } from './pace.ts';
import { bareReads, loadRecords } from './record-load.ts';
import { say } from './say.ts';
import { registrationOf, startSystem, type System } from './system.ts';

const members = 32;
const { seconds, rounds, warmUp } = effort;
const registeringAtOnce = 8;

async function records(system: System): Promise<Measurement[]> {
  if (warmUp) await loadRecords(system, warmUp);
  await bareReads(system, warmUp);
  const own: Pace[] = [];
  const reference: Pace[] = [];
  for (let round = 0; round < rounds; round += 1) {
    reference.push(await bareReads(system, seconds));
    own.push(await loadRecords(system, seconds));
  }
  return [
    measurement('GET /users/{id}, × one read of a member', '1/s', rate(own), rate(reference), 'no goal'),
    measurement('p99 of it, × one read of a member', 'ms', slowest(own), slowest(reference), 'no goal'),
  ];
}

/** Registrations through the gateway, each of somebody new. */
async function registrations(system: System): Promise<Measurement> {
  let number = members;
  const register = async () => {
    number += 1;
    const body = new URLSearchParams(registrationOf(system.client, number));
    const response = await fetch(new URL('/members', system.urlOf('gateway')), { method: 'POST', body });
    const text = await response.text();
    if (!response.ok) throw new Error(`not registered: ${response.status} ${text}`);
  };
  await perSecond(warmUp, registeringAtOnce, register);
  const own: number[] = [];
  const bare: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    bare.push(await bareHashing(seconds, allButOneCore));
    own.push(await perSecond(seconds, registeringAtOnce, register));
  }
  return measurement('registrations, × bare argon2', '1/s', median(own), median(bare), 'no goal');
}

/** Measures member records and registrations through the whole chain, against references of the same run. */
export async function benchMembers(): Promise<readonly Measurement[]> {
  say('members: starting gateway, auth and profile …');
  const system = await startSystem(members, ['gateway']);
  try {
    say('members: records …');
    const ofRecords = await records(system);
    say('members: registrations …');
    return [...ofRecords, await registrations(system)];
  } finally {
    await system.stop();
  }
}
