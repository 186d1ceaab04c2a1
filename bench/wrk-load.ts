import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** What wrk asks for, again and again, over 64 connections. */
interface WrkLoad {
  /** The path of wrk. */
  readonly wrk: string;
  readonly url: string;
  readonly seconds: number;
  readonly authorization?: string;
}

/** wrk being on the second core. */
const withWrk = async (
  { wrk, url, seconds, authorization }: WrkLoad,
  options: { readonly script?: readonly string[]; readonly signal?: AbortSignal } = {},
): Promise<string> => {
  const { script = [], signal } = options;
  const headers = authorization === undefined ? [] : ['-H', `Authorization: ${authorization}`];
  const args = ['-c', '1', wrk, '-t1', '-c64', `-d${seconds}s`, ...script, ...headers, url];
  const { stdout } = await run('taskset', args, { signal });
  return stdout;
};

/** Requests a second that an address answers. */
export async function loadWithWrk(load: WrkLoad): Promise<number> {
  const stdout = await withWrk(load);
  const refused = /Non-2xx or 3xx responses: (\d+)/.exec(stdout)?.[1];
  if (refused !== undefined) throw new Error(`${load.url}: ${refused} answers were no 2xx`);
  return Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1]);
}

/** A load that asks for as much as it can get, whether or not it is refused; `pipelined` asks without waiting for answers. */
export function startFlood({ pipelined, ...load }: WrkLoad & { readonly pipelined: boolean }): {
  /** Rejects when it was over before. */
  end(): Promise<void>;
} {
  const over = new AbortController();
  const script = pipelined ? ['-s', fileURLToPath(new URL('pipelined.lua', import.meta.url))] : [];
  const ended = withWrk(load, { script, signal: over.signal }).then(
    () => Promise.reject(new Error('the flood was over before what was measured beside it')),
    (error: unknown) => {
      if (!over.signal.aborted) throw error;
    },
  );
  return {
    async end() {
      over.abort();
      await ended;
    },
  };
}
