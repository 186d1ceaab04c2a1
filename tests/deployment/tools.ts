import { goTool, isThere, run, ToolAway } from '@covalence/testing/tools';
import { pythonWith } from '@covalence/testing/python';
import { dirname, join } from 'node:path';

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
