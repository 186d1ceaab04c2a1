import { describe, expect, it } from '@jest/globals';
import {
  composeNetworks,
  composeServices,
  manifests,
  read,
  type Manifest,
  type Peer,
  type Selector,
} from '../files.ts';
import { services, speaksTo, withDatabase } from '../speaks-to.ts';

const compose = composeServices();

/** A service or store by its name, anything else by its label. */
const told = (key: string, value: string) => (key === 'app.kubernetes.io/name' ? value : `${key}=${value}`);

/** The selected pods; `all` for an empty selector. Other selectors are printed as they are. */
const names = ({ matchLabels = {}, matchExpressions = [] }: Selector): readonly string[] => {
  const labels = Object.entries(matchLabels).map(([key, value]) => told(key, value));
  const listed = matchExpressions.flatMap(({ key, operator, values = [] }) =>
    operator === 'In' ? values.map((value) => told(key, value)) : [`${key} ${operator} ${values.join()}`],
  );
  if (!labels.length) return listed.length ? listed : ['all'];
  return [[...labels, ...listed].join(' and ')];
};

const policies = (...paths: string[]) => paths.flatMap((path) => manifests(path));
const base = policies('k8s/base/network-policies.yaml', 'k8s/base/network-outside.yaml');
const overlays = {
  local: policies('k8s/overlays/local/network-stores.yaml'),
  production: policies('k8s/overlays/production/stores.yaml'),
};
const examples = policies('k8s/examples/operators/network.yaml').filter(
  ({ kind }) => kind === 'NetworkPolicy',
);

/** Excluded from `the internet`: networks of clusters and providers, and the machine itself. */
const inner = '10.0.0.0/8 172.16.0.0/12 192.168.0.0/16 169.254.0.0/16 100.64.0.0/10 127.0.0.0/8';

const addressesOf = ({ cidr, except = [] }: NonNullable<Peer['ipBlock']>) => {
  const left = except.length ? `${cidr} without ${except.join(' ')}` : cidr;
  return left === `0.0.0.0/0 without ${inner}` ? 'the internet' : left;
};

const othersOf = ({ podSelector, namespaceSelector, ipBlock }: Peer): readonly string[] => {
  if (ipBlock) return [addressesOf(ipBlock)];
  if (!namespaceSelector) return names(podSelector ?? {});
  const places = names(namespaceSelector);
  if (!podSelector) return places;
  return names(podSelector).flatMap((pods) => places.map((place) => `${pods} in ${place}`));
};

/** Every allowed connection as `from > to:port`, with an address for a destination that is not a pod. */
const ways = (all: readonly Manifest[], direction: 'ingress' | 'egress') =>
  all.flatMap(({ spec }) =>
    (spec[direction] ?? []).flatMap((rule) => {
      const peers = ('to' in rule ? rule.to : rule.from).flatMap(othersOf);
      const pairs = names(spec.podSelector ?? {}).flatMap((mine) =>
        peers.map((peer) => (direction === 'egress' ? `${mine} > ${peer}` : `${peer} > ${mine}`)),
      );
      return pairs.flatMap((pair) => rule.ports.map(({ port }) => `${pair}:${port}`));
    }),
  );

const others = (service: string) => services.filter((one) => one !== service).toSorted();
const callersOf = (service: string) =>
  services.filter((one) => speaksTo[one]?.calls.includes(service)).toSorted();
const inWords = (service: string, them: readonly string[]) =>
  them.join() === others(service).join() ? ['all others'] : them;

/** The directions with rules. */
const directionsOf = ({ spec: { ingress, egress } }: Manifest) => [
  ...(ingress ? ['Ingress'] : []),
  ...(egress ? ['Egress'] : []),
];

describe('the network', () => {
  const calls = services.flatMap((service) =>
    (speaksTo[service]?.calls ?? []).map((peer) => `${service} > ${peer}:3000`),
  );

  it('allows only the declared connections', () => {
    const [all] = base.filter(({ metadata }) => metadata.name === 'default-deny');
    expect(all?.spec).toEqual({
      podSelector: {},
      policyTypes: ['Ingress', 'Egress'],
    });
    expect(ways(base, 'ingress').toSorted()).toEqual(
      [
        ...calls,
        'covalence/ingress=true > gateway:3000',
        'covalence/scrapes-metrics=true > app.kubernetes.io/component=service:9090',
      ].toSorted(),
    );
  });

  it('declares exactly the directions that each policy has rules for', () => {
    const all = [...base, ...overlays.local, ...overlays.production];
    const wrong = all.filter(
      (policy) =>
        policy.metadata.name !== 'default-deny' &&
        directionsOf(policy).join() !== policy.spec.policyTypes?.join(),
    );
    expect(wrong).toEqual([]);
  });

  it('matches the table for operators', () => {
    const rows = services.map((service) => {
      const [line = ''] = read('docs/deploy.md').match(new RegExp(`^\\| ${service} +\\|.*$`, 'm')) ?? [];
      const [, name, callers = '', called = ''] = line.split('|').map((cell) => cell.trim());
      return { name, callers: callers.split(', ').toSorted(), called: called.split(', ').toSorted() };
    });
    expect(rows).toEqual(
      services.map((service) => ({
        name: service,
        callers: service === 'gateway' ? ['the ingress controller'] : inWords(service, callersOf(service)),
        called: inWords(service, speaksTo[service]?.calls.toSorted() ?? []),
      })),
    );
  });

  it('lets each service call those of the table', () => {
    const outside = [
      'profile > the internet:80',
      'profile > the internet:443',
      'updates > the internet:443',
      'auth > the internet:443',
      'billing > the internet:80',
      'billing > the internet:443',
      'app.kubernetes.io/component=service > covalence/collects-traces=true:4318',
      // DNS over UDP and TCP.
      'all > k8s-app=kube-dns in kubernetes.io/metadata.name=kube-system:53',
      'all > k8s-app=kube-dns in kubernetes.io/metadata.name=kube-system:53',
    ];

    expect(ways(base, 'egress').toSorted()).toEqual([...calls, ...outside].toSorted());
  });

  it.each(['local', 'production'] as const)(
    'of %s lets each service reach the stores of the table',
    (overlay) => {
      const opened = overlays[overlay].filter(({ metadata }) => metadata.name.startsWith('to-'));
      const users = opened.map(({ metadata, spec }) => [
        metadata.name.slice('to-'.length),
        names(spec.podSelector ?? {}).toSorted(),
      ]);
      const stores = [...new Set(services.flatMap((service) => speaksTo[service]?.stores ?? []))];
      const mail = overlay === 'production' ? [['mail', ['auth']]] : [];
      const expected = stores.map((store) => [
        store,
        services.filter((service) => speaksTo[service]?.stores.includes(store)).toSorted(),
      ]);
      expect(Object.fromEntries(users)).toEqual(Object.fromEntries([...expected, ...mail]));
    },
  );

  it('of stores by operators replaces the policies of production by as narrow ones', () => {
    const out = examples.filter(({ spec }) => spec.egress);
    const backup = policies('k8s/components/backup/network-policies.yaml');
    const replaced = [...overlays.production, ...backup].filter(({ metadata }) =>
      out.some(({ metadata: { name } }) => name === metadata.name),
    );
    expect(replaced).toHaveLength(6);
    // The stores have certificates, so the port without TLS stays closed; the bucket is elsewhere.
    const secure = ways(replaced, 'egress').filter((way) => !/:(5672|443)$/.test(way));
    const stores = 'kubernetes.io/metadata.name=covalence-stores';
    expect(ways(out, 'egress').toSorted()).toEqual(
      secure.map((way) => way.replace('10.20.0.0/16', stores)).toSorted(),
    );
    const ports = [...new Set(secure.map((way) => way.slice(way.lastIndexOf(':'))))];
    const into = examples.filter(({ metadata }) => metadata.name === 'from-services');
    const pods = ['job', 'service'].map(
      (of) => `app.kubernetes.io/component=${of} in kubernetes.io/metadata.name=covalence`,
    );
    expect(ways(into, 'ingress').toSorted()).toEqual(
      pods.flatMap((from) => ports.map((port) => `${from} > all${port}`)).toSorted(),
    );
  });

  it('of production opens only the ports of the stores', () => {
    const ports = overlays.production.map(({ metadata, spec }) => [
      metadata.name,
      (spec.egress ?? []).flatMap((rule) => rule.ports.map(({ port }) => port)),
    ]);
    // With or without TLS; Redis as one server or a cluster.
    expect(Object.fromEntries(ports)).toEqual({
      'to-mongodb': [27_017],
      'to-redis': [6379],
      'to-rabbitmq': [5671, 5672],
      'to-elasticsearch': [9200],
      'to-s3': [443],
      'to-mail': [465, 587],
    });
  });

  it('of production allows stores in their network and mail servers anywhere', () => {
    const stores = '10.20.0.0/16';
    const ways = overlays.production.map(({ metadata, spec }) => [
      metadata.name,
      (spec.egress ?? []).flatMap((rule) => rule.to.flatMap(othersOf)),
    ]);
    expect(ways).toEqual(
      overlays.production.map(({ metadata: { name } }) => [
        name,
        [name === 'to-mail' ? 'the internet' : stores],
      ]),
    );
  });

  it('of the local overlay allows nobody else to reach the stores', () => {
    const itself = 'mongodb > mongodb:27017';
    const [into, out] = (['ingress', 'egress'] as const).map((direction) => ways(overlays.local, direction));
    expect(into?.toSorted()).toEqual(out?.toSorted());
    expect(into).toContain(itself);
  });

  it('of compose starts each service after its stores', () => {
    const gates: Record<string, string> = {
      mongodb: 'mongodb-replica-set',
      elasticsearch: 'elasticsearch-users',
      rabbitmq: 'events-declare',
      s3: 's3-bucket',
    };
    for (const service of services) {
      const wanted = (speaksTo[service]?.stores ?? []).map((store) => gates[store] ?? store);
      const others = [...services, 'index-create', ...withDatabase.map((name) => `migrate-${name}`)];
      const waited = Object.keys(compose[service]?.depends_on ?? {}).filter((name) => !others.includes(name));
      expect([service, waited.toSorted()]).toEqual([service, wanted.toSorted()]);
    }
  });

  it('of compose has a network for each store and its users only', () => {
    const stores = [...new Set(services.flatMap((service) => speaksTo[service]?.stores ?? []))].toSorted();
    const closed = Object.entries(composeNetworks()).filter(([, { internal }]) => internal);
    expect(new Set(closed.map(([name]) => name))).toEqual(new Set([...stores, 'services']));
    for (const store of stores) expect(compose[store]?.networks).toEqual([store]);
    for (const service of services) {
      const inside = compose[service]?.networks.filter((name) => name !== 'outside');
      expect([service, inside?.toSorted()]).toEqual([
        service,
        ['services', ...(speaksTo[service]?.stores ?? [])].toSorted(),
      ]);
    }
  });

  it('of compose gives external access to the gateway and the services of the table', () => {
    // Mails are files, and nobody else signs members in or sells, until that is configured.
    const settings: Record<string, string> = {
      mail: 'MAIL_URL',
      'identity-providers': 'IDENTITY_PROVIDERS',
      'app-stores': 'APP_STORE_APPS',
    };
    const isUsed = (service: string, whom: string) => {
      const setting = settings[whom];
      return setting === undefined || compose[service]?.environment[setting] !== undefined;
    };
    const wanted = services.filter((service) =>
      speaksTo[service]?.outside.some((whom) => isUsed(service, whom)),
    );
    const outside = Object.entries(compose).filter(([, { networks }]) => networks.includes('outside'));
    expect(outside.map(([name]) => name).toSorted()).toEqual(['gateway', ...wanted].toSorted());
  });

  it('of compose gives one-off tasks no more than their service', () => {
    const once = Object.entries(compose).filter(([name]) => /^(migrate-|index-|events-|s3-)/.test(name));
    expect(once.length).toBeGreaterThan(withDatabase.length);
    for (const [name, { image, networks }] of once) {
      const service = services.find((one) => image.startsWith(`covalence/${one}:`)) ?? '';
      expect([name, networks.filter((one) => !compose[service]?.networks.includes(one))]).toEqual([name, []]);
    }
  });

  it('of compose lets commands on dead letters write to the audit log of auth, with a key that only they get', () => {
    const { networks, environment } = compose['events-declare'] ?? {};
    expect(networks?.toSorted()).toEqual(['rabbitmq', 'services']);
    expect(environment).toMatchObject({ AUTH_URL: 'http://auth:3000' });
    expect(environment).not.toHaveProperty('OPERATOR_SECRET');
    expect(read('docs/operations.md')).toContain('--env OPERATOR_SECRET events-declare ');
  });
});
