import { chunks } from '@covalence/runtime/chunks';
import { hash } from '@node-rs/argon2';
import { generatePopulation, type SeedMember } from './population/population.ts';
import type { Demo } from './demo.ts';
import { batchSize, importBatchMemberships, importSeeded, type Seeded } from './import-members.ts';
import { drawPortraits, portraitOf } from './portraits.ts';
import type { SeedOptions } from './seed-options.ts';
import type { SeedState } from './seed-state.ts';

/** The number of members who may have a photo, because rendering takes most of the time. */
const membersWithPhotos = 5_000;
/** The number of logins in `.data/demo.json`. */
const shownMembers = 10;

const isShown = ({ siteid, userstatus, searchable, fields }: SeedMember, site: number) =>
  siteid === site && userstatus === 'approved' && searchable && fields['latitude'] !== undefined;

/** Imports a batch with its memberships and portraits. */
async function seedBatch(
  { peer, portraits, stopped }: SeedOptions,
  batch: readonly SeedMember[],
  passwordHash: string,
): Promise<Seeded[]> {
  const photosOf = (member: SeedMember) => portraitOf(member, portraits);
  const imports = async () => {
    const seeded = await importSeeded(peer('profile'), batch, passwordHash, photosOf);
    await importBatchMemberships(peer('billing'), seeded);
    return seeded;
  };
  const [seeded] = await Promise.all([imports(), drawPortraits(batch, portraits, stopped)]);
  return seeded;
}

/**
 * Creates the population with photos and memberships, and waits until all are in the search index. Safe to repeat.
 * Resolves with logins of members of the first site.
 */
export async function seedMembers(
  options: SeedOptions,
  { count, seed, now }: SeedState,
): Promise<Demo['members']> {
  if (count === 0) return [];
  const { sites, progress, stopped, untilIndexed } = options;
  const password = options.passwords.members;
  const passwordHash = await hash(password);
  const shown: Demo['members'] = [];
  let done = 0;
  progress(`Members: creating ${count} with their photos`);
  for (const drawn of chunks(generatePopulation({ count, seed, now: new Date(now) }), batchSize)) {
    stopped.throwIfAborted();
    const batch = drawn.map((member, at) => {
      const { portrait, ...rest } = member;
      return portrait && done + at < membersWithPhotos ? member : rest;
    });
    const seeded = await seedBatch(options, batch, passwordHash);
    done += batch.length;
    const fresh = seeded.filter(({ member }) => isShown(member, sites[0]?.siteid ?? 0));
    shown.push(...fresh.map(({ id, member: { username } }) => ({ id, username, password })));
    progress(`Members: ${done} of ${count}`);
  }
  await untilIndexed(count, stopped);
  progress('Members: all are in the search index');
  return shown.slice(0, shownMembers);
}
