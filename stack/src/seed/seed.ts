import type { Site } from '@covalence/contract/sites';
import { sitesIn } from '../services/service-environment.ts';
import { registerClient, registerStaff, staffUsername } from './clients.ts';
import type { Demo } from './demo.ts';
import { peerOf, type SeedOptions } from './seed-options.ts';
import { readSeedState, seedVersion, writeSeedState, type SeedState } from './seed-state.ts';

/** Registers the demo client and the staff client; what a broken-off seed registered is kept. */
async function seedClients(
  options: SeedOptions,
  state: SeedState,
): Promise<Required<Pick<SeedState, 'client' | 'staff'>>> {
  const auth = peerOf(options, 'auth');
  const redirect = new URL('/callback', options.stack.url).href;
  await registerStaff(auth, options.instance.staffPassword);
  const client = state.client ?? (await registerClient(auth, 'Demo app', redirect));
  const staff = state.staff ?? (await registerClient(auth, 'Customer service', redirect, true));
  return { client, staff };
}

const sitesOf = ({ around }: SeedOptions): Site[] => [...sitesIn(around).values()];

function demoOf(options: SeedOptions, state: Required<SeedState>): Demo {
  const { stack, instance } = options;
  const sites = sitesOf(options).map(({ siteid, group, review }) => ({ siteid, group, review }));
  return {
    base_url: stack.url,
    auth_url: stack.url,
    ...state.client,
    siteid: sites[0]?.siteid ?? 0,
    members: state.members,
    sites,
    staff: { ...state.staff, username: staffUsername, password: instance.staffPassword },
  };
}

/**
 * Fills a new stack: the demo clients, the staff account, the population. A seed that was broken off goes on where it
 * was; one that is done changes nothing. Resolves with what somebody needs to try the stack.
 */
export async function seedStack(options: SeedOptions): Promise<Demo> {
  const { data, count, seed } = options;
  const keep = (state: SeedState) => writeSeedState(data.seedFile, state);
  const begun = readSeedState(data.seedFile) ?? {
    version: seedVersion,
    count,
    seed,
    now: new Date().toISOString(),
  };
  if (begun.client && begun.staff && begun.members) {
    const { client, staff, members } = begun;
    return demoOf(options, { ...begun, client, staff, members });
  }
  keep(begun);
  const registered = { ...begun, ...(await seedClients(options, begun)) };
  keep(registered);
  // Loaded only now: drawing a population and its portraits takes memory that a later start does not need.
  const { seedMembers } = await import('./seed-members.ts');
  const siteid = sitesOf(options)[0]?.siteid ?? 0;
  const done = { ...registered, members: await seedMembers(options, begun, siteid) };
  keep(done);
  return demoOf(options, done);
}
