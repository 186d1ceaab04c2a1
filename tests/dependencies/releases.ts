import { z } from 'zod';

const packageSchema = z.object({
  'dist-tags': z.object({ latest: z.string() }),
  time: z.record(z.string(), z.string()),
});

/** The latest version of a package and its release date (YYYY-MM-DD). */
export interface Release {
  readonly name: string;
  readonly version: string;
  readonly day: string;
}

/** The latest release in a registry entry. */
export function releaseIn(name: string, entry: unknown): Release {
  const { 'dist-tags': tags, time } = packageSchema.parse(entry);
  return { name, version: tags.latest, day: (time[tags.latest] ?? '').slice(0, 10) };
}

/** Fetches the latest release of each package, one at a time; oldest first. */
export async function readReleases(registry: string, names: Iterable<string>): Promise<Release[]> {
  const releases: Release[] = [];
  for (const name of names) {
    const response = await fetch(new URL(name.replace('/', '%2f'), registry));
    if (!response.ok) throw new Error(`The registry answers ${response.status} for ${name}`);
    releases.push(releaseIn(name, await response.json()));
  }
  return releases.toSorted((one, other) => one.day.localeCompare(other.day));
}
