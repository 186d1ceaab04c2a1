import { cpSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fill, read, root } from './files.ts';
import { kustomize } from './tools.ts';

/** Components that the kustomization of production names in comments. */
type Component = 'backup' | 'authority' | 'gateway-api' | 'keda' | 'canary';

/** The rendered overlays, and production with some of the components. Canaries are not in the chart. */
export const overlays: Readonly<Record<string, readonly Component[]>> = {
  local: [],
  production: [],
  routes: ['gateway-api'],
  scaling: ['keda'],
  backup: ['backup'],
  canary: ['gateway-api', 'keda', 'canary'],
  everything: ['backup', 'authority', 'gateway-api', 'keda'],
};

/** The overlay that another one starts from. */
export const baseOf = (overlay: string): string => (overlay === 'local' ? 'local' : 'production');

/** Copies the manifests to a place within a folder, with filled in Secrets; returns the folder of the copy. */
function copyManifests(folder: string): string {
  const place = mkdtempSync(join(folder, 'manifests-'));
  const copy = join(place, 'k8s');
  cpSync(join(root, 'k8s'), copy, { recursive: true, verbatimSymlinks: true });
  cpSync(join(root, 'config'), join(place, 'config'), { recursive: true });
  const secrets = 'overlays/local/secrets';
  for (const example of readdirSync(join(copy, secrets)).filter((name) => name.endsWith('.example'))) {
    const file = join(copy, secrets, example.replace(/\.example$/, ''));
    writeFileSync(file, fill(read(`k8s/${secrets}/${example}`)));
  }
  const production = join(copy, 'overlays/production');
  const text = readFileSync(join(production, 'kustomization.yaml'), 'utf8');
  for (const [overlay, used] of Object.entries(overlays)) {
    if (!used.length) continue;
    cpSync(production, join(copy, 'overlays', overlay), { recursive: true });
    const lines = ['components:', ...used.map((name) => `  - ../../components/${name}`)];
    writeFileSync(
      join(copy, 'overlays', overlay, 'kustomization.yaml'),
      lines.reduce((all, line) => all.replace(`\n# ${line}\n`, `\n${line}\n`), text),
    );
  }
  return copy;
}

/** Renders every overlay into a folder; returns the files. */
export async function renderOverlays(folder: string): Promise<string[]> {
  const copy = copyManifests(folder);
  return Promise.all(
    Object.keys(overlays).map(async (overlay) => {
      const file = join(folder, `${overlay}.yaml`);
      writeFileSync(file, await kustomize(join(copy, 'overlays', overlay)));
      return file;
    }),
  );
}
