import { createStaff, disableStaff, listStaff } from '@covalence/contract/internal/auth-api';
import { randomBytes } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { StackError } from '../stack-error.ts';
import type { Action, OperatorCommand } from './operator-command.ts';
import type { Reach } from './part-target.ts';
import { staffDecisions } from './staff-decisions.ts';

const missing = 'There is no staff account of this name: see pnpm staff list.';
const shortest = 8;
const longest = 256;

/** A password is never an argument: other users of a machine see those. */
async function readPassword(): Promise<string> {
  const password = (await text(process.stdin)).replace(/\r?\n$/, '');
  if (password.length >= shortest && password.length <= longest) return password;
  throw new StackError(`A password has ${shortest} to ${longest} characters.`);
}

const add: Action = {
  takes: ['username'],
  options: { 'password-stdin': { type: 'boolean', help: 'takes the password from standard input' } },
  help: 'adds a staff account and prints the password made for it',
  refused: 'This name is taken, or not 1 to 100 characters long.',
  async run({ reach, given: [username = ''], options }) {
    const own = options['password-stdin'] === true ? await readPassword() : undefined;
    const password = own ?? randomBytes(18).toString('base64url');
    await reach('auth').peer.call('/internal/staff/create', { username, password }, createStaff.output);
    const made = [`password  ${password}`, 'The password is shown this once; keep it now.'];
    return [`username  ${username}`, ...(own === undefined ? made : [])];
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

async function setDisabled(reach: Reach, username: string, disabled: boolean): Promise<readonly string[]> {
  await reach('auth').peer.call('/internal/staff/disable', { username, disabled }, disableStaff.output);
  return [`${username} is ${disabled ? 'disabled; what it was signed in with is over' : 'enabled'}.`];
}

const disable: Action = {
  takes: ['username'],
  help: 'ends an account: no sign-in, no new tokens',
  missing,
  run: ({ reach, given: [username = ''] }) => setDisabled(reach, username, true),
};

const enable: Action = {
  takes: ['username'],
  help: 'lets a disabled account in again',
  missing,
  run: ({ reach, given: [username = ''] }) => setDisabled(reach, username, false),
};

/** `pnpm staff`: the accounts of Customer Service, and their work from a terminal (D29). */
export const staff: OperatorCommand = {
  name: 'staff',
  parts: ['auth', 'profile'],
  help: `Staff accounts: the people of Customer Service, who sign in through the staff client; and what they do: look at what
waits, and decide. Decisions are those of the account --as names, or of the only one there is (docs/moderation.md).`,
  actions: { add, list, disable, enable, ...staffDecisions },
};
