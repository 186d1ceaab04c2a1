import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Peer } from '@covalence/http/peer';
import { newServiceSecret } from '@covalence/runtime/service-keys';
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createStackPeer } from '@covalence/stack/services/credentials';
import { innerUrl } from '@covalence/stack/services/service-environment';
import { startCommandStack, type CommandStack } from './command-stack.ts';
import { runCommand } from './run-command.ts';

const valueOf = (out: string, name: string) => new RegExp(`^${name} +(\\S+)$`, 'm').exec(out)?.[1] ?? '';

describe('the operator commands', () => {
  let folder: string;
  let stack: CommandStack;
  let auth: Peer<'auth'>;
  let production: Record<string, string>;
  beforeAll(async () => {
    stack = await startCommandStack(['auth']);
    ({ folder } = stack);
    const url = innerUrl(stack.ports, 'auth');
    const { serviceSecrets: secrets } = stack.instance;
    production = { AUTH_URL: url, OPERATOR_SECRET: secrets.operator, STAFF_SECRET: secrets['staff-cli'] };
    auth = createStackPeer({ instance: stack.instance, url, to: 'auth' });
  });
  afterAll(() => stack?.close());

  const local = (...args: string[]) => runCommand([...args, '--data', folder]);
  /** A JWKS file with one key. */
  const writeKeys = (name: string, key: KeyObject): string => {
    const file = join(folder, name);
    writeFileSync(file, JSON.stringify({ keys: [key.export({ format: 'jwk' })] }));
    return file;
  };
  const verify = (client_id: string, client_secret: string) =>
    auth.verifyClient({ client_id, client_secret });
  /** Whether the next sign-in of a staff account has to replace the password. */
  const isInitial = (username: string) =>
    stack.collectionOf('auth', 'accounts', async (accounts) => {
      const account = await accounts.findOne({ username });
      return account?.['initial_password_until'] instanceof Date;
    });
  const create = async () => {
    const { out } = await local('clients', 'create', 'Phone app', 'https://app.example/back');
    return { id: valueOf(out, 'client_id'), secret: valueOf(out, 'client_secret'), out };
  };

  it('registers a client with a web-safe secret that is shown only once', async () => {
    const { id, secret, out } = await create();
    expect(secret).toMatch(/^[\w-]{43}$/);
    expect(out).toContain('shown only this once');
    expect(await verify(id, secret)).toEqual({ client_id: id, redirect_uri: 'https://app.example/back' });
    const listed = await local('clients', 'list');
    expect(listed).toMatchObject({ code: 0, problem: '' });
    const line = new RegExp(
      `^${id}  Phone app  grace=10s  secrets=[\\w-]{8}  https://app.example/back$`,
      'm',
    );
    expect(listed.out).toMatch(line);
    expect(listed.out).not.toContain(secret);
  });

  it('registers a public client, which has no secret', async () => {
    const made = await local('clients', 'create', 'Browser app', 'http://127.0.0.1/back', '--public');
    expect(made).toMatchObject({ code: 0, out: expect.stringMatching(/^client_id +[\w-]{36}$/) });
    const id = valueOf(made.out, 'client_id');
    expect((await local('clients', 'list')).out).toMatch(
      new RegExp(`^${id}  Browser app  public  pkce  grace=10s  lifetime=365d  http://127.0.0.1/back$`, 'm'),
    );
    expect((await local('clients', 'secret', id)).problem).toMatch(/A public client has none\.$/);
  });

  it('changes redirect addresses', async () => {
    const { id, secret } = await create();
    const addresses = ['com.example.app:/back', 'https://app.example/other'];
    expect((await local('clients', 'redirects', id, ...addresses)).out).toBe(addresses.join('\n'));
    expect(await verify(id, secret)).toEqual({ client_id: id, redirect_uri: addresses[0] });
    const bad = {
      'javascript:alert(1)': /belongs to no app/,
      'myapp://back': /without a dot/,
      nowhere: /absolute/,
    };
    for (const [address, reason] of Object.entries(bad)) {
      const refused = await local('clients', 'redirects', id, address);
      expect(refused).toMatchObject({ code: 64, out: '' });
      expect(refused.problem).toMatch(reason);
    }
  });

  it('rotates a secret: both are valid until one is retired, by default the older one', async () => {
    const { id, secret } = await create();
    const { out } = await local('clients', 'secret', id);
    const renewed = valueOf(out, 'client_secret');
    expect(renewed).toMatch(/^[\w-]{43}$/);
    for (const good of [secret, renewed]) expect(await verify(id, good)).toMatchObject({ client_id: id });
    expect((await local('clients', 'list')).out).toMatch(
      new RegExp(`^${id}  .*secrets=[\\w-]{8},${valueOf(out, 'secret_id')}  `, 'm'),
    );
    expect((await local('clients', 'secret', id)).problem).toMatch(/^The client has two secrets already/);
    expect((await local('clients', 'retire-secret', id)).out).toMatch(/^The secret [\w-]{8} is retired\.$/);
    await expect(verify(id, secret)).rejects.toMatchObject({ status: 403 });
    expect(await verify(id, renewed)).toMatchObject({ client_id: id });
    const last = await local('clients', 'retire-secret', id, '--secret', valueOf(out, 'secret_id'));
    expect(last.problem).toMatch(/^The client has only one secret/);
  });

  it('creates a client with settings, and changes them', async () => {
    const options = ['--require-pkce', '--refresh-grace', '120s', '--refresh-lifetime', '30d'];
    const made = await local('clients', 'create', 'Strict app', 'com.example.app:/back', ...options);
    const id = valueOf(made.out, 'client_id');
    const marks = async () =>
      new RegExp(`^${id}  Strict app  (.*)  secrets=`, 'm').exec((await local('clients', 'list')).out)?.[1];
    expect(await marks()).toBe('pkce  grace=2m  lifetime=30d');
    const changed = ['--no-require-pkce', '--refresh-grace', '30', '--refresh-lifetime', 'none'];
    await local('clients', 'change', id, ...changed, '--post-logout-redirect-uri', 'https://app.example/bye');
    expect(await marks()).toBe('grace=30s');
    expect((await local('clients', 'list')).out).toMatch(/post-logout=https:\/\/app\.example\/bye$/m);
    expect((await local('clients', 'change', id, '--refresh-grace', '121s')).problem).toMatch(
      /^A grace is at/,
    );
    expect((await local('clients', 'change', id, '--refresh-grace', 'x')).problem).toMatch(/is a time like/);
    expect((await local('clients', 'change', id)).problem).toMatch(/^Name a setting/);
  });

  it('registers a client of FAPI 2.0 with the public keys of a file', async () => {
    const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const keys = writeKeys('jwks.json', pair.publicKey);
    const made = await local('clients', 'create', 'Bank', 'https://bank.example/back', '--fapi', keys);
    expect(made).toMatchObject({ code: 0, out: expect.stringMatching(/^client_id +[\w-]{36}$/) });
    const line = `^${valueOf(made.out, 'client_id')}  Bank  fapi  pkce  dpop  grace=10s  https://bank.example/back$`;
    expect((await local('clients', 'list')).out).toMatch(new RegExp(line, 'm'));
    const secret = writeKeys('private.json', pair.privateKey);
    for (const file of [secret, join(folder, 'no-file')]) {
      const refused = await local('clients', 'create', 'Bank', 'https://bank.example/back', '--fapi', file);
      expect(refused).toMatchObject({ code: 64, out: '' });
      expect(refused.problem).toMatch(/ is not a JWKS of public keys \(EC P-256 or Ed25519\): /);
    }
  });

  it.each([
    ['--staff', '--fapi', 'jwks.json'],
    ['--public', '--fapi', 'jwks.json'],
  ])('refuses a client with %s and %s', async (...options) => {
    expect(await local('clients', 'create', 'Both', 'https://both.example/back', ...options)).toEqual({
      code: 64,
      out: '',
      problem: 'A client with --fapi is neither --staff nor --public.',
    });
  });

  it('creates and changes a client whose apps share passkeys and prove a key', async () => {
    const options = ['--android-app', `com.example.app=${'0a:'.repeat(31)}0a`, '--require-dpop'];
    const app = ['--ios-app', 'A1B2C3D4E5.com.example.app'];
    const made = await local('clients', 'create', 'Phone', 'com.example.app:/back', ...options, ...app);
    const id = valueOf(made.out, 'client_id');
    const listed = async () => {
      const { clients } = await auth.listClients({});
      return clients.find(({ client_id }) => client_id === id);
    };
    const fingerprints = [`${'0A:'.repeat(31)}0A`];
    expect(await listed()).toMatchObject({
      android_app: { package: 'com.example.app', fingerprints },
      ios_app: 'A1B2C3D4E5.com.example.app',
      dpop_bound_access_tokens: true,
    });
    expect((await local('clients', 'list')).out).toContain(
      `${id}  Phone  dpop  grace=10s  android=com.example.app  ios=A1B2C3D4E5.com.example.app  secrets=`,
    );
    await local('clients', 'change', id, '--android-app', 'none', '--ios-app', 'none', '--no-require-dpop');
    expect(await listed()).toMatchObject({
      android_app: null,
      ios_app: null,
      dpop_bound_access_tokens: false,
    });
    for (const bad of [
      ['--android-app', 'com.example.app=0A'],
      ['--ios-app', 'com.example.app'],
    ]) {
      const { code, problem } = await local('clients', 'change', id, ...bad);
      expect([code, problem]).toEqual([1, expect.stringMatching(/an app is written as --help shows\.$/)]);
    }
  });

  it('disables and enables a client', async () => {
    const { id, secret } = await create();
    expect((await local('clients', 'disable', id)).out).toBe(`${id} is disabled.`);
    await expect(verify(id, secret)).rejects.toMatchObject({ status: 403 });
    expect((await local('clients', 'list')).out).toContain(`${id}  Phone app  disabled  `);
    await local('clients', 'enable', id);
    expect(await verify(id, secret)).toMatchObject({ client_id: id });
  });

  it('adds, lists and disables staff accounts, with a password from standard input or a generated one', async () => {
    const made = await local('staff', 'add', 'grace', 'moderator', 'support@2');
    expect(valueOf(made.out, 'password')).toMatch(/^[\w-]{24}$/);
    expect(await isInitial('grace')).toBe(true);
    const args = ['staff', 'add', 'alan', 'admin', '--password-stdin', '--data', folder];
    for (const bad of ['short\n', 'password1\n', 'x'.repeat(257)]) {
      expect((await runCommand(args, {}, bad)).problem).toMatch(/A password has 8 to 256 characters, and is/);
    }
    const own = await runCommand(args, {}, 'a-password-of-his-own\n');
    expect(own).toMatchObject({ code: 0, out: 'username  alan' });
    expect(await isInitial('alan')).toBe(false);
    expect(await local('staff', 'add', 'Grace', 'admin')).toMatchObject({
      code: 1,
      problem: expect.stringMatching(/^This name is taken/),
    });
    expect((await local('staff', 'disable', 'GRACE')).out).toContain('is disabled');
    const names = async () =>
      (await local('staff', 'list')).out.split('\n').map((line) => line.split('  ').slice(1));
    expect((await names()).flat()).toEqual(['alan', 'admin', 'grace', 'support@2 moderator', 'disabled']);
    await local('staff', 'enable', 'grace');
    const replaced = await local('staff', 'roles', 'grace', 'search');
    expect(replaced.out).toBe('grace has the roles: search. All sign-ins have ended.');
    await local('staff', 'roles', 'alan', 'none');
    expect((await names()).flat()).toEqual(['alan', 'none', 'grace', 'search']);
    for (const bad of ['boss', 'moderator@', 'moderator@1@2', 'moderator@9999999999', 'none']) {
      const { problem } = await local('staff', 'roles', 'grace', 'search', bad);
      expect(problem).toContain(' is no role. Roles are moderator, support, search, operator, admin; ');
    }
    expect((await local('staff', 'roles', 'grace', 'support@77')).problem).toContain('site that does not');
    expect((await local('staff', 'disable', 'nobody')).problem).toMatch(/^There is no staff account/);
  });

  it('reads the audit log whole, with names of accounts', async () => {
    await local('staff', 'add', 'mary', 'operator');
    const staff = (await auth.listStaff({})).staff.find((one) => one.username === 'mary')?.staff_id ?? '';
    const call = 'POST /staff/members/:id/suspend';
    for (let member = 1; member <= 120; member += 1)
      await auth.recordStaffCall({ staff, call, about: [String(member)] });
    const all = await local('staff', 'audit', '--as', 'mary', '--by', 'Mary', '--json');
    expect((JSON.parse(all.out) as unknown[]).length).toBe(120);
    expect((await local('staff', 'audit', '--as', 'mary', '--about', '7')).out).toMatch(
      new RegExp(`  mary  ${call}  7$`),
    );
  });

  it('gives a staff account another password, and a code in place of its second factor', async () => {
    await local('staff', 'add', 'joan', 'support');
    const made = await local('staff', 'password', 'Joan');
    expect(made.out).toContain('Joan has another password');
    expect(valueOf(made.out, 'password')).toMatch(/^[\w-]{24}$/);
    const args = ['staff', 'password', 'joan', '--password-stdin', '--data', folder];
    expect((await runCommand(args, {}, 'a-password-of-her-own\n')).out).not.toContain('a-password');
    expect(await isInitial('joan')).toBe(false);
    await local('staff', 'password', 'joan');
    expect(await isInitial('joan')).toBe(true);
    expect((await runCommand(args, {}, 'iloveyou\n')).problem).toMatch(/^A password has 8 to 256 characters/);
    const reset = await local('staff', 'reset-factor', 'Joan');
    expect(valueOf(reset.out, 'code')).toMatch(/^([A-Z2-7]{4}-){5}[A-Z2-7]{4}$/);
    for (const action of ['password', 'reset-factor'])
      expect((await local('staff', action, 'nobody')).problem).toMatch(/^There is no staff account/);
  });

  it('rotates keys', async () => {
    const before = (await local('keys', 'list')).out;
    expect(before).toMatch(/^\S{43} {2}signs +since \S+Z$/);
    const [kid = ''] = (await local('keys', 'rotate')).out.split(' ');
    const after = (await local('keys', 'list')).out.split('\n');
    expect(after).toEqual([before, expect.stringMatching(`^${kid}  signs soon  since `)]);
  });

  it('calls the service of the environment', async () => {
    expect(await runCommand(['keys', 'list'], production)).toMatchObject({ code: 0, problem: '' });
  });

  it.each([
    [['clients', 'secret', 'nobody'], {}, /^There is no client with this id: see covalence clients list\.$/],
    [
      ['keys', 'list'],
      { OPERATOR_SECRET: newServiceSecret() },
      /^OPERATOR_SECRET is not a key that the service/,
    ],
    [
      ['keys', 'list'],
      { OPERATOR_SECRET: 'change-me' },
      /^OPERATOR_SECRET is not a private key: covalence credent/,
    ],
    [
      ['staff', 'list'],
      { STAFF_SECRET: newServiceSecret() },
      /^STAFF_SECRET is not a key that the service at /,
    ],
    [['keys', 'list'], { OPERATOR_SECRET: '' }, /^OPERATOR_SECRET is not set: /],
    [['keys', 'list'], { AUTH_URL: '' }, /^AUTH_URL is not set: /],
    [
      ['keys', 'list'],
      { AUTH_URL: 'localhost:1' },
      /^AUTH_URL is 'localhost:1', which is not an http address\.$/,
    ],
    [['keys', 'list'], { AUTH_URL: 'http://127.0.0.1:9' }, /does not answer\. Is it running\?$/],
    [['members', 'import', 'nowhere.ndjson'], {}, /^PROFILE_URL is not set: /],
    [
      ['members', 'import', 'nowhere.ndjson'],
      { PROFILE_URL: 'http://127.0.0.1:9' },
      /nowhere\.ndjson cannot be read\.$/,
    ],
    [['members', 'import', '.'], { PROFILE_URL: 'http://127.0.0.1:9' }, / is not a file\.$/],
    [
      ['staff', 'queue', 'profile', '--as', 'nobody'],
      { PROFILE_URL: 'http://127.0.0.1:9' },
      /^There is no staff account nobody, /,
    ],
  ])('%j with %j is rejected with one line', async (args, env, line) => {
    const refused = await runCommand(args, { ...production, ...env });
    expect(refused).toMatchObject({ code: 1, out: '', problem: expect.stringMatching(line) });
    expect(refused.problem.split('\n')).toHaveLength(1);
  });

  it('explains that there is no local stack', async () => {
    const refused = await runCommand(['keys', 'list', '--data', join(folder, 'none')]);
    expect(refused.problem).toMatch(/^There is no local stack in .*: run npm start first, or set AUTH_URL/);
  });

  it.each<[args: string[], line: string | RegExp]>([
    [['clients', 'drop'], "Unknown command 'drop'. See --help."],
    [['clients', 'constructor'], "Unknown command 'constructor'. See --help."],
    [['clients', 'create', 'Only a name'], "Missing required argument 'redirect-address'. See --help."],
    [['keys', 'list', 'x'], /^Too many arguments for 'list'\. Expected 0 arguments but got 1.*See --help\.$/],
    [['keys', 'list', '--al'], "Unknown option '--al'. See --help."],
    [['keys', 'list', '--data'], "Option '--data <folder>' argument missing. See --help."],
    [['begin'], "Unknown command 'begin'. See --help."],
  ])('%j is a usage error of one line', async (args, line) => {
    const refused = await runCommand(args);
    expect(refused).toMatchObject({ code: 64, out: '' });
    expect(refused.problem).toMatch(line);
    expect(refused.problem.split('\n')).toHaveLength(1);
  });

  it.each(['clients', 'staff', 'keys', 'members'])('%s prints its help', async (name) => {
    const action = name === 'members' ? 'import' : 'list';
    for (const args of [[name], [name, action]]) {
      const help = await runCommand([...args, '--help']);
      expect(help).toMatchObject({ code: 0, problem: '' });
      expect(help.out).toMatch(new RegExp(`^Usage: covalence ${args.join(' ')} `));
    }
    expect(await runCommand([name])).toMatchObject({ code: 64 });
  });

  it('prints the result as JSON with --json', async () => {
    const made = await local('clients', 'create', 'Web app', 'https://web.example/back', '--json');
    const client: unknown = JSON.parse(made.out);
    expect(client).toEqual({ client_id: expect.any(String), client_secret: expect.any(String) });
    const listed = JSON.parse((await local('--json', 'clients', 'list')).out) as object[];
    expect(listed).toContainEqual(expect.objectContaining({ name: 'Web app', staff: false }));
    expect(JSON.parse((await local('staff', 'list', '--json')).out)).toEqual(expect.any(Array));
    expect(JSON.parse((await local('keys', 'list', '--json')).out)).toHaveLength(2);
  });
});
