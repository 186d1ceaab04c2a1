/**
 * Compares two checkouts that run `npm start`, e.g. with and without a patch: rounds of load in turns, and the medians of their
 * ratios. Usage, on Linux: `pnpm exec node bench/pairs.ts FOLDER OTHER_FOLDER [search] [record] [own]`.
 */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Agent, request } from 'undici';
import { pace, type Pace } from './load.ts';
import { median } from './measurement.ts';
import { usage } from './processor-time.ts';
import { searches } from './searches.ts';
import { register } from './system.ts';

const rounds = 7;
const warmUpRounds = 4;
const seconds = 4;

/** The members that send the load. */
const members = 4;

interface Round extends Pace {
  readonly processorMs: number;
}

interface Demo {
  readonly base_url: string;
  readonly client_id: string;
  readonly client_secret: string;
  readonly redirect_uri: string;
}

/** Milliseconds of processor time that the services of a folder have used; engines are not counted. */
function servicesTime(folder: string): number {
  const isService = (pid: string) => {
    const [program = '', ...rest] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
    return (
      program.endsWith('/node') &&
      rest.some((word) => word.startsWith(folder) && word.endsWith('/dist/main.js'))
    );
  };
  return usage(isService).ms;
}

async function connect(folder: string) {
  const demo = JSON.parse(readFileSync(join(folder, '.data/demo.json'), 'utf8')) as Demo;
  const { base_url: url, client_id, client_secret, redirect_uri } = demo;
  const client = { client_id, client_secret };
  const dispatcher = new Agent({ connections: 32 });
  const send = async (path: string, options: { headers?: Record<string, string>; body?: string } = {}) => {
    const method = options.body === undefined ? 'GET' : 'POST';
    const { statusCode, body } = await request(url + path, { dispatcher, method, ...options });
    const text = await body.text();
    if (statusCode >= 400) throw new Error(`${path}: ${statusCode} ${text}`);
    return text;
  };
  // Names that no earlier run has taken.
  const first = members * Date.now();
  const createSender = async (number: number) => {
    const member = await register({ profile: url, auth: url }, client, first + number, redirect_uri);
    const headers = { authorization: `Bearer ${member.accessToken}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ age: { from: 20, to: 60 }, pagesize: 40 });
    const { users } = JSON.parse(await send('/searches', { headers, body })) as { users: { id: number }[] };
    return { headers, found: users.map(({ id }) => id) };
  };
  const senders = await Promise.all(Array.from({ length: members }, (_one, number) => createSender(number)));
  let calls = 0;
  const next = () => {
    calls += 1;
    const { headers, found } = senders[calls % members] ?? { headers: {}, found: [] };
    return {
      headers,
      found: found[calls % found.length],
      search: JSON.stringify(searches[calls % searches.length]),
    };
  };
  const loads: Readonly<Record<string, readonly [workers: number, work: () => Promise<string>]>> = {
    search: [4, () => (({ headers, search }) => send('/searches', { headers, body: search }))(next())],
    record: [8, () => (({ headers, found }) => send(`/users/${found}`, { headers }))(next())],
    own: [8, () => send('/users/self', { headers: next().headers })],
  };
  return async (name: string): Promise<Round> => {
    const [workers, work] = loads[name] ?? [];
    if (!workers || !work) throw new Error(`There is no load '${name}': ${Object.keys(loads).join(', ')}.`);
    const before = servicesTime(folder);
    const measured = await pace(seconds, workers, work);
    const used = servicesTime(folder) - before;
    return { ...measured, processorMs: used / (measured.perSecond * seconds) };
  };
}

const [folder = '.', otherFolder = '.', ...names] = process.argv.slice(2);
const [one, other] = await Promise.all([connect(resolve(folder)), connect(resolve(otherFolder))]);
for (const name of names.length ? names : ['search', 'record', 'own']) {
  const pairs: { readonly one: Round; readonly other: Round }[] = [];
  for (let round = -warmUpRounds; round < rounds; round += 1) {
    const isSwapped = round % 2 === 0;
    const first = await (isSwapped ? other : one)(name);
    const second = await (isSwapped ? one : other)(name);
    if (round >= 0) pairs.push(isSwapped ? { one: second, other: first } : { one: first, other: second });
  }
  for (const figure of ['processorMs', 'p50', 'p99', 'perSecond'] as const) {
    const ratio = median(pairs.map((pair) => pair.other[figure] / pair.one[figure]));
    const [mine, others] = (['one', 'other'] as const).map((side) =>
      median(pairs.map((pair) => pair[side][figure])),
    );
    process.stdout.write(
      `${name} ${figure}: ${mine?.toFixed(2)}, ${others?.toFixed(2)}, ratio ${ratio.toFixed(2)}\n`,
    );
  }
}
