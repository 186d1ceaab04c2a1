import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { composeServices, manifests, read } from '../files.ts';

/** The fields of an operator's resource that the tests use. */
interface Example {
  readonly kind: string;
  readonly spec?: {
    readonly users?: readonly { readonly name: string; readonly db: string; readonly roles: unknown }[];
  };
  readonly stringData?: Readonly<Record<string, string>>;
}

const example = (store: string) =>
  manifests(`k8s/examples/operators/${store}.yaml`) as unknown as readonly Example[];

const rolesOf = (role: string, services: readonly string[]) =>
  services.map((service) => ({ name: role, db: `covalence-${service}` }));

describe('the examples for operators', () => {
  it('give the users of MongoDB the rights that the script gives', () => {
    const users = example('mongodb').find(({ kind }) => kind === 'MongoDBCommunity')?.spec?.users ?? [];
    const [, optional = ''] = /optional = (\{.+\});/.exec(read('config/stores/mongodb.js')) ?? [];
    const others = Object.entries(parse(optional) as Record<string, string>);
    const services = ['auth', 'profile', 'search', 'billing'];
    const given = new Map(users.map(({ name, db, roles }) => [`${db}.${name}`, roles]));
    expect(others.map(([name]) => name)).toEqual(['backup', 'restore']);
    expect(given).toEqual(
      new Map([
        ...services.map((name) => [`admin.${name}`, rolesOf('readWrite', [name])] as const),
        ...others.map(([name, role]) => [`admin.${name}`, rolesOf(role, services)] as const),
      ]),
    );
  });

  it('give search the rights in Elasticsearch that the script gives', () => {
    const given = example('elasticsearch')[0]?.stringData?.['roles.yml'] ?? '';
    const script = read('config/stores/elasticsearch.sh');
    const [, body = ''] = /put role\/covalence-search <<EOF\n([^]*?)\nEOF/.exec(script) ?? [];
    expect(parse(given)).toEqual({ 'covalence-search': JSON.parse(body) });
  });

  it.each(['elasticsearch', 'mongodb', 'rabbitmq'])('run %s in the version that is tested', (store) => {
    const [, version = ''] = composeServices()[store]?.image.split(':') ?? [];
    expect(read(`k8s/examples/operators/${store}.yaml`)).toMatch(new RegExp(`(version: |:)${version}\\b`));
  });

  it.each([
    ['rabbitmq', 'rabbitmq.json'],
    ['redis', 'redis.acl'],
  ])('load the users of %s from the template', (store, file) => {
    expect(read(`k8s/examples/operators/${store}.yaml`)).toContain(`fill.sh config/stores/${file}`);
  });

  it.each(['elasticsearch', 'mongodb', 'rabbitmq', 'redis'])(
    'encrypt %s, and keep two of three nodes',
    (store) => {
      const text = read(`k8s/examples/operators/${store}.yaml`);
      expect(text).toMatch(/^ {2,}(count|members|replicas|clusterSize): 3$/m);
      expect(text).toMatch(/maxUnavailable: 1\b/);
      expect(text).toContain('topologyKey: kubernetes.io/hostname');
      // ECK turns TLS on unless it is turned off.
      expect(/tls:|TLS:/.test(text)).toBe(store !== 'elasticsearch');
    },
  );
});
