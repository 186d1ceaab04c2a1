import { goTool, run } from '@covalence/testing/tools';
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect, isDeepStrictEqual } from 'node:util';
import { parseAllDocuments } from 'yaml';
import { root } from './files.ts';
import { baseOf, overlays, renderOverlays } from './render.ts';
import { withDatabase } from './speaks-to.ts';
import { validateManifests } from './tools.ts';

const folderOfChart = join(root, 'k8s/chart');

/** Fields that the comparison looks at; everything else is compared as a whole. */
interface Rendered {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly annotations?: Readonly<Record<string, string>> };
}

/** Values that the schema must refuse, and what Helm then names. */
export const wrongValues = {
  'replica.min=3': 'replica',
  'replicas.min=0': 'replicas/min',
  'image.tag=': 'image/tag',
  'image.digests.gateway=sha256:0': 'image/digests/gateway',
  'hosts.api=https://api.covalence.example': 'hosts/api',
  'services.gatewy.replicas.min=3': 'gatewy',
  'stores.network=10.20.0.0': 'stores/network',
  'settings.log_level=info': 'log_level',
  'secretNames.covalence-typo=mine': 'covalence-typo',
  'pod.hostNetwork=true': 'hostNetwork',
  'serviceAccounts.default.role=mine': "'default'",
  'canary.enabled=true': 'canary',
  'gatewayApi.enabled=true,tlsSecret=': 'tlsSecret',
  'strictZones=yes': 'strictZones',
} as const;

/** The value that adds a component; Helm would conflict with what Argo Rollouts writes, so the chart has no canaries. */
const valueOf: Readonly<Record<string, string>> = {
  backup: 'backup.enabled=true',
  authority: 'authority=authority',
  'gateway-api': 'gatewayApi.enabled=true',
  keda: 'keda.enabled=true',
};

/** Arguments that render the chart as an overlay. */
const valuesOf = (overlay: string) => {
  const file = join(folderOfChart, `values-${baseOf(overlay)}.yaml`);
  const sites = `sites=${join(root, 'k8s/overlays', baseOf(overlay), 'sites.json')}`;
  const added = (overlays[overlay] ?? []).flatMap((component) => ['--set', valueOf[component] ?? '']);
  return ['--namespace', 'covalence', '--values', file, '--set-file', sites, ...added];
};

const parsed = (text: string): Rendered[] =>
  parseAllDocuments(text).flatMap((document) => (document.contents ? [document.toJS() as Rendered] : []));

const nameOf = ({ kind, metadata }: Rendered) => `${kind} ${metadata.name}`;

/** Only Helm has hooks, and the annotation that keeps what a previous version reads. */
const fromHelm = (all: readonly Rendered[]) =>
  all
    .filter(({ metadata }) => !metadata.annotations?.['helm.sh/hook'])
    .map((manifest) => {
      const { 'helm.sh/resource-policy': _, ...annotations } = manifest.metadata.annotations ?? {};
      const { annotations: __, ...metadata } = manifest.metadata;
      return {
        ...manifest,
        metadata: Object.keys(annotations).length ? { ...metadata, annotations } : metadata,
      };
    });

/** Helm gets the namespace and Secrets that exist; kustomize names its own after their content. */
const fromKustomize = (all: readonly Rendered[]) => {
  const secrets = all.flatMap(({ kind, metadata }) => (kind === 'Secret' ? [metadata.name] : []));
  const named = JSON.stringify(all.filter(({ kind }) => kind !== 'Secret' && kind !== 'Namespace'));
  const plain = secrets.reduce((text, name) => text.replaceAll(name, name.replace(/-[^-]+$/, '')), named);
  return JSON.parse(plain) as Rendered[];
};

const shortly = { depth: 0, breakLength: Infinity, maxStringLength: 80 };

/** The first difference of two trees, by path. */
function differenceOf(one: unknown, other: unknown, path = ''): string | undefined {
  if (isDeepStrictEqual(one, other)) return undefined;
  if (typeof one !== 'object' || typeof other !== 'object' || !one || !other)
    return `${path}: ${inspect(one, shortly)} is not ${inspect(other, shortly)}`;
  const [left, right] = [new Map(Object.entries(one)), new Map(Object.entries(other))];
  for (const key of new Set([...left.keys(), ...right.keys()])) {
    const found = differenceOf(left.get(key), right.get(key), `${path}/${key}`);
    if (found) return found;
  }
  return undefined;
}

/** Every difference of two renderings, the first of each manifest. */
function differences(chart: readonly Rendered[], overlay: readonly Rendered[]): string[] {
  const ours = Map.groupBy(fromHelm(chart), nameOf);
  const theirs = Map.groupBy(fromKustomize(overlay), nameOf);
  return [...new Set([...ours.keys(), ...theirs.keys()])].flatMap((name) => {
    const found = differenceOf(ours.get(name), theirs.get(name));
    return found ? [`${name}${found}`] : [];
  });
}

/** Helm 4, that of this machine or one that is built. */
async function helmProgram(mayBuild: boolean): Promise<string> {
  const version = await run('helm', ['version', '--short']).catch(() => '');
  if (version.startsWith('v4.')) return 'helm';
  return goTool({ name: 'helm', pack: 'helm.sh/helm/v4/cmd/helm', version: 'v4.3.1' }, mayBuild);
}

/** Jobs that run before an upgrade, in the order in which Helm runs them. */
const hooksOf = (all: readonly Rendered[]) =>
  all
    .filter(
      ({ kind, metadata }) =>
        kind === 'Job' && metadata.annotations?.['helm.sh/hook']?.includes('pre-upgrade'),
    )
    .map(({ metadata }) => `${metadata.annotations?.['helm.sh/hook-weight']} ${metadata.name}`)
    .toSorted((one, other) => one.localeCompare(other));

const expectedHooks = [
  '0 events-declare-hook',
  ...withDatabase.toSorted().map((service) => `1 migrate-${service}-hook`),
];

const digest = `sha256:${'a'.repeat(64)}`;

/** Values that no overlay has, and what they must render. */
const furtherValues: readonly Readonly<Record<string, string>>[] = [
  {
    'secretNames.covalence-auth=mine': 'name: mine',
    [`image.digests.gateway=${digest}`]: `covalence/gateway@${digest}`,
    'services.profile.resources.limits.memory=3Gi': 'memory: 3Gi',
    'services.auth.replicas.max=21': 'maxReplicas: 21',
    'packages.packages\\.json=[]': 'name: packages-',
    'ingress.className=traefik': 'ingressClassName: traefik',
    'stores.network=': 'name: to-mail',
    'secretNames.covalence-push-apps=apps': 'secretName: apps',
    'pod.imagePullSecrets[0].name=registry': '- name: registry',
    'pod.tolerations[0].key=pool': '- key: pool',
    'pod.annotations.mesh=on': 'mesh: "on"',
    'serviceAccounts.profile.role=reads-photos': 'role: reads-photos',
    'gatewayApi.enabled=true,gatewayApi.annotations.issuer=ours': 'issuer: ours',
    'replicas.max=30,services.billing.replicas.min=30': 'minReplicas: 30',
  },
  { 'stores.inCluster=true,stores.storageClass=fast': 'storageClassName: fast' },
];

/** The archive renders the same; a copy without what the links lead to is refused. */
async function checkArchive(helm: string, folder: string): Promise<void> {
  const values = valuesOf('production');
  const render = (chart: string) => run(helm, ['template', 'covalence', chart, ...values]);
  await run(helm, ['package', folderOfChart, '--destination', folder]);
  const archive = readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? '';
  if ((await render(join(folder, archive))) !== (await render(folderOfChart)))
    throw new Error('the archive of the chart renders something else');
  const copy = join(folder, 'chart');
  cpSync(folderOfChart, copy, { recursive: true, filter: (path) => path !== join(folderOfChart, 'files') });
  const refusal = await render(copy).catch((error: Error) => error.message);
  if (!refusal.includes('helm package'))
    throw new Error(`a chart without the files of its links should be refused: ${refusal.slice(0, 500)}`);
}

const countOf = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].length;

/** The chart is sound, renders what the overlays do, and refuses wrong values. */
export async function checkChart(folder: string, mayBuild: boolean): Promise<void> {
  const helm = await helmProgram(mayBuild);
  const render = (values: readonly string[]) =>
    run(helm, ['template', 'covalence', folderOfChart, ...values]);
  const files = await renderOverlays(folder);
  const charts: string[] = [];
  for (const [index, [overlay, components]] of Object.entries(overlays).entries()) {
    if (!components.every((component) => component in valueOf)) continue;
    if (overlay === baseOf(overlay))
      await run(helm, ['lint', '--strict', '--quiet', folderOfChart, ...valuesOf(overlay)]);
    const text = await render(valuesOf(overlay));
    const chart = parsed(text);
    const found = differences(chart, parsed(readFileSync(files[index] ?? '', 'utf8')));
    if (found.length) throw new Error(`the chart differs from the overlay ${overlay}:\n${found.join('\n')}`);
    const hooks = hooksOf(chart);
    if (!isDeepStrictEqual(hooks, expectedHooks))
      throw new Error(`before an upgrade, the chart runs ${hooks.join()}, not ${expectedHooks.join()}`);
    const file = join(folder, `chart-${overlay}.yaml`);
    writeFileSync(file, text);
    charts.push(file);
  }
  await validateManifests(charts);
  for (const values of furtherValues) {
    const text = await render([...valuesOf('production'), '--set', Object.keys(values).join()]);
    const missing = Object.entries(values).filter(([, expected]) => !text.includes(expected));
    if (missing.length) throw new Error(`the chart does not render ${JSON.stringify(missing)}`);
    const everywhere = Object.keys(values).some((name) => name.startsWith('pod.'))
      ? countOf(text, /^ +containers:/gm)
      : 0;
    for (const field of [/^ +imagePullSecrets:/gm, /^ +tolerations:/gm, /^ +mesh: "on"/gm])
      if (countOf(text, field) !== everywhere)
        throw new Error(`${everywhere} pods should have ${String(field)}, not ${countOf(text, field)}`);
  }
  await checkArchive(helm, folder);
  const oneHost = parsed(
    await render([...valuesOf('production'), '--set', 'hosts.auth=api.covalence.example']),
  );
  const { spec } = (oneHost as (Rendered & { spec?: object })[]).find(({ kind }) => kind === 'Ingress') ?? {};
  if (countOf(JSON.stringify(spec), /api\.covalence\.example/g) !== 2)
    throw new Error(
      `the Ingress should have one rule and one certificate for one host: ${JSON.stringify(spec)}`,
    );
  const refusalOf = (value: string) =>
    render([...valuesOf('production'), '--set', value]).then(
      () => 'taken',
      (error: Error) => error.message,
    );
  const tooMany = await refusalOf('replicas.min=5');
  if (!tooMany.includes('billing: at least 5 processes, but at most 4'))
    throw new Error(`the chart should refuse more processes than billing may have: ${tooMany}`);
  for (const [value, named] of Object.entries(wrongValues)) {
    const refusal = await refusalOf(value);
    if (!refusal.includes('specifications of the schema') || !refusal.includes(named))
      throw new Error(`the chart should refuse ${value} and name ${named}: ${refusal}`);
  }
}
