import {
  createClient,
  disableClient,
  listClients,
  renewSecret,
  setRedirects,
} from '@covalence/contract/internal/auth-api';
import type { Action, OperatorCommand } from './operator-command.ts';

const badAddress =
  'A redirect address is one like https://app.example/callback or com.example.app:/callback, without a #fragment; http is for localhost alone.';
const missing = 'There is no client with this id: see pnpm clients list.';
const onceOnly = 'The secret is shown this once; keep it now.';

const create: Action = {
  takes: ['name', 'redirect-address…'],
  options: {
    staff: { type: 'boolean', help: 'the client of Customer Service, whose tokens have the scope staff' },
  },
  help: 'registers a client application and prints its id and secret',
  refused: `A name has up to 100 characters. ${badAddress}`,
  async run({ reach, given: [name = '', ...redirect_uris], options }) {
    const input = { name, redirect_uris, staff: options['staff'] === true };
    const made = await reach('auth').peer.call('/internal/clients/create', input, createClient.output);
    return [`client_id      ${made.client_id}`, `client_secret  ${made.client_secret}`, onceOnly];
  },
};

const list: Action = {
  takes: [],
  help: 'lists the client applications',
  async run({ reach }) {
    const { clients } = await reach('auth').peer.call('/internal/clients/list', {}, listClients.output);
    return clients.map(({ client_id, name, redirect_uris, staff, disabled }) => {
      const marks = [staff && 'staff', disabled && 'disabled'].filter((mark) => mark !== false);
      return [client_id, name, ...marks, ...redirect_uris].join('  ');
    });
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
  help: 'gives the client a new secret and prints it; the old one is worth nothing from then on',
  missing,
  async run({ reach, given: [client_id = ''] }) {
    const { client_secret } = await reach('auth').peer.call(
      '/internal/clients/secret',
      { client_id },
      renewSecret.output,
    );
    return [`client_secret  ${client_secret}`, onceOnly];
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

/** `pnpm clients`: the client applications (spec 1). */
export const clients: OperatorCommand = {
  name: 'clients',
  parts: ['auth'],
  help: 'Client applications: who may use the API, and where sign-ins come back to.',
  actions: {
    create,
    list,
    redirects,
    secret,
    disable: switching(true, 'turns the client away: no sign-in, no registration, no new tokens'),
    enable: switching(false, 'lets a disabled client in again'),
  },
};
