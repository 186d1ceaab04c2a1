import {
  changeStaffPassword,
  createStaff,
  disableStaff,
  listStaff,
} from '@covalence/contract/internal/auth-api';
import { randomBytes } from 'node:crypto';
import { text } from 'node:stream/consumers';
import type { Action, ActionCall, OperatorCommand } from './operator-command.ts';
import { staffDecisions } from './staff-decisions.ts';

const passwordRule =
  'A password has 8 to 256 characters, and is neither the name nor one of the most common ones.';
const missing = 'There is no staff account of this name: see pnpm staff list.';

const passwordOptions = {
  'password-stdin': { type: 'boolean', help: 'takes the password from standard input' },
} as const;

/** A password is never an argument: other users of a machine see those. It is read, or made and then to be printed. */
async function choosePassword(options: ActionCall['options']): Promise<{ password: string; told: string[] }> {
  if (options['password-stdin'] === true) {
    return { password: (await text(process.stdin)).replace(/\r?\n$/, ''), told: [] };
  }
  const password = randomBytes(18).toString('base64url');
  return { password, told: [`password  ${password}`, 'The password is shown this once; keep it now.'] };
}

const add: Action = {
  takes: ['username'],
  options: passwordOptions,
  help: 'adds a staff account and prints the password made for it',
  refused: `This name is taken, or not 1 to 100 characters long, or the password will not do. ${passwordRule}`,
  async run({ reach, given: [username = ''], options }) {
    const { password, told } = await choosePassword(options);
    await reach('auth').peer.call('/internal/staff/create', { username, password }, createStaff.output);
    return [`username  ${username}`, ...told];
  },
};

const newPassword: Action = {
  takes: ['username'],
  options: passwordOptions,
  help: 'gives an account another password, which ends what it was signed in with',
  missing,
  refused: passwordRule,
  async run({ reach, given: [username = ''], options }) {
    const chosen = await choosePassword(options);
    const input = { username, password: chosen.password };
    await reach('auth').peer.call('/internal/staff/password', input, changeStaffPassword.output);
    return [`${username} has another password; what it was signed in with is over.`, ...chosen.told];
  },
};

const list: Action = {
  takes: [],
  help: 'lists the staff accounts',
  async run({ reach }) {
    const { staff: accounts } = await reach('auth').peer.call('/internal/staff/list', {}, listStaff.output);
    return accounts.map(({ staff_id, username, disabled }) =>
      [staff_id, username, ...(disabled ? ['disabled'] : [])].join('  '),
    );
  },
};

const switching = (disabled: boolean, help: string): Action => ({
  takes: ['username'],
  help,
  missing,
  async run({ reach, given: [username = ''] }) {
    await reach('auth').peer.call('/internal/staff/disable', { username, disabled }, disableStaff.output);
    return [`${username} is ${disabled ? 'disabled; what it was signed in with is over' : 'enabled'}.`];
  },
});

/** `pnpm staff`: the accounts of Customer Service, and their work from a terminal. */
export const staff: OperatorCommand = {
  name: 'staff',
  caller: 'staff-cli',
  parts: ['auth', 'profile'],
  help: `Staff accounts: the people of Customer Service, who sign in through the staff client; and what they do: look at what
waits, and decide. Decisions are those of the account --as names, or of the only one there is (docs/moderation.md).`,
  actions: {
    add,
    list,
    password: newPassword,
    disable: switching(true, 'ends an account: no sign-in, no new tokens'),
    enable: switching(false, 'lets a disabled account in again'),
    ...staffDecisions,
  },
};
