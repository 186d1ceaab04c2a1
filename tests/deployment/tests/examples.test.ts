import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { composeServices, manifests, read } from '../files.ts';
import { withDatabase } from '../speaks-to.ts';

/** The fields of an operator's resource that the tests use. */
interface Example {
  readonly spec?: {
    readonly users?: readonly { readonly name: string; readonly db: string; readonly roles: unknown }[];
  };
  readonly stringData?: Readonly<Record<string, string>>;
}

const example = (store: string) =>
  manifests(`k8s/examples/operators/${store}.yaml`) as unknown as readonly Example[];

describe('the examples for operators', () => {
  it('give each service its own database in MongoDB, as the script does', () => {
    const users = example('mongodb')[0]?.spec?.users ?? [];
    expect(users.map(({ name }) => name).toSorted()).toEqual(withDatabase.toSorted());
    expect(users.map(({ db, roles }) => [db, roles])).toEqual(
      users.map(({ name }) => ['admin', [{ name: 'readWrite', db: `covalence-${name}` }]]),
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
