import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { containerOf, deploymentOf, environmentOf } from '../environment.ts';
import { composeServices, manifests, read, readVariables, root } from '../files.ts';
import { services, speaksTo, withDatabase } from '../speaks-to.ts';

const compose = composeServices();
const variables = {
  mongodb: 'MONGODB_URL',
  redis: 'REDIS_URL',
  rabbitmq: 'RABBITMQ_URL',
  elasticsearch: 'ELASTICSEARCH_URL',
} as const;
type Store = keyof typeof variables;
const isStore = (name: string): name is Store => name in variables;

const uses = services.flatMap((service) =>
  (speaksTo[service]?.stores ?? []).filter(isStore).map((store) => [service, store] as const),
);
const folder = join(root, 'config/stores');

/** Runs a script of config/stores; resolves with exit code and output. */
async function run(command: readonly [string, ...string[]], env: Record<string, string>) {
  const [file, ...args] = command;
  const child = spawn(file, args, { cwd: folder, env: { PATH: process.env['PATH'], ...env } });
  const lines: string[] = [];
  child.stdout.on('data', (chunk: Buffer) => lines.push(String(chunk)));
  const [code] = (await once(child, 'close')) as [number];
  return { code, out: lines.join('') };
}

/** The users that a template or script creates. */
const usersOf: Readonly<Record<Store, () => string[]>> = {
  redis: () =>
    [...read('config/stores/redis.acl').matchAll(/^user (\w+) on /gm)].map(([, name = '']) => name),
  rabbitmq: () =>
    (JSON.parse(read('config/stores/rabbitmq.json')) as { users: { name: string }[] }).users.map(
      ({ name }) => name,
    ),
  mongodb: () => ['operator', ...withDatabase],
  elasticsearch: () => ['search'],
};

describe('the users of the stores', () => {
  it.each(uses)('include exactly one for %s in %s', (service, store) => {
    const variable = variables[store];
    expect(compose[service]?.environment[variable]).toContain(
      `://${service}:\${${store.toUpperCase()}_${service.toUpperCase()}_PASSWORD:?}@`,
    );
    const inCluster = new URL(environmentOf(deploymentOf(service))[variable] ?? '');
    expect(inCluster.username).toBe(service);
    expect(usersOf[store]()).toContain(service);
  });

  it('have distinct passwords, which stores and services share', () => {
    const passwords = uses.map(
      ([service, store]) => new URL(environmentOf(deploymentOf(service))[variables[store]] ?? '').password,
    );
    expect(new Set(passwords).size).toBe(uses.length);
    for (const [service, store] of uses) {
      const given = readVariables(`k8s/overlays/local/secrets/${store}.env.example`);
      expect(new URL(environmentOf(deploymentOf(service))[variables[store]] ?? '').password).toBe(
        given[`${store.toUpperCase()}_${service.toUpperCase()}_PASSWORD`],
      );
    }
  });

  it.each(uses)(
    'have one in production for %s in %s, with the password that the scripts give it',
    (service, store) => {
      const folder = 'k8s/overlays/production/secrets';
      const { username, password } = new URL(
        readVariables(`${folder}/${service}.env.example`)[`${store}-url`] ?? '',
      );
      const given = readVariables(`${folder}/stores.env.example`);
      expect([username, password]).toEqual([service, given[`${store}_${service}_PASSWORD`.toUpperCase()]]);
    },
  );

  it('restrict the operator to the stores and the job that declares queues', () => {
    const holders = Object.entries(compose).flatMap(([name, { environment }]) =>
      JSON.stringify(environment).includes('_OPERATOR_PASSWORD') ? [name] : [],
    );
    expect(holders.toSorted()).toEqual(
      [
        'elasticsearch',
        'elasticsearch-users',
        'events-declare',
        'mongodb',
        'mongodb-replica-set',
        'rabbitmq',
        'redis',
      ].toSorted(),
    );
    const withOperator = [...services.map(deploymentOf), ...manifests('k8s/base/jobs.yaml')].filter(
      (manifest) =>
        (containerOf(manifest).env ?? []).some(
          ({ valueFrom }) => valueFrom?.secretKeyRef.name === 'covalence-events',
        ),
    );
    expect(withOperator.map(({ metadata }) => metadata.name)).toEqual(['events-declare']);
  });

  it('declare no queues: services check them, and wait for the job in compose', () => {
    const onBroker = services.filter((service) => speaksTo[service]?.stores.includes('rabbitmq'));
    for (const service of onBroker) {
      expect(environmentOf(deploymentOf(service))['RABBITMQ_TOPOLOGY']).toBe('check');
      expect(compose[service]?.environment['RABBITMQ_TOPOLOGY']).toBe('check');
      expect(compose[service]?.depends_on).toMatchObject({
        'events-declare': { condition: 'service_completed_successfully' },
      });
    }
    expect(compose['events-declare']?.command).toEqual(['dist/covalence.js', 'events', 'declare']);
  });

  it('have separate passwords in compose, named as in the templates', () => {
    const made = [...read('.env.example').matchAll(/^(\w+)_(\w+)_PASSWORD=\{\{password (.+)\}\}$/gm)];
    expect(made.map(([, store, user, name]) => [`${store}-${user}`.toLowerCase(), name])).toEqual(
      made.map(([, , , name]) => [name, name]),
    );
    for (const [store, file] of [
      ['redis', 'redis.acl'],
      ['rabbitmq', 'rabbitmq.json'],
    ] as const) {
      const names = [...read(`config/stores/${file}`).matchAll(/\{\{password (\w+)-(\w+)\}\}/g)].map(
        ([, of = '', user = '']) => `${of}_${user}_PASSWORD`.toUpperCase(),
      );
      const inCompose = Object.entries(compose[store]?.environment ?? {});
      expect(inCompose).toEqual(expect.arrayContaining(names.map((name) => [name, `\${${name}:?}`])));
      const inCluster = Object.keys(readVariables(`k8s/overlays/local/secrets/${store}.env.example`));
      expect(inCluster.toSorted()).toEqual(names.toSorted());
    }
  });

  it('are created once, and health checks neither show passwords nor accept refusals', () => {
    const stores = manifests('k8s/overlays/local/stores.yaml').filter(({ kind }) => kind === 'StatefulSet');
    const probes = stores.map((store) => [store.metadata.name, containerOf(store)] as const);
    const scripts = ['mongodb.js', 'elasticsearch.sh'];
    for (const [name, { startupProbe, readinessProbe }] of probes) {
      const starts = scripts.filter((script) => JSON.stringify(startupProbe ?? {}).includes(script));
      expect([name, starts]).toEqual([name, scripts.filter((script) => script.startsWith(`${name}.`))]);
      const looks = JSON.stringify([readinessProbe, compose[name]?.healthcheck]);
      expect(looks).not.toMatch(/config\/stores|etc\/covalence|--user [^ ]*PASSWORD|NOAUTH/);
    }
  });

  it.each(['redis.acl', 'rabbitmq.json'])('get their passwords in %s from the environment', async (file) => {
    const names = [...read(`config/stores/${file}`).matchAll(/\{\{password (\w+)-(\w+)\}\}/g)].map(
      ([, store = '', user = '']) => `${store}_${user}_PASSWORD`.toUpperCase(),
    );
    const passwords = Object.fromEntries(names.map((name) => [name, `of-${name}`]));
    const { code, out } = await run(['bash', 'fill.sh', file], passwords);
    expect(code).toBe(0);
    expect(out).not.toContain('{{');
    for (const password of Object.values(passwords)) expect(out).toContain(password);
    const { [names[1] ?? '']: _missing, ...others } = passwords;
    expect((await run(['bash', 'fill.sh', file], others)).code).not.toBe(0);
  });
});

/** Arguments of a new MongoDB user. */
const rights = (user: string) => ({
  pwd: `of ${user}`,
  roles: [{ role: 'readWrite', db: `covalence-${user}` }],
});

describe('the script of MongoDB', () => {
  const passwords = Object.fromEntries(
    ['operator', ...withDatabase].map((user) => [`MONGODB_${user.toUpperCase()}_PASSWORD`, `of ${user}`]),
  );
  /** Runs the script with a fake mongosh; resolves with the exit code and the commands. */
  function runScript(
    { setName, primary, known }: { setName?: string; primary: boolean; known: string[] },
    environment: Record<string, string> = {},
  ) {
    const calls: unknown[] = [];
    const admin = {
      auth: (user: string, password: string) => calls.push(['auth', user, password]),
      hello: () => ({ setName, isWritablePrimary: primary }),
      adminCommand: (command: object) => calls.push(['command', command]),
      getUser: (user: string) => (known.includes(user) ? { user } : null),
      createUser: (user: object) => calls.push(['create', user]),
      updateUser: (user: string, rights: object) => calls.push(['update', user, rights]),
    };
    const codes: number[] = [];
    const scope = {
      process: { env: { MONGODB_HOST: 'mongodb:27017', ...passwords, ...environment } },
      connect: () => admin,
      db: { getSiblingDB: () => admin },
      print: () => undefined,
      // The shell exits at the first one, even inside a try.
      quit: (code: number) => {
        codes.push(code);
        throw new Error('ended');
      },
    };
    try {
      runInNewContext(read('config/stores/mongodb.js'), scope);
    } catch {
      // The shell has exited.
    }
    return { code: codes[0], calls };
  }

  it('creates the replica set first, and can be repeated', () => {
    const { code, calls } = runScript({ primary: false, known: [] });
    expect(code).toBe(1);
    expect(calls).toEqual([
      ['auth', 'operator', 'of operator'],
      ['command', { replSetInitiate: { _id: 'rs0', members: [{ _id: 0, host: 'mongodb:27017' }] } }],
    ]);
  });

  it('ignores the temporary server of the image, which has no replica set', () => {
    const { code, calls } = runScript({ primary: true, known: [] });
    expect(code).toBe(1);
    expect(calls.flat()).not.toContain('create');
  });

  it('uses the connection of the shell without members, and creates no replica set', () => {
    const elsewhere = { MONGODB_HOST: '', MONGODB_OPERATOR_PASSWORD: '' };
    const { code, calls } = runScript({ setName: 'rs0', primary: true, known: [...withDatabase] }, elsewhere);
    expect(code).toBe(0);
    expect(calls.map((call) => (call as string[]).slice(0, 2))).toEqual(
      ['auth', 'profile', 'search', 'billing'].map((user) => ['update', user]),
    );
    expect(runScript({ primary: true, known: [] }, elsewhere)).toEqual({ code: 1, calls: [] });
  });

  it('gives each service access to its own database only', () => {
    const { code, calls } = runScript({ setName: 'rs0', primary: true, known: ['auth'] });
    expect(code).toBe(0);
    const [, first, ...others] = calls;
    expect(first).toEqual(['update', 'auth', rights('auth')]);
    expect(others).toEqual(
      ['profile', 'search', 'billing'].map((user) => ['create', { user, ...rights(user) }]),
    );
  });

  it('lets backups read only, and makes their users where they have a password', () => {
    const given = readVariables('k8s/overlays/production/secrets/stores.env.example');
    const { calls } = runScript({ setName: 'rs0', primary: true, known: [...withDatabase] }, given);
    const made = (calls as [string, object][]).flatMap(([kind, user]) => (kind === 'create' ? [user] : []));
    const databases = ['auth', 'profile', 'search', 'billing'].map((service) => `covalence-${service}`);
    const roles = { backup: 'read', restore: 'readWrite' };
    const created = Object.entries(roles).map(([user, role]) => {
      const url = new URL(
        readVariables(`k8s/overlays/production/secrets/${user}.env.example`)['mongodb-url'] ?? '',
      );
      expect(url.username).toBe(user);
      return { user, pwd: url.password, roles: databases.map((db) => ({ role, db })) };
    });
    expect(made).toEqual(created);
  });
});

describe('the script of Elasticsearch', () => {
  const asked: { path: string; authorization: string; body: unknown }[] = [];
  let status = 200;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      const body: unknown = JSON.parse(Buffer.concat(chunks).toString());
      asked.push({ path: `${method} ${url}`, authorization: headers.authorization ?? '', body });
      response.writeHead(status).end('{}');
    });
  });
  beforeAll(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterAll(() => void server.close());
  const runScript = () =>
    run(['sh', 'elasticsearch.sh'], {
      ELASTICSEARCH: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      ELASTIC_PASSWORD: 'e',
      ELASTICSEARCH_SEARCH_PASSWORD: 's',
    });

  it('gives search access to indices of the namespace only', async () => {
    expect(await runScript()).toEqual({ code: 0, out: '' });
    const authorization = `Basic ${Buffer.from('elastic:e').toString('base64')}`;
    expect(asked).toEqual([
      {
        path: 'PUT /_security/role/covalence-search',
        authorization,
        body: {
          cluster: ['cluster:monitor/health'],
          indices: [
            { names: ['covalence-members*', 'covalence-lab-*'], privileges: ['manage', 'read', 'write'] },
          ],
        },
      },
      {
        path: 'PUT /_security/user/search',
        authorization,
        body: { password: 's', roles: ['covalence-search'] },
      },
    ]);
  });

  it('fails when the engine refuses', async () => {
    status = 503;
    expect((await runScript()).code).not.toBe(0);
  });
});
