import {
  registerClient,
  registerConsole,
  registerPublicClient,
  registerStaff,
  staffUsername,
} from './clients.ts';
import type { Demo } from './demo.ts';
import type { SeedOptions } from './seed-options.ts';
import { readSeedState, seedVersion, writeSeedState, type SeedState } from './seed-state.ts';

const consoleUrlOf = (url: string) => new URL('/console', url).href;

/** Registers the clients and the staff account, except those that an earlier seed has registered. */
async function seedClients(
  { url, peer, passwords }: SeedOptions,
  state: SeedState,
): Promise<Required<Pick<SeedState, 'client' | 'public_client' | 'staff'>>> {
  const auth = peer('auth');
  const redirect = new URL('/callback', url).href;
  await registerStaff(auth, passwords.staff);
  const client = state.client ?? (await registerClient(auth, 'Demo app', redirect));
  const staff = state.staff ?? (await registerClient(auth, 'Customer service', redirect, true));
  const public_client = state.public_client ?? (await registerPublicClient(auth));
  return { client, public_client, staff };
}

function demoOf({ url, sites, passwords }: SeedOptions, state: Required<SeedState>): Demo {
  return {
    base_url: url,
    auth_url: url,
    console_url: consoleUrlOf(url),
    ...state.client,
    public_client: state.public_client,
    siteid: sites[0]?.siteid ?? 0,
    members: state.members,
    sites: sites.map(({ siteid, group, review }) => ({ siteid, group, review })),
    staff: { ...state.staff, username: staffUsername, password: passwords.staff },
  };
}

/**
 * Fills a new system with the demo clients, the staff account and the population. Continues an interrupted seed; a finished
 * one changes only the addresses of the console. Resolves with the addresses and logins to try.
 */
export async function seedSystem(options: SeedOptions): Promise<Demo> {
  const { stateFile, count, seed, url, peer, consoleClientId } = options;
  await registerConsole(peer('auth'), consoleClientId, consoleUrlOf(url));
  const begun = readSeedState(stateFile) ?? {
    version: seedVersion,
    count,
    seed,
    now: new Date().toISOString(),
  };
  const { client, public_client, staff, members } = begun;
  if (client && public_client && staff && members)
    return demoOf(options, { ...begun, client, public_client, staff, members });
  writeSeedState(stateFile, begun);
  const registered = { ...begun, ...(await seedClients(options, begun)) };
  writeSeedState(stateFile, registered);
  // Imported lazily: drawing a population takes memory that a later start does not need.
  const seedMembers = async () => (await import('./seed-members.ts')).seedMembers(options, begun);
  const done = { ...registered, members: members ?? (await seedMembers()) };
  writeSeedState(stateFile, done);
  return demoOf(options, done);
}
