import { isThere, run, ToolAway } from '@covalence/testing/tools';
import { Ajv, type AnySchemaObject } from 'ajv';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { root } from './files.ts';
import { renderOverlays } from './render.ts';

/** Repositories that define custom resources, as Go modules: a proxy of modules serves their files at a version. */
const definitions = [
  ['sigs.k8s.io/gateway-api@v1.6.1', 'config/crd/standard'],
  ['github.com/argoproj/argo-rollouts@v1.9.1', 'manifests/crds'],
  ['github.com/kedacore/keda/v2@v2.20.2', 'config/crd/bases'],
  ['github.com/elastic/cloud-on-k8s/v3@v3.5.0', 'config/crds/v1/resources'],
  ['github.com/rabbitmq/cluster-operator/v2@v2.22.3', 'config/crd/bases'],
  ['github.com/mongodb/mongodb-kubernetes-operator@v0.9.0', 'config/crd/bases'],
  ['github.com/OT-CONTAINER-KIT/redis-operator@v0.26.0', 'config/crd/bases'],
] as const;

/** A custom resource, or the definition of a kind of them. */
interface Resource {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly group?: string;
    readonly names?: { readonly kind: string };
    readonly versions?: readonly {
      readonly name: string;
      readonly schema: { readonly openAPIV3Schema: AnySchemaObject };
    }[];
  };
}

const resourcesIn = (text: string): Resource[] =>
  parseAllDocuments(text).flatMap((document) => (document.contents ? [document.toJS() as Resource] : []));

/** The schemas of a folder of definitions, by API version and kind. */
function schemasIn(folder: string): Map<string, AnySchemaObject> {
  const files = readdirSync(folder).filter((name) => name.endsWith('.yaml'));
  const all = files.flatMap((name) => resourcesIn(readFileSync(join(folder, name), 'utf8')));
  const entries = all.flatMap(({ kind, spec }) =>
    kind === 'CustomResourceDefinition'
      ? (spec.versions ?? []).map(
          ({ name, schema }) =>
            [`${spec.group}/${name} ${spec.names?.kind}`, schema.openAPIV3Schema] as const,
        )
      : [],
  );
  return new Map(entries);
}

/** A schema that refuses unknown fields, which a cluster drops without a word. */
function strict(schema: AnySchemaObject): AnySchemaObject {
  const { properties, items, additionalProperties: more, nullable: _, ...others } = schema;
  const each = Object.entries((properties ?? {}) as Record<string, AnySchemaObject>);
  const open = schema['x-kubernetes-preserve-unknown-fields'] ?? !properties;
  return {
    ...others,
    ...(properties && { properties: Object.fromEntries(each.map(([name, inner]) => [name, strict(inner)])) }),
    ...(items && { items: strict(items as AnySchemaObject) }),
    ...(more
      ? { additionalProperties: more === true || strict(more as AnySchemaObject) }
      : !open && { additionalProperties: false }),
  };
}

/** Problems of a resource. */
function problemsOf(resource: Resource, schema: AnySchemaObject): string[] {
  const { properties, ...others } = strict(schema);
  const known = { apiVersion: {}, kind: {}, ...(properties as Record<string, unknown>), metadata: {} };
  const validate = new Ajv({ strict: false, validateFormats: false, allErrors: true }).compile({
    ...others,
    properties: known,
  });
  const name = `${resource.kind} ${resource.metadata.name}`;
  if (validate(resource)) return [];
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) => `${name}${instancePath} ${message} ${JSON.stringify(params)}`,
  );
}

/** The folder of a module in the cache of Go, downloaded if needed. */
async function download(module: string): Promise<string | undefined> {
  const text = await run('go', ['mod', 'download', '-json', module], { timeout: 180_000 }).catch(() => '{}');
  return (JSON.parse(text) as { Dir?: string }).Dir;
}

/** Fetches definitions, unless they are cached; names the modules that cannot be had. */
async function fetchSchemas() {
  if (!(await isThere('go'))) throw new ToolAway('the definitions are Go modules, and Go is not there');
  const schemas = new Map<string, AnySchemaObject>();
  const missing: string[] = [];
  for (const [module, folder] of definitions) {
    const place = await download(module);
    if (!place) missing.push(module);
    else for (const [kind, schema] of schemasIn(join(place, folder))) schemas.set(kind, schema);
  }
  return { schemas, missing };
}

/** The examples of operators' resources. */
const examples = readdirSync(join(root, 'k8s/examples/operators'))
  .filter((name) => name.endsWith('.yaml'))
  .map((name) => join(root, 'k8s/examples/operators', name));

/** Kubernetes itself has groups without a domain, like `apps`, and these. */
const isCustom = ({ apiVersion }: Resource) =>
  apiVersion.includes('.') && !/^(networking|storage|rbac\.authorization)\.k8s\.io\//.test(apiVersion);

const kindOf = ({ apiVersion, kind }: Resource) => `${apiVersion} ${kind}`;

/** Every resource of an operator that the overlays or the examples have matches its definition. */
export async function checkCustomResources(folder: string, mayFetch: boolean): Promise<void> {
  if (!mayFetch) throw new ToolAway('the definitions are fetched by --all only');
  const { schemas, missing } = await fetchSchemas();
  const files = [...(await renderOverlays(folder)), ...examples];
  const all = files.flatMap((file) => resourcesIn(readFileSync(file, 'utf8'))).filter(isCustom);
  const problems = all.flatMap((resource) => {
    const schema = schemas.get(kindOf(resource));
    return schema ? problemsOf(resource, schema) : [];
  });
  if (problems.length) throw new Error(problems.join('\n'));
  const unchecked = [...new Set(all.map(kindOf))].filter((kind) => !schemas.has(kind));
  if (unchecked.length) throw new ToolAway(`${unchecked.join(', ')}: no ${missing.join(', ')}`);
}
