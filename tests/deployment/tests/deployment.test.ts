import { configSchema as auth } from '@covalence/auth/config';
import { configSchema as billing } from '@covalence/billing/config';
import { parseSites } from '@covalence/contract/sites';
import { configSchema as gateway } from '@covalence/gateway/config';
import { configSchema as profile } from '@covalence/profile/config';
import { configSchema as search } from '@covalence/search/config';
import { withoutEmptyVariables } from '@covalence/runtime/environment';
import { addressVariable } from '@covalence/stack/address-variable';
import { configSchema as updates } from '@covalence/updates/config';
import { describe, expect, it } from '@jest/globals';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { containerOf, deploymentOf, environmentOf, baseOf, one, podOf, secretFile } from '../environment.ts';
import { composeServices, manifests, read, readVariables, root } from '../files.ts';
import { services, speaksTo, withDatabase } from '../speaks-to.ts';

const schemas: Readonly<Record<string, z.ZodType>> = { gateway, auth, profile, search, billing, updates };
const sitesFile = join(root, 'config/sites.json');
/** Longer than the shutdown limit of a service (libs/runtime, lifecycle). */
const shutdownSeconds = 10;

const jobs = manifests('k8s/base/jobs.yaml');
const compose = composeServices();

/** The variables of a configuration. */
const known = (service: string) => {
  const schema = schemas[service];
  if (!schema) throw new Error(`${service} has no configuration here`);
  const { properties = {} } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return Object.keys(properties);
};

const problemsOf = (service: string, environment: Readonly<Record<string, string>>) =>
  schemas[service]?.safeParse(withoutEmptyVariables({ ...environment, SITES_FILE: sitesFile })).error
    ?.issues ?? [];

const filledIn = readVariables('.env.example');

/** A value of the compose file with its defaults and the secrets of an .env. */
const interpolated = (value: string): string => {
  const next = value
    .replaceAll(/\$\{(\w+):\?\}/g, (_whole, name: string) => filledIn[name] ?? '')
    .replaceAll(/\$\{\w+:-([^${}]*)\}/g, '$1');
  return next === value ? value : interpolated(next);
};

const restricted = {
  allowPrivilegeEscalation: false,
  readOnlyRootFilesystem: true,
  capabilities: { drop: ['ALL'] },
};

describe('every service', () => {
  it('is in the table, the kustomization and the compose file', () => {
    expect(Object.keys(speaksTo).toSorted()).toEqual(services.toSorted());
    const listed = services.filter((name) => read('k8s/base/kustomization.yaml').includes(`- ${name}.yaml`));
    expect(listed).toEqual(services);
    const built = Object.values(compose).flatMap(({ build }) => (build ? [build.args.SERVICE] : []));
    expect(built.toSorted()).toEqual(services.toSorted());
    for (const overlay of ['local', 'production']) {
      const text = read(`k8s/overlays/${overlay}/kustomization.yaml`);
      for (const service of services) expect(text).toContain(`name: covalence/${service},`);
    }
  });

  it.each(services)('%s has every manifest that a cluster needs', (service) => {
    expect(baseOf(service).map(({ kind, metadata }) => `${kind} ${metadata.name}`)).toEqual(
      ['Deployment', 'Service', 'ServiceAccount', 'PodDisruptionBudget', 'HorizontalPodAutoscaler'].map(
        (kind) => `${kind} ${service}`,
      ),
    );
    const pod = podOf(deploymentOf(service));
    expect(pod).toMatchObject({
      serviceAccountName: service,
      automountServiceAccountToken: false,
      securityContext: { runAsNonRoot: true, runAsUser: 10_001, seccompProfile: { type: 'RuntimeDefault' } },
    });
    const container = containerOf(deploymentOf(service));
    expect(container).toMatchObject({ image: `covalence/${service}`, securityContext: restricted });
    expect(container.resources).toMatchObject({
      requests: { cpu: expect.any(String), memory: expect.any(String) },
      limits: { memory: expect.any(String) },
    });
  });

  it.each(services)('%s is spread over zones and nodes that accept pods, version by version', (service) => {
    const spread = podOf(deploymentOf(service)).topologySpreadConstraints ?? [];
    expect(spread.map(({ topologyKey }) => topologyKey)).toEqual([
      'topology.kubernetes.io/zone',
      'kubernetes.io/hostname',
    ]);
    const { selector } = deploymentOf(service).spec;
    for (const constraint of spread)
      expect(constraint).toMatchObject({
        maxSkew: 1,
        nodeTaintsPolicy: 'Honor',
        matchLabelKeys: ['pod-template-hash'],
        labelSelector: selector,
      });
    expect(one(baseOf(service), 'PodDisruptionBudget', service).spec).toEqual({
      maxUnavailable: 1,
      unhealthyPodEvictionPolicy: 'AlwaysAllow',
      selector,
    });
  });

  it.each(services)('%s has enough time to shut down', (service) => {
    const { terminationGracePeriodSeconds = 0 } = podOf(deploymentOf(service));
    const before = containerOf(deploymentOf(service)).lifecycle?.preStop.sleep.seconds ?? 0;
    expect(before).toBeGreaterThan(0);
    expect(terminationGracePeriodSeconds).toBeGreaterThan(before + shutdownSeconds);
    expect(parseInt(compose[service]?.stop_grace_period ?? '0', 10)).toBeGreaterThan(shutdownSeconds);
  });

  it.each(services)('%s listens at the address that others call', (service) => {
    const { PORT, MANAGEMENT_PORT } = readVariables('k8s/base/covalence.env');
    const dockerfile = read('Dockerfile');
    for (const line of [
      `PORT=${PORT}`,
      `MANAGEMENT_PORT=${MANAGEMENT_PORT}`,
      `EXPOSE ${PORT} ${MANAGEMENT_PORT}`,
    ])
      expect(dockerfile).toContain(line);
    expect(containerOf(deploymentOf(service)).ports).toEqual([
      { name: 'http', containerPort: Number(PORT) },
      { name: 'management', containerPort: Number(MANAGEMENT_PORT) },
    ]);
    expect(one(baseOf(service), 'Service', service).spec.ports).toEqual([
      { name: 'http', port: Number(PORT), targetPort: 'http' },
    ]);
    const variable = addressVariable(service);
    if (service === 'gateway') return;
    expect(readVariables('k8s/base/covalence.env')[variable]).toBe(`http://${service}:${PORT}`);
    expect(compose['gateway']?.environment[variable]).toBe(`http://${service}:${PORT}`);
  });
});

describe('the configuration', () => {
  it.each(services)('of %s is complete in the cluster and in compose', (service) => {
    expect(problemsOf(service, environmentOf(deploymentOf(service)))).toEqual([]);
    const environment = compose[service]?.environment ?? {};
    const given = { PORT: '3000', MANAGEMENT_PORT: '9090', ...environment };
    const filled = Object.entries(given).map(([name, value]) => [name, interpolated(value)]);
    expect(problemsOf(service, Object.fromEntries(filled))).toEqual([]);
  });

  it.each(services)('gives %s no unneeded secret', (service) => {
    const own = containerOf(deploymentOf(service)).env ?? [];
    expect(own.map(({ name }) => name).filter((name) => !known(service).includes(name))).toEqual([]);
    const shared = new Set(Object.keys(compose['gateway']?.environment ?? {}));
    const given = Object.keys(compose[service]?.environment ?? {}).filter((name) => !shared.has(name));
    expect(given.filter((name) => !known(service).includes(name))).toEqual([]);
  });

  it.each(services)('of %s matches the table of connections', (service) => {
    const names = new Set(known(service));
    const peers = services.filter((peer) => peer !== 'gateway' && names.has(addressVariable(peer)));
    expect(peers.toSorted()).toEqual(speaksTo[service]?.calls.toSorted());
    const variables = {
      mongodb: 'MONGODB_URL',
      redis: 'REDIS_URL',
      rabbitmq: 'RABBITMQ_URL',
      elasticsearch: 'ELASTICSEARCH_URL',
      s3: 'PHOTO_S3_BUCKET',
    };
    const stores = Object.entries(variables).flatMap(([store, name]) => (names.has(name) ? [store] : []));
    expect(stores.toSorted()).toEqual(speaksTo[service]?.stores.toSorted());
    expect(names.has('MAIL_URL')).toBe(speaksTo[service]?.outside.includes('mail'));
  });

  it.each([
    ['profile', 'PHOTO_S3_ACCESS_KEY_ID'],
    ['profile', 'PHOTO_S3_SECRET_ACCESS_KEY'],
    ['updates', 'VAPID_SUBJECT'],
  ])('of %s is not whole where the Secret lacks %s alone of what goes together', (service, missing) => {
    const { [missing]: _, ...environment } = environmentOf(deploymentOf(service));
    expect(problemsOf(service, environment)).toMatchObject([
      { message: expect.stringMatching(`${missing}.*, or n(?:either|one)$`) },
    ]);
  });

  it('creates every secret that compose needs, and keeps those of the operator from all containers', () => {
    const asked = [...read('docker-compose.yml').matchAll(/\$\{([A-Z0-9_]+):\?\}/g)].map(([, name]) => name);
    const lines = read('.env.example').split('\n');
    const made = lines.filter((line) => line.includes('{{')).map((line) => line.split('=')[0]);
    expect(made.toSorted()).toEqual([...new Set([...asked, 'OPERATOR_SECRET', 'STAFF_SECRET'])].toSorted());
    expect(read('.gitignore').split('\n')).toContain('.env');
  });

  it('has an example without passwords for every Secret of the local overlay', () => {
    const refs = [
      ...services.map(deploymentOf),
      ...jobs,
      ...manifests('k8s/overlays/local/stores.yaml'),
    ].flatMap((manifest) =>
      ['Deployment', 'StatefulSet', 'CronJob'].includes(manifest.kind)
        ? (containerOf(manifest).env ?? []).flatMap(({ valueFrom }) => valueFrom?.secretKeyRef ?? [])
        : [],
    );
    // Locally, mails are files, and there are no payments and push messages.
    const away =
      /^(mail-url|identity-providers|payment-webhook-secret|(app-store|google-play)-apps|stripe-.*|vapid-.*|push-apps-file)$/;
    const asked = Map.groupBy(
      refs.filter(({ key }) => !away.test(key)),
      ({ name }) => name,
    );
    for (const [name, keys] of asked) {
      // A store uses its whole Secret, and the key of a first user by name.
      if (name === 'covalence-mongodb') continue;
      const there = Object.keys(readVariables(secretFile(name)));
      expect([name, ...there.toSorted()]).toEqual([name, ...new Set(keys.map(({ key }) => key).toSorted())]);
      expect(read('k8s/overlays/local/kustomization.yaml')).toContain(`- name: ${name}\n`);
    }
    expect(read('.gitignore').split('\n')).toContain('k8s/overlays/*/secrets/*.env');
  });

  it.each(
    [...services.map(deploymentOf), ...jobs].map((manifest) => [manifest.metadata.name, manifest] as const),
  )('gives %s the secrets of its own service, and no others', (_name, manifest) => {
    const { image, env = [] } = containerOf(manifest);
    const refs = env.flatMap(({ valueFrom }) => valueFrom?.secretKeyRef ?? []);
    // Only the broker operator declares queues.
    const own = manifest.metadata.name === 'events-declare' ? 'covalence-events' : image.replace('/', '-');
    const others = refs.filter(({ name }) => name !== own);
    const takesNoCalls = image.endsWith('gateway') || own === 'covalence-events';
    expect(others.map(({ key }) => key)).toEqual(takesNoCalls ? [] : ['service-public-keys']);
  });

  it('has valid sites in every overlay', () => {
    expect(read('k8s/overlays/local/sites.json')).toBe(read('config/sites.json'));
    expect(() => parseSites(JSON.parse(read('k8s/overlays/production/sites.json')))).not.toThrow();
  });

  it('runs no store as root: commands match those that the image expects', () => {
    const stores = manifests('k8s/overlays/local/stores.yaml').filter(({ kind }) => kind === 'StatefulSet');
    const shells = stores.flatMap(({ metadata: { name } }) => {
      const { user = '', entrypoint, command } = compose[name] ?? {};
      const words = entrypoint ?? command ?? [];
      const drops = user !== '' || words.join(' ').includes('docker-entrypoint.sh');
      return words[0] === 'bash' ? [[name, drops]] : [];
    });
    expect(shells).toEqual([
      ['mongodb', true],
      ['redis', true],
      ['rabbitmq', true],
    ]);
  });

  it('applies no workload with immutable pods', () => {
    const files = ['base', 'overlays/local', 'overlays/production'].flatMap((folder) =>
      readdirSync(join(root, 'k8s', folder))
        .filter((name) => name.endsWith('.yaml') && name !== 'kustomization.yaml')
        .map((name) => `k8s/${folder}/${name}`),
    );
    const kinds = new Set(files.flatMap((file) => manifests(file).map(({ kind }) => kind)));
    expect(kinds).toContain('CronJob');
    expect(kinds).not.toContain('Job');
  });

  it('lets RabbitMQ restart in the local overlay: its cookie stays private', () => {
    const broker = one(manifests('k8s/overlays/local/stores.yaml'), 'StatefulSet', 'rabbitmq');
    expect(podOf(broker).securityContext).toMatchObject({ fsGroupChangePolicy: 'OnRootMismatch' });
  });

  it('uses the same stores in compose and in the local overlay', () => {
    const stores = manifests('k8s/overlays/local/stores.yaml').filter(({ kind }) => kind === 'StatefulSet');
    const images = stores.map((store) => [store.metadata.name, containerOf(store).image]);
    expect(images).toEqual(images.map(([name = '']) => [name, compose[name]?.image]));
    const used = new Set(services.flatMap((service) => speaksTo[service]?.stores ?? []));
    expect(images.map(([name]) => name).toSorted()).toEqual([...used].toSorted());
  });
});

describe('the packages', () => {
  it.each(services)(
    'are mounted where the documents say for billing, for %s only if that is it',
    (service) => {
      const folder = '/etc/covalence-packages';
      const { volumeMounts = [] } = containerOf(deploymentOf(service));
      const { volumes = [] } = compose[service] ?? {};
      const isThere = volumeMounts.some(({ name, mountPath }) => name === 'packages' && mountPath === folder);
      const isInCompose = volumes.includes(`./config/packages:${folder}:ro`);
      expect([isThere, isInCompose]).toEqual([service === 'billing', service === 'billing']);
      expect(read('docs/billing.md')).toContain(`PACKAGES_DIR=${folder}`);
    },
  );
});

describe('the sites', () => {
  it.each(services)(
    'are there for %s where it reads them; else a change of them would end its sockets for nothing',
    (service) => {
      const pods = [
        deploymentOf(service),
        ...jobs.filter((job) => podOf(job).serviceAccountName === service),
      ];
      const mounted = pods.map((manifest) => [
        containerOf(manifest).volumeMounts?.some(({ mountPath }) => mountPath === '/etc/covalence') ?? false,
        podOf(manifest).volumes?.some(({ configMap }) => configMap?.name === 'sites') ?? false,
      ]);
      const reads = known(service).includes('SITES_FILE');
      expect(mounted).toEqual(pods.map(() => [reads, reads]));
      const { volumes = [] } = compose[service] ?? {};
      expect(volumes.some((volume) => volume.startsWith('./config/sites.json:'))).toBe(reads);
    },
  );
});

describe('the migrations', () => {
  it('are finished by a job after the previous version has stopped, outside of the rollout', () => {
    const [, seconds = '0'] =
      /rollout status .* && sleep (\d+) && run finish/.exec(read('docs/deploy.md')) ?? [];
    for (const service of services) {
      const { terminationGracePeriodSeconds: longest = 30 } = podOf(deploymentOf(service));
      expect(Number(seconds)).toBeGreaterThanOrEqual(longest);
    }
  });

  it.each(withDatabase)('of %s run with the image, account and environment of the service', (service) => {
    for (const [name, command] of [
      [`migrate-${service}`, 'up'],
      [`migrate-${service}-finish`, 'finish'],
    ] as const) {
      const job = one(jobs, 'CronJob', name);
      expect(podOf(job)).toMatchObject({ serviceAccountName: service, automountServiceAccountToken: false });
      expect(containerOf(job)).toMatchObject({
        image: `covalence/${service}`,
        args: ['dist/covalence.js', 'migrate', command],
        // Migrations compute no pseudonyms.
        env: (containerOf(deploymentOf(service)).env ?? []).filter(({ name: key }) => key !== 'USAGE_SECRET'),
        securityContext: restricted,
      });
    }
    const migrate = compose[`migrate-${service}`];
    expect(migrate?.command).toEqual(['dist/covalence.js', 'migrate', 'up']);
    expect(migrate?.environment).toEqual(compose[service]?.environment);
    expect(migrate?.image).toBe(compose[service]?.image);
    expect(compose[service]?.depends_on).toMatchObject({
      [`migrate-${service}`]: { condition: 'service_completed_successfully' },
    });
  });

  it('are the only jobs besides the index and the queues', () => {
    const names = withDatabase.flatMap((service) => [`migrate-${service}`, `migrate-${service}-finish`]);
    expect(jobs.map(({ metadata }) => metadata.name).toSorted()).toEqual(
      [...names, 'events-declare', 'index-create', 'index-rebuild'].toSorted(),
    );
  });
});
