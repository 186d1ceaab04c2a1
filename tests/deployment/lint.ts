import { goTool, run, ToolAway } from '@covalence/testing/tools';
import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startDeployedParts } from './deployed-parts.ts';
import { fill, read, root } from './files.ts';
import { kustomize, pythonTool } from './tools.ts';

const overlays = ['local', 'production'];
/** The oldest supported Kubernetes version: the first with the `sleep` lifecycle action by default. */
const kubernetes = '1.34';

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

/** Renders every overlay into a folder; returns the files. */
async function render(folder: string): Promise<string[]> {
  const copy = join(folder, 'k8s');
  cpSync(join(root, 'k8s'), copy, { recursive: true });
  cpSync(join(root, 'config'), join(folder, 'config'), { recursive: true });
  const secrets = 'overlays/local/secrets';
  for (const example of readdirSync(join(copy, secrets)).filter((name) => name.endsWith('.example'))) {
    const file = join(copy, secrets, example.replace(/\.example$/, ''));
    writeFileSync(file, fill(read(`k8s/${secrets}/${example}`)));
  }
  return Promise.all(
    overlays.map(async (overlay) => {
      const file = join(folder, `${overlay}.yaml`);
      writeFileSync(file, await kustomize(join(copy, 'overlays', overlay)));
      return file;
    }),
  );
}

const manifests = async (folder: string) => {
  const files = await render(folder);
  // The first line of an installed script names the folder where it was installed.
  const validate = [await pythonTool('kubernetes-validate'), '--strict', '--quiet'];
  await run(await pythonTool('python'), [...validate, '-k', kubernetes, ...files]);
};

const score = async (folder: string, mayBuild: boolean) => {
  const pack = 'github.com/zegl/kube-score/cmd/kube-score';
  const program = await goTool({ name: 'kube-score', pack, version: 'v1.20.0' }, mayBuild);
  const [, production = ''] = await render(folder);
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
  const args = ['--project-directory', root, '--env-file', join(folder, '.env'), 'config', '--quiet'];
  await run(program, args);
};

const alerts = async (_folder: string, mayBuild: boolean) => {
  // Without the scrape configuration, which needs a cluster.
  const tags = ['remove_all_sd', 'builtinassets'];
  const pack = 'github.com/prometheus/prometheus/cmd/promtool';
  const program = await goTool({ name: 'promtool', pack, version: 'v0.315.0', tags }, mayBuild);
  const cwd = join(root, 'observability');
  const files = readdirSync(cwd).filter((name) => name.endsWith('.yaml'));
  const tests = files.filter((name) => name.endsWith('.test.yaml'));
  await run(program, ['check', 'rules', ...files.filter((name) => !tests.includes(name))], { cwd });
  await run(program, ['test', 'rules', ...tests], { cwd });
};

/** Each takes seconds, once the last three are built. */
const checks: Readonly<Record<string, (folder: string, mayBuild: boolean) => Promise<void>>> = {
  'Dockerfile (hadolint)': dockerfile,
  'manifests (kustomize, kubernetes-validate)': manifests,
  'images (pnpm deploy, started from there)': startDeployedParts,
  'manifests (kube-score)': score,
  'docker-compose.yml (docker compose config)': compose,
  'alerts (promtool)': alerts,
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
