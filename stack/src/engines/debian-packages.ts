import { existsSync, readFileSync } from 'node:fs';
import { chmod, mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { CommandError } from '@covalence/runtime/command-error';
import type { StartOptions } from './engine.ts';
import { findCommand } from './find-command.ts';
import { runCommand } from './run-command.ts';
import { withLock } from './socket-lock.ts';

const installMilliseconds = 15 * 60_000;

/** Debian runs this script before it starts a newly installed service; exit code 101 forbids it. */
const servicePolicy = '/usr/sbin/policy-rc.d';
const forbidServices = '#!/bin/sh\n# Left by an interrupted start of Covalence; can be deleted.\nexit 101\n';

/**
 * The path of a server or tool; installs its Debian package if it is missing.
 * @throws CommandError when it cannot be installed.
 */
export async function requireCommand(wanted: {
  title: string;
  commands: readonly string[];
  package: string;
  /** The variable that makes the command unnecessary. */
  variable: string;
  options: StartOptions;
}): Promise<string> {
  const { commands, options, title, variable } = wanted;
  const found = findCommand(commands, options.environment);
  if (found !== undefined) return found;
  await installPackage(wanted.package, options, `${title} is not installed`, variable);
  const installed = findCommand(commands, options.environment);
  if (installed !== undefined) return installed;
  throw new CommandError(
    `The package ${wanted.package} has no ${commands.at(-1)}: install ${title}, or set ${variable}`,
  );
}

async function installPackage(
  name: string,
  options: StartOptions,
  problem: string,
  variable: string,
): Promise<void> {
  const apt = findCommand(['apt-get'], options.environment);
  if (apt === undefined) {
    throw new CommandError(`${problem}: install ${name} with your package manager, or set ${variable}`);
  }
  if (process.getuid?.() !== 0) {
    throw new CommandError(
      `${problem}: run "sudo apt-get install ${name}" (or start as root), or set ${variable}`,
    );
  }
  options.progress(`${name}: installing the Debian package`);
  const failure = await withLock('apt-get', options.signal, async () =>
    withServicesForbidden(servicePolicy, async () => aptInstall(apt, name, options)),
  );
  if (failure !== undefined) {
    throw new CommandError(
      `${problem} and "apt-get install ${name}" failed (${failure}): install it, or set ${variable}`,
    );
  }
}

/** Installs a package, the second time with updated package lists. Resolves with the error, if any. */
async function aptInstall(apt: string, name: string, options: StartOptions): Promise<string | undefined> {
  const environment = { ...options.environment, DEBIAN_FRONTEND: 'noninteractive' };
  const run = { environment, milliseconds: installMilliseconds, signal: options.signal };
  const retries = ['-o', 'DPkg::Lock::Timeout=300', '-o', 'Acquire::Retries=3'];
  const install = [...retries, 'install', '--yes', '--no-install-recommends', name];
  if ((await runCommand(apt, install, run)).ok) return undefined;
  await runCommand(apt, [...retries, 'update'], run);
  const second = await runCommand(apt, install, run);
  return second.ok ? undefined : lastError(second.output);
}

function lastError(output: string): string {
  const lines = output.split('\n').filter((line) => line.trim() !== '');
  return (lines.findLast((line) => line.startsWith('E: ')) ?? lines.at(-1) ?? 'no output').trim();
}

/** Runs work while no package can start its service. Keeps a policy that the machine already has. */
export async function withServicesForbidden<T>(policy: string, work: () => Promise<T>): Promise<T> {
  if (existsSync(policy) && readFileSync(policy, 'utf8') !== forbidServices) return work();
  await mkdir(dirname(policy), { recursive: true });
  await writeFile(policy, forbidServices);
  await chmod(policy, 0o755);
  try {
    return await work();
  } finally {
    await rm(policy, { force: true });
  }
}
