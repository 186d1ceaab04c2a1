import { listKeys, rotateKeys } from '@covalence/contract/internal/auth-api';
import type { Action, OperatorCommand } from './operator-command.ts';

const rotate: Action = {
  takes: [],
  help: 'adds a key, which signs from a minute later; nobody is signed out',
  async run({ reach }) {
    const { kid } = await reach('auth').peer.call('/internal/keys/rotate', {}, rotateKeys.output);
    return [`${kid} signs in a minute; older keys go on verifying.`];
  },
};

const list: Action = {
  takes: [],
  help: 'lists the keys in force',
  async run({ reach }) {
    const { keys: all } = await reach('auth').peer.call('/internal/keys/list', {}, listKeys.output);
    const now = new Date().toISOString();
    const stateOf = ({ signing, active_from }: (typeof all)[number]) => {
      if (signing) return 'signs';
      return active_from > now ? 'signs soon' : 'verifies';
    };
    return all.map((key) => `${key.kid}  ${stateOf(key).padEnd(10)}  since ${key.active_from}`);
  },
};

/** `pnpm keys`: the keys that tokens are signed with. */
export const keys: OperatorCommand = {
  name: 'keys',
  caller: 'operator',
  parts: ['auth'],
  help: 'Signing keys of tokens. Replaced ones go on verifying for 16 days, so that nobody is signed out.',
  actions: { rotate, list },
};
