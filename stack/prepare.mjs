import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { constants } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const modules = join(root, 'node_modules');
/** The Node.js of the workspace (package `node`), which runs everything after the installation. */
const node = join(modules, 'node/bin/node');
const stampFile = join(modules, '.covalence-installed');
const consoleFile = join(modules, '.covalence-console');
const pausesMs = [2_000, 5_000];
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];

const read = (...path) => readFileSync(join(root, ...path), 'utf8');
/** Writes to standard error, because standard output belongs to the command that runs afterwards. */
const say = (line) => process.stderr.write(`${line}\n`);

/** Changes whenever the installed packages have to change. */
const installStamp = () =>
  createHash('sha256').update(read('pnpm-lock.yaml')).update(read('pnpm-workspace.yaml')).digest('hex');

/** Runs a program and forwards signals to it. Resolves when it has ended. */
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

/** Runs a preparation step with its output on standard error; resolves with whether it succeeded. Exits on a signal. */
async function step(program, args) {
  const { code, signal } = await run(program, args, ['ignore', 2, 2]);
  if (signal) process.exit(code);
  return code === 0;
}

/** Installs the locked dependencies with the pnpm of package.json, unless they are installed already. */
async function install() {
  const stamp = installStamp();
  if (existsSync(node) && existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return;
  const { packageManager } = JSON.parse(read('package.json'));
  const begun = Date.now();
  const seconds = () => Math.round((Date.now() - begun) / 1_000);
  say('Installing the dependencies; the first time this takes about a minute …');
  const timer = setInterval(() => say(`… still installing after ${seconds()} s`), 10_000);
  try {
    for (const pause of [...pausesMs, undefined]) {
      if (await step('npx', ['-y', packageManager, 'install', '--frozen-lockfile', '--loglevel=error'])) {
        writeFileSync(stampFile, stamp);
        return;
      }
      if (pause === undefined) break;
      say(`Installing failed; retrying in ${pause / 1_000} s …`);
      await wait(pause);
    }
  } finally {
    clearInterval(timer);
  }
  throw new Error(
    'The dependencies could not be installed: see the lines above. Check the network and `npm config get registry`.',
  );
}

/** Changes whenever the console has to be built again. */
function consoleStamp() {
  const hash = createHash('sha256').update(installStamp()).update(read('docs/runbooks.md'));
  for (const folder of ['apps/console', 'apps/console/src', 'libs/client/src']) {
    const recursive = folder.endsWith('/src');
    const names = readdirSync(join(root, folder), { recursive });
    for (const name of names.sort((one, other) => one.localeCompare(other)))
      if (/\.(?:css|html|json|tsx?)$/.test(name)) hash.update(name).update(read(folder, name));
  }
  return hash.digest('hex');
}

/** Builds the web application that the gateway serves, if its sources changed. Resolves with whether it succeeded. */
async function buildConsole() {
  const stamp = consoleStamp();
  const folder = join(root, 'apps/console');
  const built = existsSync(join(folder, 'dist/index.html'));
  if (built && existsSync(consoleFile) && readFileSync(consoleFile, 'utf8') === stamp) return true;
  const vite = join(folder, 'node_modules/vite/bin/vite.js');
  if (!(await step(node, [vite, 'build', folder, '--logLevel', 'warn']))) return false;
  writeFileSync(consoleFile, stamp);
  return true;
}

/** Builds what changed. */
async function build(command) {
  const isWhole = command === 'start' || command === 'test';
  if (isWhole) say('Building, which takes a minute or more the first time …');
  const isBuilt = await step(node, [join(modules, 'typescript/bin/tsc'), '-b']);
  if (!isBuilt || (isWhole && !(await buildConsole()))) {
    throw new Error('The build failed: see the lines above.');
  }
}

/** Runs `work` under a lock of this checkout: an abstract socket of Linux, which the kernel closes with the process. */
async function withLock(work) {
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

/** Runs `stack` or `cli` and exits with its code. When npm or this process is killed, its IPC channel closes and it stops. */
async function runMain(args) {
  // Node.js would create it readable for everybody.
  mkdirSync(join(root, '.data'), { recursive: true, mode: 0o700 });
  process.env.NODE_COMPILE_CACHE ??= join(root, '.data/code-cache');
  const [main, rest] =
    args[0] === 'covalence' ? ['cli/dist/covalence.js', args.slice(1)] : ['stack/dist/main.js', args];
  const parent = process.ppid;
  const stopWithNpm = (child) =>
    setInterval(() => {
      if (child.connected && process.ppid !== parent) child.disconnect();
    }, 500).unref();
  const { code } = await run(
    node,
    ['--enable-source-maps', join(root, main), ...rest],
    ['inherit', 'inherit', 'inherit', 'ipc'],
    (child) => process.env.npm_lifecycle_event && stopWithNpm(child),
  );
  process.exit(code);
}

/** Installs, builds and runs the program for the arguments; `install` only installs. */
export async function prepareAndRun(args) {
  if (process.platform !== 'linux') throw new Error('Covalence runs on Linux (on Windows: in WSL).');
  await withLock(async () => {
    await install();
    if (args[0] !== 'install') await build(args[0]);
  });
  if (args[0] !== 'install') await runMain(args);
}
