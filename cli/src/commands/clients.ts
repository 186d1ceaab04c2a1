import { clientKeys } from '@covalence/contract/client-keys';
import { UsageError } from '@covalence/runtime/command-error';
import { problemText } from '@covalence/runtime/config';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { CommandContext } from '../command-context.ts';
import { checkedAddresses, marksOf, settingOptions, settingsOf } from './client-options.ts';
import { stringOption, type Action, type OperatorGroup } from '../operator-command.ts';

/** The public keys in a JWKS file, relative to the folder of the caller. */
function keysOf(file: unknown, { workingFolder }: CommandContext) {
  if (typeof file !== 'string') return {};
  try {
    return { fapi_keys: clientKeys.parse(JSON.parse(readFileSync(resolve(workingFolder, file), 'utf8'))) };
  } catch (error) {
    throw new UsageError(`${file} is not a JWKS of public keys (EC P-256 or Ed25519): ${problemText(error)}`);
  }
}

const missing = 'There is no client with this id: see covalence clients list.';
const onceOnly = 'The secret is shown only this once; store it now.';
const badSetting = 'A grace is at most 120s; a lifetime is 60s to 3650d; an app is written as --help shows.';

const create: Action = {
  takes: ['<name>', '<redirect-address...>'],
  options: {
    '--staff': 'a client of staff, whose tokens have the scope staff; with --public, the console',
    '--public': 'an app without a secret, in a browser or on a phone; its sign-ins need PKCE',
    '--fapi <jwks-file>':
      'a client of FAPI 2.0: authenticates with a key, pushes its requests, binds its tokens',
    ...settingOptions,
  },
  help: 'register a client application and print its id and secret',
  errors: { 403: `A name has up to 100 characters. ${badSetting}` },
  async run({ reach, context, args: [name = '', ...redirect_uris], options }) {
    checkedAddresses(redirect_uris);
    const { staff = false, public: isPublic = false, fapi } = options;
    if (fapi !== undefined && (staff === true || isPublic === true))
      throw new UsageError('A client with --fapi is neither --staff nor --public.');
    const kind = { staff: staff === true, public: isPublic === true, ...keysOf(fapi, context) };
    const data = await reach('auth').peer.createClient({
      name,
      redirect_uris,
      ...kind,
      ...settingsOf(options),
    });
    const { client_id, client_secret } = data;
    const secretLines = client_secret === undefined ? [] : [`client_secret  ${client_secret}`, onceOnly];
    return { lines: [`client_id      ${client_id}`, ...secretLines], data };
  },
};

const list: Action = {
  help: 'list the client applications',
  async run({ reach }) {
    const { clients } = await reach('auth').peer.listClients({});
    const lines = clients.map((client) =>
      [
        client.client_id,
        client.name,
        ...marksOf(client),
        ...client.redirect_uris,
        ...client.post_logout_redirect_uris.map((uri) => `post-logout=${uri}`),
      ].join('  '),
    );
    return { lines, data: clients };
  },
};

const change: Action = {
  takes: ['<client-id>'],
  options: {
    ...settingOptions,
    '--no-require-pkce': 'accept sign-ins without PKCE again',
    '--no-require-dpop': 'issue tokens without a key again',
  },
  help: 'change settings of a client',
  errors: { 403: badSetting, 404: missing },
  async run({ reach, args: [client_id = ''], options }) {
    const settings = settingsOf(options);
    if (!Object.keys(settings).length) throw new UsageError('Name a setting: see --help.');
    const data = { client_id, ...settings };
    await reach('auth').peer.setClientSettings(data);
    return { lines: [`${client_id} is changed. Every process uses the change within 5 seconds.`], data };
  },
};

const redirects: Action = {
  takes: ['<client-id>', '<redirect-address...>'],
  help: 'replace the redirect addresses of a client; the first one is that of registrations',
  errors: { 404: missing },
  async run({ reach, args: [client_id = '', ...redirect_uris] }) {
    checkedAddresses(redirect_uris);
    const data = { client_id, redirect_uris };
    await reach('auth').peer.setRedirects(data);
    return { lines: redirect_uris, data };
  },
};

const secret: Action = {
  takes: ['<client-id>'],
  help: 'add a second secret and print it; the first one stays valid until it is retired',
  errors: {
    403: 'The client has two secrets already: retire one first with covalence clients retire-secret. A public client has none.',
    404: missing,
  },
  async run({ reach, args: [client_id = ''] }) {
    const data = await reach('auth').peer.addSecret({ client_id });
    const lines = [
      `client_secret  ${data.client_secret}`,
      `secret_id      ${data.secret_id}`,
      onceOnly,
      'Every process accepts it within 5 seconds. When all servers of the app use it: covalence clients retire-secret.',
    ];
    return { lines, data };
  },
};

const retire: Action = {
  takes: ['<client-id>'],
  options: { '--secret <id>': 'the secret to retire (default: the older one)' },
  help: 'retire one of two secrets; every process rejects it within 5 seconds',
  errors: {
    403: 'The client has only one secret, or none with this id: see covalence clients list.',
    404: missing,
  },
  async run(call) {
    const [client_id = ''] = call.args;
    const secret_id = stringOption(call, 'secret');
    const data = await call.reach('auth').peer.retireSecret({ client_id, secret_id });
    return { lines: [`The secret ${data.secret_id} is retired.`], data };
  },
};

const switching = (disabled: boolean, help: string): Action => ({
  takes: ['<client-id>'],
  help,
  errors: { 404: missing },
  async run({ reach, args: [client_id = ''] }) {
    const data = { client_id, disabled };
    await reach('auth').peer.disableClient(data);
    return { lines: [`${client_id} is ${disabled ? 'disabled' : 'enabled'}.`], data };
  },
});

/** `covalence clients`. */
export const clients: OperatorGroup = {
  name: 'clients',
  caller: 'operator',
  services: ['auth'],
  help: 'client applications, which may use the API',
  actions: {
    create,
    list,
    change,
    redirects,
    secret,
    'retire-secret': retire,
    disable: switching(true, 'reject sign-ins, registrations and refreshes of a client'),
    enable: switching(false, 'accept a disabled client again'),
  },
};
