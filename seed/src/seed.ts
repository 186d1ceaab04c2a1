import { registerClient, registerStaff, staffUsername } from './clients.ts';
import type { Demo } from './demo.ts';
import type { SeedOptions } from './seed-options.ts';
import { readSeedState, seedVersion, writeSeedState, type SeedState } from './seed-state.ts';

/** Registers the demo client and the staff client, unless an interrupted seed has registered them. */
async function seedClients(
  { url, peer, passwords }: SeedOptions,
  state: SeedState,
): Promise<Required<Pick<SeedState, 'client' | 'staff'>>> {
  const auth = peer('auth');
  const redirect = new URL('/callback', url).href;
  await registerStaff(auth, passwords.staff);
  const client = state.client ?? (await registerClient(auth, 'Demo app', redirect));
  const staff = state.staff ?? (await registerClient(auth, 'Customer service', redirect, true));
  return { client, staff };
}

function demoOf({ url, sites, passwords }: SeedOptions, state: Required<SeedState>): Demo {
  return {
    base_url: url,
    auth_url: url,
    ...state.client,
    siteid: sites[0]?.siteid ?? 0,
    members: state.members,
    sites: sites.map(({ siteid, group, review }) => ({ siteid, group, review })),
    staff: { ...state.staff, username: staffUsername, password: passwords.staff },
  };
}

/**
 * Fills a new system with the demo clients, the staff account and the population. Continues an interrupted seed; a finished
 * one changes nothing. Resolves with the addresses and logins to try.
 */
export async function seedSystem(options: SeedOptions): Promise<Demo> {
  const { stateFile, count, seed } = options;
  const begun = readSeedState(stateFile) ?? {
    version: seedVersion,
    count,
    seed,
    now: new Date().toISOString(),
  };
  if (begun.client && begun.staff && begun.members) {
    const { client, staff, members } = begun;
    return demoOf(options, { ...begun, client, staff, members });
  }
  writeSeedState(stateFile, begun);
  const registered = { ...begun, ...(await seedClients(options, begun)) };
  writeSeedState(stateFile, registered);
  // Imported lazily: drawing a population takes memory that a later start does not need.
  const { seedMembers } = await import('./seed-members.ts');
  const done = { ...registered, members: await seedMembers(options, begun) };
  writeSeedState(stateFile, done);
  return demoOf(options, done);
}
