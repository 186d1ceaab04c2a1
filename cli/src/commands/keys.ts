import type { Action, OperatorGroup } from '../operator-command.ts';

const rotate: Action = {
  help: 'add a signing key, which signs after a minute; nobody is signed out',
  async run({ reach }) {
    const { kid } = await reach('auth').peer.rotateKeys({});
    return { lines: [`${kid} signs in a minute; older keys still verify.`], data: { kid } };
  },
};

const list: Action = {
  help: 'list the keys in use',
  async run({ reach }) {
    const { keys: all } = await reach('auth').peer.listKeys({});
    const now = new Date().toISOString();
    const stateOf = ({ signing, active_from }: (typeof all)[number]) => {
      if (signing) return 'signs';
      return active_from > now ? 'signs soon' : 'verifies';
    };
    const lines = all.map((key) => `${key.kid}  ${stateOf(key).padEnd(10)}  since ${key.active_from}`);
    return { lines, data: all };
  },
};

/** `covalence keys`. */
export const keys: OperatorGroup = {
  name: 'keys',
  caller: 'operator',
  services: ['auth'],
  help: 'signing keys of tokens; a replaced key verifies for 16 more days',
  actions: { rotate, list },
};
