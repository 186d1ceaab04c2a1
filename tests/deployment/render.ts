import { cpSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fill, read, root } from './files.ts';
import { kustomize } from './tools.ts';

/** The overlays of the repository, and the one for production with every component that it names in comments. */
export const overlays = ['local', 'production', 'components'] as const;

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
  const components = join(copy, 'overlays/components');
  cpSync(production, components, { recursive: true });
  const text = readFileSync(join(production, 'kustomization.yaml'), 'utf8');
  writeFileSync(join(components, 'kustomization.yaml'), text.replaceAll(/^# (?=components:|  - )/gm, ''));
  return copy;
}

/** Renders every overlay into a folder; returns the files. */
export async function renderOverlays(folder: string): Promise<string[]> {
  const copy = copyManifests(folder);
  return Promise.all(
    overlays.map(async (overlay) => {
      const file = join(folder, `${overlay}.yaml`);
      writeFileSync(file, await kustomize(join(copy, 'overlays', overlay)));
      return file;
    }),
  );
}
