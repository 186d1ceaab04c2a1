import { goTool, isThere, run, ToolAway } from '@covalence/testing/tools';
import { pythonWith } from '@covalence/testing/python';
import { dirname, join } from 'node:path';

/** The oldest supported Kubernetes version: the first with the `sleep` lifecycle action by default. */
export const kubernetes = '1.34';

/** A program of the packages in requirements.txt. */
export async function pythonTool(name: string): Promise<string> {
  const requirements = join(import.meta.dirname, 'requirements.txt');
  const python = await pythonWith(requirements).catch((error: Error) => {
    throw new ToolAway(error.message, { cause: error });
  });
  return join(dirname(python), name);
}

/** Renders a kustomization by kubectl or kustomize. */
export async function kustomize(folder: string): Promise<string> {
  if (await isThere('kubectl')) return run('kubectl', ['kustomize', folder]);
  const pack = 'sigs.k8s.io/kustomize/kustomize/v5';
  const program = await goTool({ name: 'kustomize', pack, version: 'v5.7.1' });
  return run(program, ['build', folder]);
}

/** Checks the kinds of Kubernetes itself in files of manifests. */
export async function validateManifests(files: readonly string[]): Promise<void> {
  // The first line of an installed script names the folder where it was installed.
  const validate = [await pythonTool('kubernetes-validate'), '--strict', '--quiet'];
  await run(await pythonTool('python'), [...validate, '-k', kubernetes, ...files]);
}
