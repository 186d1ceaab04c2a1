import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Engine, EngineKind, StartOptions } from '../../src/engines/engine.ts';
import { startLocalEngine } from '../../src/engines/local-engine.ts';

/** Options for engines of a test's own: a new folder, no given addresses. `lines` collects the progress. */
export interface TestOptions extends StartOptions {
  readonly folder: string;
  readonly lines: string[];
  environment: Record<string, string | undefined>;
}

/** Makes a new folder for the engines of one suite. */
export function testOptions(environment: Record<string, string | undefined> = {}): TestOptions {
  const folder = mkdtempSync(join(tmpdir(), 'covalence-engines-'));
  const lines: string[] = [];
  const given = { MONGODB_URL: '', ELASTICSEARCH_URL: '', RABBITMQ_URL: '', REDIS_URL: '' };
  return {
    folder,
    lines,
    dataDir: join(folder, 'data'),
    logDir: join(folder, 'logs'),
    environment: { ...process.env, ...given, ...environment },
    progress: (line) => lines.push(line),
    signal: new AbortController().signal,
  };
}

/** Removes what a suite left on disk. */
export function removeFolder(options: TestOptions): void {
  rmSync(options.folder, { recursive: true, force: true });
}

/** Starts the embedded server of a kind even where another is installed. */
export async function startEmbedded(
  kind: EngineKind,
  find: EngineKind['find'],
  options: TestOptions,
): Promise<Engine> {
  return startLocalEngine({ ...kind, find }, options);
}

/** Whether a server accepts connections at another address of this machine than the one it is given out under. */
export async function isOpenToOthers(url: string): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect({ host: '127.0.0.2', port: Number(new URL(url).port) });
  socket.once('connect', () => resolve(true));
  socket.once('error', () => resolve(false));
  return promise.finally(() => socket.destroy());
}

/** Puts a shell script of that name first on a PATH, and returns that PATH. */
export function fakeCommand(options: TestOptions, name: string, script: string): string {
  const folder = join(options.folder, 'bin');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return `${folder}:${process.env['PATH'] ?? ''}`;
}
