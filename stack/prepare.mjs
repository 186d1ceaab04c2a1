import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { constants } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const modules = join(root, 'node_modules');
/** The Node.js of the workspace (package `node`), which everything after the installation runs on. */
const node = join(modules, 'node/bin/node');
const stampFile = join(modules, '.covalence-installed');
const pausesMs = [2_000, 5_000];
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];

const read = (...path) => readFileSync(join(root, ...path), 'utf8');
/** On standard error: what a command prints may be kept or passed on, and what prepares it is none of that. */
const say = (line) => process.stderr.write(`${line}\n`);

/** Folders of the workspace, from the `packages` list of pnpm-workspace.yaml: a folder, or every folder in one (`libs/*`). */
function workspaceFolders() {
  const list = /^packages:\n((?: +- .*\n)+)/m.exec(read('pnpm-workspace.yaml'))?.[1] ?? '';
  const patterns = [...list.matchAll(/- ['"]?([^'"\n]+)/g)].map(([, pattern]) => pattern);
  return patterns.flatMap((pattern) => {
    if (!pattern.endsWith('/*')) return [pattern];
    const parent = pattern.slice(0, -2);
    const names = readdirSync(join(root, parent)).sort((one, other) => (one < other ? -1 : 1));
    return names.map((name) => `${parent}/${name}`);
  });
}

/** Changes whenever something else has to be installed. */
function installStamp() {
  const manifests = ['.', ...workspaceFolders()].map((folder) => join(folder, 'package.json'));
  const files = ['pnpm-lock.yaml', 'pnpm-workspace.yaml', ...manifests];
  const hash = createHash('sha256');
  for (const file of files) if (existsSync(join(root, file))) hash.update(`${file}\n`).update(read(file));
  return hash.digest('hex');
}

/** Starts a program of ours; signals sent to this process are passed on to it. Resolves when it has ended. */
function run(program, args, stdio, started = () => {}) {
  const child = spawn(program, args, { cwd: root, stdio });
  const pass = (signal) => child.kill(signal);
  for (const signal of signals) process.on(signal, pass);
  started(child);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      for (const name of signals) process.off(name, pass);
      resolve({ code: code ?? 128 + constants.signals[signal], signal });
    });
  });
}

/** Runs a step of the preparation with its output on our standard error; true when it succeeded. A signal ends it and us. */
async function step(program, args) {
  const { code, signal } = await run(program, args, ['ignore', 2, 2]);
  if (signal) process.exit(code);
  return code === 0;
}

/** Installs the locked dependencies with the pnpm that package.json names, unless they are there already. */
async function install() {
  const stamp = installStamp();
  if (existsSync(node) && existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return;
  const { packageManager } = JSON.parse(read('package.json'));
  const begun = Date.now();
  const seconds = () => Math.round((Date.now() - begun) / 1_000);
  say('Installing the dependencies; the first time this may take a minute …');
  const sign = setInterval(() => say(`… still installing after ${seconds()} s`), 10_000);
  try {
    for (const pause of [...pausesMs, undefined]) {
      if (await step('npx', ['-y', packageManager, 'install', '--frozen-lockfile', '--loglevel=error'])) {
        writeFileSync(stampFile, stamp);
        return;
      }
      if (pause === undefined) break;
      say(`That failed; trying again in ${pause / 1_000} s …`);
      await wait(pause);
    }
  } finally {
    clearInterval(sign);
  }
  throw new Error(
    'The dependencies could not be installed: see the lines above. Check the network, and the registry of `npm config get registry`.',
  );
}

/** Builds what changed. */
async function build(command) {
  // The others take a moment only, and mostly nothing has changed.
  if (command === 'start' || command === 'test') say('Building …');
  if (!(await step(node, [join(modules, 'typescript/bin/tsc'), '-b']))) {
    throw new Error('The build failed: see the lines above.');
  }
}

/**
 * Runs `work` while no other bootstrap of this folder does. The lock is a socket of Linux's abstract namespace: it ends
 * with its process, however that dies.
 */
async function alone(work) {
  const name = `\0covalence-build-${createHash('sha256').update(root).digest('hex').slice(0, 16)}`;
  const waiting = new Set();
  const lock = createServer((client) => waiting.add(client.on('error', () => {})));
  const taken = () =>
    new Promise((resolve, reject) => {
      lock.once('error', (error) => (error.code === 'EADDRINUSE' ? resolve(true) : reject(error)));
      lock.listen(name, () => resolve(false));
    });
  const freed = () =>
    new Promise((resolve) => connect(name).on('error', resolve).on('close', resolve).resume());
  for (let first = true; await taken(); first = false) {
    if (first) say('Waiting for another start or test run of this folder to finish building …');
    await freed();
  }
  try {
    await work();
  } finally {
    lock.close();
    for (const client of waiting) client.destroy();
  }
}

/** The name of a process and the number of its parent; empty when it is gone. */
function processOf(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const [, name, parent] = /^\d+ \((.*)\) \S (\d+)/s.exec(stat) ?? [];
    return { name, parent };
  } catch {
    return {};
  }
}

/** Whether the npm that runs this script is still there; between it and us may be a shell. */
function npmWatch() {
  const parent = process.ppid;
  const { name, parent: grandparent } = processOf(parent);
  const viaShell = /^(sh|dash|bash|zsh|ksh)$/.test(name);
  return () => process.ppid === parent && (!viaShell || processOf(parent).parent === grandparent);
}

/**
 * Runs the stack's own program and ends as it ends. Should npm or this process be killed outright, the program loses its
 * channel to us and stops by itself.
 */
async function runMain(args) {
  // Compiled code is kept, as stack/src/checkout.ts has it for the parts: the program starts sooner, and what it starts.
  process.env.NODE_COMPILE_CACHE ??= join(root, '.data/code-cache');
  const [program, rest] = args[0] === 'covalence' ? ['cli', args.slice(1)] : ['stack', args];
  const main = join(root, program, 'dist/main.js');
  const isNpmThere = npmWatch();
  const stopWithNpm = (child) =>
    setInterval(() => {
      if (child.connected && !isNpmThere()) child.disconnect();
    }, 500).unref();
  const { code } = await run(
    node,
    ['--enable-source-maps', main, ...rest],
    ['inherit', 'inherit', 'inherit', 'ipc'],
    (child) => process.env.npm_lifecycle_event && stopWithNpm(child),
  );
  process.exit(code);
}

/** Installs, builds, and runs the stack's program with the arguments; `install` alone ends after the first of these. */
export async function prepareAndRun(args) {
  if (process.platform !== 'linux') throw new Error('Covalence runs on Linux (on Windows: in WSL).');
  await alone(async () => {
    await install();
    if (args[0] !== 'install') await build(args[0]);
  });
  if (args[0] !== 'install') await runMain(args);
}
