import { describe, expect, it } from '@jest/globals';
import { Ajv, type AnySchemaObject } from 'ajv';
import { existsSync, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { wrongValues } from '../chart.ts';
import { secretFile } from '../environment.ts';
import { manifests, read, readVariables, root } from '../files.ts';
import { services } from '../speaks-to.ts';

interface Values {
  readonly [name: string]: unknown;
  readonly image: { readonly repository: string; readonly tag: string };
  readonly settings: Readonly<Record<string, string>>;
}

const valuesOf = (overlay: string) => parse(read(`k8s/chart/values-${overlay}.yaml`)) as Values;
const schema = JSON.parse(read('k8s/chart/values.schema.json')) as AnySchemaObject;
const validate = new Ajv({ strict: false }).compile(schema);

/** Sets a value as Helm does for `a.b=value`. */
function withValue(values: Record<string, unknown>, assignment: string): Record<string, unknown> {
  const [path = '', text = ''] = assignment.split('=');
  const names = path.split('.');
  const last = names.pop() ?? '';
  const copy = structuredClone(values);
  let inner = copy;
  for (const name of names) inner = (inner[name] ??= {}) as Record<string, unknown>;
  inner[last] = /^\d+$/.test(text) ? Number(text) : text === 'true' ? true : text;
  return copy;
}

/** Every schema of a value, by path. */
const described = (of: AnySchemaObject, path = ''): [string, AnySchemaObject][] =>
  Object.entries((of['properties'] ?? {}) as Record<string, AnySchemaObject>).flatMap(([name, inner]) => [
    [`${path}/${name}`, inner] as [string, AnySchemaObject],
    ...described(inner, `${path}/${name}`),
  ]);

/** The names that an object may have. */
const enumOf = (of?: AnySchemaObject) => (of?.['propertyNames'] as { enum?: string[] } | undefined)?.enum;

describe('the chart', () => {
  it('reads the manifests themselves', () => {
    const folder = join(root, 'k8s/chart/files');
    const names = readdirSync(folder);
    expect(names).toContain('base');
    expect(names.filter((name) => !lstatSync(join(folder, name)).isSymbolicLink())).toEqual([]);
    expect(names.filter((name) => !existsSync(join(folder, name)))).toEqual([]);
  });

  it('has the version of the images', () => {
    const { version } = JSON.parse(read('package.json')) as { version: string };
    const chart = parse(read('k8s/chart/Chart.yaml')) as object;
    expect(chart).toMatchObject({ version, appVersion: version });
    expect(valuesOf('production').image.tag).toBe(version);
  });

  it('describes every value, and knows no others', () => {
    const undescribed = described(schema).filter(([, { description }]) => !description);
    expect(undescribed.map(([path]) => path)).toEqual([]);
    const open = described(schema).filter(
      ([, of]) => of['type'] === 'object' && of['additionalProperties'] === undefined,
    );
    expect(open.map(([path]) => path)).toEqual(['/global']);
    const defaults = Object.keys(parse(read('k8s/chart/values.yaml')) as Values);
    expect(['global', ...defaults].toSorted()).toEqual(
      Object.keys(schema['properties'] as Record<string, unknown>).toSorted(),
    );
  });

  it('knows the Secrets that pods read, and their accounts', () => {
    const files = [...services, 'jobs'].map((name) => `k8s/base/${name}.yaml`);
    const text = [...files, 'k8s/components/backup/jobs.yaml', 'k8s/chart/files/stores.yaml']
      .map(read)
      .join('');
    const named = (pattern: RegExp) =>
      [...new Set([...text.matchAll(pattern)].map(([, name]) => name ?? ''))].toSorted();
    const { secretNames, serviceAccounts } = schema['properties'] as Record<string, AnySchemaObject>;
    expect(enumOf(secretNames)).toEqual(
      named(/(?:secret(?:Key)?Ref: \{ name|secretName): (covalence-[\w-]+)/g),
    );
    expect(enumOf(serviceAccounts)).toEqual(named(/serviceAccountName: (\S+)/g));
  });

  it.each(['local', 'production'])('has values that equal the overlay %s', (overlay) => {
    const values = valuesOf(overlay);
    expect([validate({ ...values, sites: '[]' }), validate.errors]).toEqual([true, null]);
    const { PUBLIC_URL, AUTH_PUBLIC_URL, ...settings } = readVariables(
      `k8s/overlays/${overlay}/covalence.env`,
    );
    expect(values.settings).toEqual({ PUBLIC_URL, AUTH_PUBLIC_URL, ...settings });
    expect(values['hosts']).toEqual({
      api: new URL(PUBLIC_URL ?? '').host,
      auth: new URL(AUTH_PUBLIC_URL ?? '').host,
    });
    const { images } = parse(read(`k8s/overlays/${overlay}/kustomization.yaml`)) as {
      images: unknown[];
    };
    const { repository, tag } = values.image;
    const renamed = (service: string) =>
      repository === 'covalence' ? {} : { newName: `${repository}/${service}` };
    // The image of the command makes backups, which the local overlay has none of.
    const pulled = overlay === 'local' ? services : [...services, 'cli'];
    for (const service of pulled)
      expect(images).toContainEqual({ name: `covalence/${service}`, ...renamed(service), newTag: tag });
    expect(images).toHaveLength(pulled.length);
  });

  // Without Helm, only this test shows that the templates lack a new patch.
  it.each([
    [
      'local',
      [
        'bucket.yaml',
        'HorizontalPodAutoscaler /spec/minReplicas',
        'HorizontalPodAutoscaler /spec/maxReplicas',
        'Deployment auth /spec/template/spec/containers/0/env/5',
        'Deployment auth /spec/template/spec/containers/0/volumeMounts/-',
        'Deployment auth /spec/template/spec/volumes/-',
        'CronJob migrate-auth.* /spec/jobTemplate/spec/template/spec/containers/0/env/5',
      ],
    ],
    [
      'production',
      [
        'Ingress covalence /spec/rules/0/host',
        'Ingress covalence /spec/rules/1/host',
        'Ingress covalence /spec/tls',
        'HTTPRoute /spec/hostnames',
        'HorizontalPodAutoscaler /spec/minReplicas',
        'ScaledObject /spec/minReplicaCount',
        'Deployment /spec/template/spec/topologySpreadConstraints/0/whenUnsatisfiable',
      ],
    ],
  ])('makes every change that the overlay %s makes', (overlay, known) => {
    const { patches } = parse(read(`k8s/overlays/${overlay}/kustomization.yaml`)) as {
      patches: { path?: string; patch?: string; target?: { kind: string; name?: string } }[];
    };
    const changes = patches.flatMap(({ path, patch = '', target }) =>
      path === undefined
        ? (parse(patch) as { op: string; path: string }[])
            .filter(({ op }) => op !== 'test')
            .map((change) => [target?.kind, target?.name, change.path].filter(Boolean).join(' '))
        : [path],
    );
    expect(changes).toEqual(known);
  });

  it.each(Object.keys(wrongValues))('refuses %s', (assignments) => {
    const production = { ...(parse(read('k8s/chart/values-production.yaml')) as Values), sites: '[]' };
    const values = assignments
      .split(',')
      .reduce<Record<string, unknown>>((all, assignment) => withValue(all, assignment), production);
    expect(validate(values)).toBe(false);
  });
});

describe('the components', () => {
  interface Scaled {
    readonly spec: {
      readonly minReplicas?: number;
      readonly minReplicaCount?: number;
      readonly maxReplicas?: number;
      readonly maxReplicaCount?: number;
      readonly behavior?: { readonly scaleDown: object };
      readonly advanced?: {
        readonly horizontalPodAutoscalerConfig: { readonly behavior: { readonly scaleDown: object } };
      };
    };
  }

  it('scale each service within the limits of its autoscaler', () => {
    const objects = manifests('k8s/components/keda/scaled-objects.yaml');
    expect(objects.map(({ metadata }) => metadata.name).toSorted()).toEqual(services.toSorted());
    for (const object of objects) {
      const base = manifests(`k8s/base/${object.metadata.name}.yaml`);
      const { spec: autoscaler } = base.find(
        ({ kind }) => kind === 'HorizontalPodAutoscaler',
      ) as unknown as Scaled;
      const { spec } = object as unknown as Scaled;
      expect([spec.minReplicaCount, spec.maxReplicaCount]).toEqual([
        autoscaler.minReplicas,
        autoscaler.maxReplicas,
      ]);
      expect(spec.advanced?.horizontalPodAutoscalerConfig.behavior.scaleDown).toEqual(
        autoscaler.behavior?.scaleDown,
      );
    }
  });

  interface Rollout {
    readonly metadata: { readonly name: string; readonly labels: Readonly<Record<string, string>> };
    readonly spec: {
      readonly replicas?: number;
      readonly strategy: {
        readonly canary: { readonly steps: readonly Readonly<Record<string, unknown>>[] };
      };
    };
  }
  const rollouts = manifests('k8s/components/canary/rollouts.yaml') as unknown as readonly Rollout[];

  it('roll each service out in steps that end with the analysis', () => {
    expect(rollouts.map(({ metadata }) => metadata.name).toSorted()).toEqual(services.toSorted());
    for (const { metadata, spec } of rollouts)
      expect(spec.strategy.canary.steps.at(-1)?.['analysis']).toEqual({
        templates: [{ templateName: 'error-budget' }],
        args: [
          { name: 'service', value: metadata.name },
          { name: 'revision', valueFrom: { podTemplateHashValue: 'Latest' } },
        ],
      });
  });

  it('leave the processes of Deployments to who turns canaries on, and go back at once', () => {
    for (const { metadata, spec } of rollouts) {
      // With a number, each deployment would undo the autoscaler.
      expect(spec).not.toHaveProperty('replicas');
      expect(spec).toMatchObject({
        workloadRef: { kind: 'Deployment', name: metadata.name, scaleDown: 'never' },
        progressDeadlineAbort: true,
        rollbackWindow: { revisions: 1 },
      });
    }
  });

  // By the labels that the commands of docs/deploy.md and k8s/README.md select.
  it('create what routes send to with the routes, and Rollouts last', () => {
    const ofGateway = manifests('k8s/components/canary/services.yaml');
    const { patches } = parse(read('k8s/components/canary/kustomization.yaml')) as {
      patches: { target: { kind: string }; patch: string }[];
    };
    const sent = patches
      .filter(({ target }) => ['Ingress', 'HTTPRoute'].includes(target.kind))
      .map(({ target, patch }) => [target.kind, ...new Set(patch.match(/gateway-\w+/g))]);
    expect(sent).toEqual([
      ['Ingress', 'gateway-stable'],
      ['HTTPRoute', 'gateway-stable', 'gateway-canary'],
    ]);
    expect(ofGateway.map(({ metadata }) => metadata.name)).toEqual(['gateway-stable', 'gateway-canary']);
    const component = 'app.kubernetes.io/component';
    for (const { metadata } of ofGateway as unknown as Pick<Rollout, 'metadata'>[])
      expect(metadata.labels).not.toHaveProperty([component]);
    for (const { metadata } of rollouts) expect(metadata.labels[component]).toBe('canary');
  });
});

describe('the local overlay', () => {
  it('creates every Secret that the bucket needs', () => {
    const refs = [
      ...read('k8s/overlays/local/bucket.yaml').matchAll(/secretKeyRef: \{ name: (\S+), key: (\S+) \}/g),
    ];
    expect(refs).toHaveLength(2);
    for (const [, name = '', key = ''] of refs) expect(readVariables(secretFile(name))).toHaveProperty([key]);
  });
});
