import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Requests a second that an address answers to 64 connections, wrk being on the second core. */
export async function loadWithWrk(options: {
  readonly wrk: string;
  readonly url: string;
  readonly seconds: number;
  readonly authorization?: string;
  /** Refusals are what is expected. */
  readonly refusals?: boolean;
  /** Sends without waiting for answers. */
  readonly pipelined?: boolean;
}): Promise<number> {
  const { wrk, url, seconds, authorization, refusals = false, pipelined = false } = options;
  const headers = authorization === undefined ? [] : ['-H', `Authorization: ${authorization}`];
  const script = pipelined ? ['-s', fileURLToPath(new URL('pipelined.lua', import.meta.url))] : [];
  const args = ['-c', '1', wrk, '-t1', '-c64', `-d${seconds}s`, ...script, ...headers, url];
  const { stdout } = await run('taskset', args);
  const refused = /Non-2xx or 3xx responses: (\d+)/.exec(stdout)?.[1];
  if (refused !== undefined && !refusals) throw new Error(`${url}: ${refused} answers were no 2xx`);
  return Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1]);
}
