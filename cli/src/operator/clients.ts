import {
  addSecret,
  createClient,
  disableClient,
  listClients,
  retireSecret,
  setClientSettings,
  setRedirects,
} from '@covalence/contract/internal/auth-api';
import { CommandError } from '@covalence/runtime/command-error';
import { marksOf, settingOptions, settingsOf } from './client-options.ts';
import type { Action, OperatorCommand } from './operator-command.ts';

const badAddress =
  'A redirect address is one like https://app.example/callback or com.example.app:/callback, without a #fragment; http is for localhost alone.';
const missing = 'There is no client with this id: see pnpm clients list.';
const onceOnly = 'The secret is shown this once; keep it now.';
const badSetting = 'A grace is at most 120s; a lifetime is 60s to 3650d.';

const create: Action = {
  takes: ['name', 'redirect-address…'],
  options: {
    staff: { type: 'boolean', help: 'the client of Customer Service, whose tokens have the scope staff' },
    ...settingOptions,
  },
  help: 'registers a client application and prints its id and secret',
  refused: `A name has up to 100 characters. ${badSetting} ${badAddress}`,
  async run({ reach, given: [name = '', ...redirect_uris], options }) {
    const input = { name, redirect_uris, staff: options['staff'] === true, ...settingsOf(options) };
    const made = await reach('auth').peer.call('/internal/clients/create', input, createClient.output);
    return [`client_id      ${made.client_id}`, `client_secret  ${made.client_secret}`, onceOnly];
  },
};

const list: Action = {
  takes: [],
  help: 'lists the client applications',
  async run({ reach }) {
    const { clients } = await reach('auth').peer.call('/internal/clients/list', {}, listClients.output);
    return clients.map((client) =>
      [client.client_id, client.name, ...marksOf(client), ...client.redirect_uris].join('  '),
    );
  },
};

const change: Action = {
  takes: ['client-id'],
  options: {
    ...settingOptions,
    'no-require-pkce': { type: 'boolean', help: 'sign-ins without PKCE are taken again' },
  },
  help: 'changes settings of the client',
  refused: badSetting,
  missing,
  async run({ reach, given: [client_id = ''], options }) {
    const settings = settingsOf(options);
    if (!Object.keys(settings).length) throw new CommandError('Name a setting: see pnpm clients --help.');
    const input = { client_id, ...settings };
    await reach('auth').peer.call('/internal/clients/settings', input, setClientSettings.output);
    return [`${client_id} is changed. Every process knows it within 5 seconds.`];
  },
};

const redirects: Action = {
  takes: ['client-id', 'redirect-address…'],
  help: 'replaces the addresses that the client may come back to; the first one is that of registrations',
  refused: badAddress,
  missing,
  async run({ reach, given: [client_id = '', ...redirect_uris] }) {
    await reach('auth').peer.call(
      '/internal/clients/redirects',
      { client_id, redirect_uris },
      setRedirects.output,
    );
    return redirect_uris;
  },
};

const secret: Action = {
  takes: ['client-id'],
  help: 'gives the client a second secret and prints it; the first one stays good until it is retired',
  refused: 'The client has two secrets already: retire one first with pnpm clients retire-secret.',
  missing,
  async run({ reach, given: [client_id = ''] }) {
    const { client_secret, secret_id } = await reach('auth').peer.call(
      '/internal/clients/secret',
      { client_id },
      addSecret.output,
    );
    return [
      `client_secret  ${client_secret}`,
      `secret_id      ${secret_id}`,
      onceOnly,
      'Every process takes it within 5 seconds. When all servers of the app use it: pnpm clients retire-secret.',
    ];
  },
};

const retire: Action = {
  takes: ['client-id'],
  options: { secret: { type: 'string', help: 'the id of the secret to retire, by default the older one' } },
  help: 'takes one of its two secrets from the client: within 5 seconds it is worth nothing',
  refused: 'The client has only one secret, or none with this id: see pnpm clients list.',
  missing,
  async run({ reach, given: [client_id = ''], options }) {
    const secretId = options['secret'];
    const input = { client_id, ...(typeof secretId === 'string' && { secret_id: secretId }) };
    const { secret_id } = await reach('auth').peer.call(
      '/internal/clients/retire-secret',
      input,
      retireSecret.output,
    );
    return [`The secret ${secret_id} is retired.`];
  },
};

const switching = (disabled: boolean, help: string): Action => ({
  takes: ['client-id'],
  help,
  missing,
  async run({ reach, given: [client_id = ''] }) {
    await reach('auth').peer.call('/internal/clients/disable', { client_id, disabled }, disableClient.output);
    return [`${client_id} is ${disabled ? 'disabled' : 'enabled'}.`];
  },
});

/** `pnpm clients`: the client applications. */
export const clients: OperatorCommand = {
  name: 'clients',
  caller: 'operator',
  parts: ['auth'],
  help: 'Client applications: who may use the API, and where sign-ins come back to.',
  actions: {
    create,
    list,
    change,
    redirects,
    secret,
    'retire-secret': retire,
    disable: switching(true, 'turns the client away: no sign-in, no registration, no new tokens'),
    enable: switching(false, 'lets a disabled client in again'),
  },
};
