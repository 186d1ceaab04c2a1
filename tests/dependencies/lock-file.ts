import { parse } from 'yaml';
import { z } from 'zod';

const dependencySchema = z.object({ specifier: z.string(), version: z.string() });
const groupSchema = z.record(z.string(), dependencySchema).default({});

const lockSchema = z.object({
  importers: z.record(
    z.string(),
    z.object({
      dependencies: groupSchema,
      devDependencies: groupSchema,
      optionalDependencies: groupSchema,
    }),
  ),
  packages: z.record(z.string(), z.object({ resolution: z.record(z.string(), z.unknown()) })),
});

/** An exact version, the catalog or a workspace package. */
const exact = /^(\d+\.\d+\.\d+(-[\w.]+)?|catalog:|workspace:\*)$/;
const nameAndVersion = /^(@[\w.-]+\/)?[\w.-]+@\d[\w.+-]*$/;
const sha512 = /^sha512-[A-Za-z0-9+/]{86}==$/;

/**
 * Problems of a lock file: every package must come from the registry by name and version with a SHA-512 hash,
 * not from a URL, repository or folder.
 */
export function lockProblems(text: string): string[] {
  const { importers, packages } = lockSchema.parse(parse(text));
  const asked = Object.entries(importers).flatMap(
    ([folder, { dependencies, devDependencies, optionalDependencies }]) =>
      Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies })
        .filter(([, { specifier }]) => !exact.test(specifier))
        .map(
          ([name, { specifier }]) => `${folder} asks for ${name} '${specifier}', which is not one version`,
        ),
  );
  const locked = Object.entries(packages).flatMap(([key, { resolution }]) => {
    const { integrity, ...elsewhere } = resolution;
    if (!nameAndVersion.test(key)) return [`${key} is not a version of the registry`];
    if (Object.keys(elsewhere).length) return [`${key} comes from ${JSON.stringify(elsewhere)}`];
    return typeof integrity === 'string' && sha512.test(integrity) ? [] : [`${key} has no SHA-512`];
  });
  return [...asked, ...locked];
}
