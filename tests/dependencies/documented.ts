/** Dependency fields of a package.json. */
export interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

/** Direct dependencies of all manifests, without workspace packages and types. */
export function directDependencies(manifests: readonly Manifest[]): ReadonlySet<string> {
  const names = manifests.flatMap((one) => Object.keys({ ...one.dependencies, ...one.devDependencies }));
  return new Set(names.filter((name) => !name.startsWith('@covalence/') && !name.startsWith('@types/')));
}

/** Packages in the first cells of the tables of docs/dependencies.md. */
function documentedDependencies(page: string): ReadonlySet<string> {
  const firstCells = page.split('\n').map((line) => /^\| (`[^|]*)\|/.exec(line)?.[1] ?? '');
  return new Set(firstCells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)));
}

/** Differences between page and manifests, one per line. */
export function documentationProblems(page: string, direct: ReadonlySet<string>): string[] {
  const documented = documentedDependencies(page);
  const missing = [...direct].filter((name) => !documented.has(name));
  const unused = [...documented].filter((name) => !direct.has(name));
  return [
    ...missing.map((name) => `${name} is missing from docs/dependencies.md`),
    ...unused.map((name) => `docs/dependencies.md names ${name}, which nothing asks for`),
  ];
}
