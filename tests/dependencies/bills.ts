import { Ajv, type AnySchemaObject, type ErrorObject } from 'ajv';
import addFormats from 'ajv-formats';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { pnpm } from './pnpm.ts';

/** The images, and the console, which the image of the gateway serves. */
const packages = ['gateway', 'auth', 'profile', 'search', 'billing', 'updates', 'cli', 'console'];

const dependsOn = z.array(z.string()).default([]);
const billSchema = z.looseObject({
  metadata: z.looseObject({}),
  components: z.array(z.looseObject({ 'bom-ref': z.string() })),
  dependencies: z.array(z.looseObject({ ref: z.string(), dependsOn })).optional(),
});

/** A CycloneDX bill of materials. */
type Bill = z.output<typeof billSchema>;

const fileOf = (name: string) => `${name}.SNAPSHOT.schema.json`;
const schema = (name: string): AnySchemaObject => {
  const folder = import.meta.resolve('@cyclonedx/cyclonedx-library/package.json');
  return JSON.parse(readFileSync(new URL(`res/schema/${fileOf(name)}`, folder), 'utf8')) as AnySchemaObject;
};

const textOf = ({ instancePath, message }: ErrorObject) => `${instancePath || '/'} ${message}`;

/** Returns a check against the schema of CycloneDX 1.7, which names each problem. */
export function createBillCheck(): (bill: unknown) => string[] {
  const ajv = new Ajv({ strict: false });
  addFormats.default(ajv);
  // Formats of international addresses, which the package does not know.
  for (const format of ['iri-reference', 'idn-email']) ajv.addFormat(format, true);
  for (const name of ['spdx', 'jsf-0.82', 'cryptography-defs'])
    ajv.addSchema(schema(name), `http://cyclonedx.org/schema/${fileOf(name)}`);
  const check = ajv.compile(schema('bom-1.7'));
  return (bill) => (check(bill) ? [] : (check.errors ?? []).map(textOf));
}

const ordered = (values: readonly string[]) => values.toSorted((one, other) => (one < other ? -1 : 1));
const orderedBy = <Value>(values: readonly Value[], keyOf: (value: Value) => string): Value[] =>
  values.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));

/**
 * The same bill for the same content, which pnpm lists in any order: sorted, dated by the commit, and with a
 * number made of what it says.
 */
export function repeatable(bill: Bill, committed: string): Bill {
  const same = {
    ...bill,
    metadata: { ...bill.metadata, timestamp: committed },
    components: orderedBy(bill.components, (component) => component['bom-ref']),
    ...(bill.dependencies && {
      dependencies: orderedBy(bill.dependencies, ({ ref }) => ref).map((each) => ({
        ...each,
        dependsOn: ordered(each.dependsOn),
      })),
    }),
    serialNumber: '',
  };
  const hash = createHash('sha256').update(JSON.stringify(same)).digest('hex');
  // A UUID of version 8: of bits that an application chooses.
  const uuid = hash.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-8$3-a$4-$5');
  return { ...same, serialNumber: `urn:uuid:${uuid}` };
}

/** Adds the image that the Dockerfile builds upon, whose packages the bill does not name. */
export function onBaseImage(bill: Bill, dockerfile: string): Bill {
  const [, version, digest] = /^FROM node:(\S+)@sha256:([0-9a-f]{64}) AS image$/m.exec(dockerfile) ?? [];
  if (!version || !digest) throw new Error('the Dockerfile names no base image by its digest');
  const purl = `pkg:docker/node@${version}`;
  const base = { type: 'container', name: 'node', version, purl, 'bom-ref': purl };
  const hashes = [{ alg: 'SHA-256', content: digest }];
  const compositions = [{ aggregate: 'incomplete', assemblies: [purl] }];
  return { ...bill, components: [...bill.components, { ...base, hashes }], compositions };
}

/** The bill of each package as it is deployed, and of the workspace with its tools; dated by the commit. */
export async function readBills(root: string, committed: string): Promise<ReadonlyMap<string, Bill>> {
  const folder = mkdtempSync(join(tmpdir(), 'bills-'));
  const sbom = 'sbom --sbom-format cyclonedx --sbom-spec-version 1.7 --sbom-type application'.split(' ');
  const filters = packages.map((name) => `--filter=@covalence/${name}`);
  const dockerfile = readFileSync(join(root, 'Dockerfile'), 'utf8');
  const write = async (before: readonly string[], after: readonly string[], name: string) => {
    const { isDone, problem } = await pnpm(root, [...before, ...sbom, ...after, '--out', join(folder, name)]);
    if (!isDone) throw new Error(problem);
  };
  const read = (name: string) => billSchema.parse(JSON.parse(readFileSync(join(folder, name), 'utf8')));
  try {
    await write([], [], 'workspace.json');
    // It has what a package of the workspace depends on where pnpm met it first, which varies.
    const { dependencies: _varies, ...workspace } = read('workspace.json');
    await write(filters, ['--prod', '--split'], '%s.json');
    const bills = packages.map((name): [string, Bill] => {
      const bill = read(`covalence-${name}.json`);
      return [name, name === 'console' ? bill : onBaseImage(bill, dockerfile)];
    });
    const all: [string, Bill][] = [['workspace', workspace], ...bills];
    return new Map(all.map(([name, bill]) => [name, repeatable(bill, committed)]));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
