import { choosePorts } from '@covalence/stack/engines/free-ports';
import { until } from '@covalence/testing/until';
import autocannon from 'autocannon';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { effort } from './effort.ts';
import { measurement, type Measurement } from './measurement.ts';
import { paceOf, slowest, type Pace } from './pace.ts';
import type { System } from './system.ts';

/** Fetches under way at once, here and at the reference. */
const connections = 16;
const ending = '_500.jpg';

async function load(url: string, paths: readonly string[]): Promise<Pace> {
  const times: number[] = [];
  const result = await autocannon({
    url,
    connections,
    duration: effort.seconds,
    setupClient: (connection) =>
      connection.on('response', (_status: number, _bytes: number, time: number) => times.push(time)),
    requests: paths.map((path) => ({ method: 'GET' as const, path })),
  });
  if (result.non2xx || result.errors) throw new Error(`${result.non2xx + result.errors} fetches failed`);
  return paceOf(times, result.duration);
}

/** Starts the reference over the files that the service keeps. */
async function startBareFiles(folder: string, path: string) {
  const { bare } = await choosePorts(['bare'], {});
  const program = fileURLToPath(new URL('bare-files.ts', import.meta.url));
  const child = spawn(process.execPath, [program, String(bare), folder], { stdio: 'inherit' });
  const url = `http://127.0.0.1:${bare}`;
  await until('the reference answers', async () => (await fetch(url + path)).ok);
  return {
    url,
    async stop() {
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

/** The addresses of the members' photos, as they are told them. */
async function addressesOf(system: System): Promise<string[]> {
  const lists = system.members.map(async ({ accessToken }) => {
    const headers = { Authorization: `Bearer ${accessToken}` };
    const response = await fetch(`${system.urlOf('profile')}/photo`, { headers });
    return (await response.json()) as { readonly urlstem: string }[];
  });
  return (await Promise.all(lists)).flat().map(({ urlstem }) => new URL(urlstem).pathname + ending);
}

/** Measures fetches of photos that are public at one profile process against bare HTTP over the same files. */
export async function photoFetches(system: System): Promise<Measurement> {
  const folder = system.environmentOf('profile')['PHOTO_DIR'] ?? '';
  const files = (await readdir(folder)).filter((name) => name.endsWith(ending)).map((name) => `/${name}`);
  const addresses = await addressesOf(system);
  const bare = await startBareFiles(folder, files[0] ?? '');
  try {
    const [reference, own]: Pace[][] = [[], []];
    for (let round = 0; round < effort.rounds + effort.warmRounds; round += 1) {
      const rounds = [await load(bare.url, files), await load(system.urlOf('profile'), addresses)] as const;
      if (round < effort.warmRounds) continue;
      reference?.push(rounds[0]);
      own?.push(rounds[1]);
    }
    const what = `p99 of a photo file, ${connections} at once, × bare HTTP`;
    return measurement(what, 'ms', slowest(own ?? []), slowest(reference ?? []), 'no goal');
  } finally {
    await bare.stop();
  }
}
