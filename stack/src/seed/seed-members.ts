import { portions } from '@covalence/runtime/portions';
import { hash } from '@node-rs/argon2';
import { cacheFolder } from '../engines/cache-folder.ts';
import { generatePopulation, type SeedMember } from '../population/population.ts';
import type { Demo } from './demo.ts';
import { batchSize } from '../members/import-batch.ts';
import { importBatchMemberships, importSeeded, type Seeded } from './import-members.ts';
import { untilIndexed } from './index-count.ts';
import { drawPortraits, portraitOf, type PortraitFolders } from './portraits.ts';
import { peerOf, type SeedOptions } from './seed-options.ts';
import type { SeedState } from './seed-state.ts';

/** Members who may have a photo: drawing them takes most of the time, and a larger population is there to be measured. */
const membersWithPhotos = 5_000;
/** Logins that `.data/demo.json` lists; the first two are shown at the console. */
const shownMembers = 10;

const isShown = ({ siteid, userstatus, searchable, fields }: SeedMember, site: number) =>
  siteid === site && userstatus === 'approved' && searchable && fields['latitude'] !== undefined;

/** Imports a batch with its memberships while its portraits are drawn. */
async function seedBatch(
  options: SeedOptions,
  batch: readonly SeedMember[],
  passwordHash: string,
  folders: PortraitFolders,
): Promise<Seeded[]> {
  const photosOf = (member: SeedMember) => portraitOf(member, folders);
  const imports = async () => {
    const seeded = await importSeeded(peerOf(options, 'profile'), batch, passwordHash, photosOf);
    await importBatchMemberships(peerOf(options, 'billing'), seeded);
    return seeded;
  };
  const [seeded] = await Promise.all([imports(), drawPortraits(batch, folders, options.stopped)]);
  return seeded;
}

/**
 * Creates the population with its photos and memberships, and waits until search finds everybody. Safe to repeat. Resolves
 * with members of `site` whom somebody can sign in as.
 */
export async function seedMembers(
  options: SeedOptions,
  { count, seed, now }: SeedState,
  site: number,
): Promise<Demo['members']> {
  if (count === 0) return [];
  const { data, instance, around, progress, stopped, stack } = options;
  const folders: PortraitFolders = {
    photos: data.photos,
    cache: cacheFolder('portraits', around),
    secret: instance.serviceSecrets.operator,
  };
  const password = instance.demoPassword;
  const passwordHash = await hash(password);
  const shown: Demo['members'] = [];
  let done = 0;
  progress(`Members: creating ${count} with their photos`);
  for (const drawn of portions(generatePopulation({ count, seed, now: new Date(now) }), batchSize)) {
    stopped.throwIfAborted();
    const batch = drawn.map((member, at) => {
      const { portrait, ...rest } = member;
      return portrait && done + at < membersWithPhotos ? member : rest;
    });
    const seeded = await seedBatch(options, batch, passwordHash, folders);
    done += batch.length;
    const fresh = seeded.filter(({ member }) => isShown(member, site));
    shown.push(...fresh.map(({ id, member: { username } }) => ({ id, username, password })));
    progress(`Members: ${done} of ${count}`);
  }
  const search = stack.engines.get('elasticsearch')?.url;
  if (search) await untilIndexed(search, instance.namespace, count, stopped);
  progress('Members: search finds them');
  return shown.slice(0, shownMembers);
}
