import { photoSuffix } from '@covalence/contract/photo-files';
import { createHash, createHmac } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, rename, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { drawPortrait, renderPortrait, type SeedMember } from './population/population.ts';
import type { ImportedPhotos } from './import-members.ts';
import type { PortraitFolders } from './seed-options.ts';

/** The sizes of photos in lists and on profiles, pixels. */
const sizes = [500, 250] as const;
const extension = '.jpg';

const stemOf = (member: SeedMember, secret: string) =>
  createHmac('sha256', secret).update(`photo ${member.external_id}`).digest('base64url').slice(0, 32);

/** The photos of a member for the import; undefined without a portrait. */
export function portraitOf(member: SeedMember, { secret }: PortraitFolders): ImportedPhotos | undefined {
  return member.portrait && [{ stem: stemOf(member, secret), extension, sizes: [...sizes] }];
}

/** Writes a file atomically. */
async function put(file: string, write: (draft: string) => Promise<void>): Promise<void> {
  const draft = `${file}.${process.pid}`;
  await write(draft);
  await rename(draft, file);
}

async function drawOne(member: SeedMember, folders: PortraitFolders): Promise<void> {
  if (!member.portrait) return;
  const svg = drawPortrait(member.portrait);
  const drawing = createHash('sha256').update(svg).digest('hex');
  for (const size of sizes) {
    const file = join(folders.photos, `${stemOf(member, folders.secret)}${photoSuffix(size)}${extension}`);
    if (existsSync(file)) continue;
    const kept = join(folders.cache, `${drawing}${photoSuffix(size)}${extension}`);
    if (!existsSync(kept)) {
      const image = await renderPortrait(svg, size);
      await put(kept, (draft) => writeFile(draft, image));
    }
    await put(file, (draft) => copyFile(kept, draft));
  }
}

/** Renders missing portraits of members into photo storage, a few at a time. */
export async function drawPortraits(
  members: readonly SeedMember[],
  folders: PortraitFolders,
  stopped: AbortSignal,
): Promise<void> {
  await Promise.all([folders.photos, folders.cache].map((folder) => mkdir(folder, { recursive: true })));
  const rest = members.values();
  const work = async () => {
    for (const member of rest) {
      stopped.throwIfAborted();
      await drawOne(member, folders);
    }
  };
  await Promise.all(Array.from({ length: 2 * availableParallelism() }, work));
}
