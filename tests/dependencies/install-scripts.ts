import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';

/** Old packages have a list here, which is ignored. */
const noScripts = z.array(z.unknown()).transform(() => ({}));
const scripts = z.union([z.record(z.string(), z.string()), noScripts]).default({});
const manifestSchema = z.object({ name: z.string(), scripts });
const workspaceSchema = z.object({
  allowBuilds: z.record(z.string(), z.boolean()).default({}),
  dangerouslyAllowAllBuilds: z.literal(false).optional(),
});

const atInstall = ['preinstall', 'install', 'postinstall'];

const packagesIn = (folder: string): string[] =>
  readdirSync(folder).flatMap((name) =>
    name.startsWith('@')
      ? readdirSync(join(folder, name)).map((inner) => join(folder, name, inner))
      : [join(folder, name)],
  );

/** Names of installed packages with install scripts; `store` is node_modules/.pnpm. */
export function withInstallScripts(store: string): string[] {
  const names = readdirSync(store)
    .map((entry) => join(store, entry, 'node_modules'))
    .filter((folder) => existsSync(folder))
    .flatMap(packagesIn)
    .filter((folder) => !lstatSync(folder).isSymbolicLink() && existsSync(join(folder, 'package.json')))
    .flatMap((folder) => {
      const { name, scripts } = manifestSchema.parse(
        JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')),
      );
      // npm builds packages with this file without a script.
      const builds = existsSync(join(folder, 'binding.gyp'));
      return builds || atInstall.some((script) => script in scripts) ? [name] : [];
    });
  return [...new Set(names)];
}

/** Problems of the decisions in pnpm-workspace.yaml: undecided packages, and decisions on packages without scripts. */
export function scriptProblems(workspace: string, scripted: readonly string[]): string[] {
  const { allowBuilds } = workspaceSchema.parse(parse(workspace));
  const undecided = scripted.filter((name) => !Object.hasOwn(allowBuilds, name));
  const idle = Object.keys(allowBuilds).filter((name) => allowBuilds[name] && !scripted.includes(name));
  return [
    ...undecided.map((name) => `${name} has an install script, and allowBuilds does not say whether it runs`),
    ...idle.map((name) => `allowBuilds lets ${name} run an install script, and it has none`),
  ];
}
