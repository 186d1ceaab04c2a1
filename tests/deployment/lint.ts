import { goTool, run, ToolAway } from '@covalence/testing/tools';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkCanary } from './canary-cases.ts';
import { checkChart } from './chart.ts';
import { checkCustomResources } from './custom-resources.ts';
import { startDeployedServices } from './deployed-services.ts';
import { fill, read, root } from './files.ts';
import { promtool } from './prometheus.ts';
import { renderOverlays } from './render.ts';
import { checkScaling } from './scaling.ts';
import { checkSignatures } from './signatures.ts';
import { kubernetes, pythonTool, validateManifests } from './tools.ts';

/** Skipped kube-score checks with reasons. */
const scoreIgnored = {
  'container-image-pull-policy':
    'images are named by version, so the one that a node has is the one that is meant',
  'container-resources':
    'a limit of processor time makes a process wait in the middle of a request; memory has one',
  'deployment-has-host-podantiaffinity': 'topology spread does it, and lets a small cluster start',
};

const dockerfile = async () => {
  await run(await pythonTool('hadolint'), ['Dockerfile'], { cwd: root });
};

const manifests = async (folder: string) => validateManifests(await renderOverlays(folder));

const score = async (folder: string, mayBuild: boolean) => {
  const pack = 'github.com/zegl/kube-score/cmd/kube-score';
  const program = await goTool({ name: 'kube-score', pack, version: 'v1.20.0' }, mayBuild);
  const [, production = ''] = await renderOverlays(folder);
  const ignored = Object.keys(scoreIgnored).flatMap((test) => ['--ignore-test', test]);
  await run(program, [
    'score',
    '--kubernetes-version',
    `v${kubernetes}`,
    '--output-format',
    'ci',
    ...ignored,
    production,
  ]);
};

const compose = async (folder: string, mayBuild: boolean) => {
  const pack = 'github.com/docker/compose/v2/cmd';
  const program = await goTool({ name: 'docker-compose', pack, version: 'v2.40.3' }, mayBuild);
  writeFileSync(join(folder, '.env'), fill(read('.env.example')));
  const files = ['docker-compose.yml', 'docker-compose.backup.yml'].flatMap((file) => [
    '--file',
    join(root, file),
  ]);
  const args = ['--project-directory', root, '--env-file', join(folder, '.env'), ...files];
  const env = { ...process.env, BACKUP_RECIPIENTS: 'age1…' };
  await run(program, [...args, '--profile', 'backup', 'config', '--quiet'], { env });
};

const alerts = async (_folder: string, mayBuild: boolean) => {
  const program = await promtool(mayBuild);
  const cwd = join(root, 'observability');
  const files = readdirSync(cwd).filter((name) => name.endsWith('.yaml'));
  const tests = files.filter((name) => name.endsWith('.test.yaml'));
  await run(program, ['check', 'rules', ...files.filter((name) => !tests.includes(name))], { cwd });
  await run(program, ['test', 'rules', ...tests], { cwd });
};

/** Each takes seconds, once its tool is built or fetched. */
const checks: Readonly<Record<string, (folder: string, mayBuild: boolean) => Promise<void>>> = {
  'Dockerfile (hadolint)': dockerfile,
  'manifests (kustomize, kubernetes-validate)': manifests,
  'images (pnpm deploy, started from there; with --all, the commit built twice)': startDeployedServices,
  'manifests (kube-score)': score,
  'docker-compose.yml (docker compose config)': compose,
  'chart (helm, equal to the overlays)': checkChart,
  'custom resources (definitions of their operators)': checkCustomResources,
  'alerts (promtool)': alerts,
  'canary (promtool; with --all, gateways with injected errors)': checkCanary,
  'scaling (promtool)': checkScaling,
  'signatures (cosign, by the commands of docs/dependencies.md)': checkSignatures,
};

/** `node tests/deployment/lint.ts [--all]`: resolves with whether every check passed. */
async function lint(all: boolean): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), 'lint-deploy-'));
  let sound = true;
  try {
    for (const [name, check] of Object.entries(checks)) {
      try {
        await check(folder, all);
        if (all) process.stdout.write(`${name}: sound\n`);
      } catch (error) {
        // A check without its tool is reported as skipped, and fails with --all.
        const isAway = error instanceof ToolAway;
        process.stderr.write(`${name}: ${isAway ? 'NOT CHECKED: ' : ''}${String(error)}\n`);
        sound &&= isAway && !all;
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return sound;
}

process.exit((await lint(process.argv.includes('--all'))) ? 0 : 1);
