import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';

/** Debian's commands on PATH switch to their own user; the scripts behind them do not. */
const folder = '/usr/lib/rabbitmq/bin';

/** The environment of a process. */
const environmentOf = (pid: number): NodeJS.ProcessEnv =>
  Object.fromEntries(
    readFileSync(`/proc/${pid}/environ`, 'utf8')
      .split('\0')
      .filter((line) => line.includes('='))
      .map((line) => line.split(/=(.*)/s).slice(0, 2) as [string, string]),
  );

/** Runs a command line tool for the RabbitMQ node of a process; resolves with what it prints. */
export async function rabbitmqCommand(
  pid: number,
  command: 'rabbitmqctl' | 'rabbitmq-plugins',
  args: readonly string[],
): Promise<string> {
  const { stdout } = await promisify(execFile)(`${folder}/${command}`, args, { env: environmentOf(pid) });
  return stdout;
}
