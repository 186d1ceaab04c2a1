import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { faultsIn, NotChecked } from './advisories.ts';
import { createBillCheck, readBills } from './bills.ts';
import { directDependencies, documentationProblems, type Manifest } from './documented.ts';
import { scriptProblems, withInstallScripts } from './install-scripts.ts';
import { licenseProblems } from './licenses.ts';
import { lockProblems } from './lock-file.ts';
import { pnpm } from './pnpm.ts';
import { readReleases } from './releases.ts';

const root = join(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');

function direct(): ReadonlySet<string> {
  const files = execFileSync('git', ['ls-files', '-z', '*package.json'], { cwd: root, encoding: 'utf8' });
  return directDependencies(
    files
      .split('\0')
      .filter(Boolean)
      .map((file) => JSON.parse(read(file)) as Manifest),
  );
}

async function licenses(): Promise<string[]> {
  const { out, problem } = await pnpm(root, ['--recursive', 'licenses', 'list', '--prod', '--json']);
  const list: unknown = out.startsWith('{') ? JSON.parse(out) : undefined;
  if (list === undefined || !Object.keys(list as object).length)
    throw new Error(problem || 'no packages found');
  return licenseProblems(list);
}

/** Tools are checked too: they run on machines of developers and CI. */
async function advisories(): Promise<string[]> {
  const patience = ['--config.fetch-retries=1', '--config.fetch-timeout=20000'];
  return faultsIn(await pnpm(root, ['audit', '--json', '--audit-level', 'high', ...patience]));
}

const commitDate = () =>
  execFileSync('git', ['log', '-1', '--format=%cI'], { cwd: root, encoding: 'utf8' }).trim();

async function bills(): Promise<string[]> {
  const problemsOf = createBillCheck();
  const all = await readBills(root, commitDate());
  return [...all].flatMap(([name, bill]) => problemsOf(bill).map((problem) => `${name}: ${problem}`));
}

const checks: Readonly<Record<string, () => Promise<string[]> | string[]>> = {
  'licenses of what is shipped': licenses,
  'lock file': () => lockProblems(read('pnpm-lock.yaml')),
  'install scripts': () =>
    scriptProblems(read('pnpm-workspace.yaml'), withInstallScripts(join(root, 'node_modules/.pnpm'))),
  'direct dependencies': () => documentationProblems(read('docs/dependencies.md'), direct()),
  'bills of materials (CycloneDX)': bills,
  'known faults (advisories)': advisories,
};

/** `pnpm audit:deps [--all]`: resolves with whether every check passed. Skipped checks are printed, and fail with --all. */
async function audit(all: boolean): Promise<boolean> {
  let sound = true;
  for (const [name, check] of Object.entries(checks)) {
    try {
      const problems = await check();
      for (const problem of problems) process.stderr.write(`${name}: ${problem}\n`);
      if (!problems.length) process.stdout.write(`${name}: sound\n`);
      sound &&= !problems.length;
    } catch (error) {
      if (!(error instanceof NotChecked)) throw error;
      process.stderr.write(`${name}: NOT CHECKED: ${error.message}\n`);
      sound &&= !all;
    }
  }
  return sound;
}

/** `pnpm audit:deps --releases`: prints the latest release of each direct dependency, the oldest first. */
async function printReleases(): Promise<void> {
  const { out } = await pnpm(root, ['config', 'get', 'registry']);
  for (const { day, name, version } of await readReleases(out.trim(), direct())) {
    process.stdout.write(`${day}  ${name} ${version}\n`);
  }
}

/** `pnpm audit:deps --sbom FOLDER`: writes a bill of the packages in each image, the console and the workspace; a commit gives the same files. */
async function writeBills(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  for (const [name, bill] of await readBills(root, commitDate()))
    writeFileSync(join(folder, `${name}.cdx.json`), `${JSON.stringify(bill, undefined, 2)}\n`);
}

const [option = '', folder = 'sbom'] = process.argv.slice(2);
if (option === '--releases') await printReleases();
else if (option === '--sbom') await writeBills(folder);
else process.exit((await audit(process.argv.includes('--all'))) ? 0 : 1);
