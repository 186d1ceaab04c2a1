import { randomBytes } from 'node:crypto';
import { text } from 'node:stream/consumers';
import type { Action, ActionCall } from '../operator-command.ts';
import { roleArguments, roleHelp, rolesOf } from './role-arguments.ts';

const passwordRule =
  'A password has 8 to 256 characters, and is neither the name nor one of the most common ones.';
const missing = 'There is no staff account with this name: see covalence staff list.';

const passwordOptions = { '--password-stdin': 'read the password from standard input' };

interface Password {
  readonly password: string;
  /** Whether it was generated, so that the first sign-in has to replace it. */
  readonly initial: boolean;
  /** Lines that print a generated password. */
  readonly lines: readonly string[];
  readonly data: { readonly password?: string };
}

/** Reads or generates a password. It is never an argument, because other users of the machine can see those. */
async function choosePassword({ passwordStdin }: ActionCall['options']): Promise<Password> {
  if (passwordStdin === true) {
    const password = (await text(process.stdin)).replace(/\r?\n$/, '');
    return { password, initial: false, lines: [], data: {} };
  }
  const password = randomBytes(18).toString('base64url');
  const lines = [
    `password  ${password}`,
    'It is shown only this once, and works for 3 days. The first sign-in asks for another one.',
  ];
  return { password, initial: true, lines, data: { password } };
}

const add: Action = {
  takes: ['<username>', '<role...>'],
  options: passwordOptions,
  help: 'add a staff account and print its generated password',
  notes: roleHelp,
  errors: {
    403: `This name is taken or not 1 to 100 characters long, a role is for a site that does not exist, or the password is not allowed. ${passwordRule}`,
  },
  async run({ reach, args: [username = '', ...given], options }) {
    const roles = rolesOf(given);
    const { password, initial, lines, data } = await choosePassword(options);
    await reach('auth').peer.createStaff({ username, password, initial, roles });
    return { lines: [`username  ${username}`, ...lines], data: { username, roles, ...data } };
  },
};

const newPassword: Action = {
  takes: ['<username>'],
  options: passwordOptions,
  help: 'set another password and end all sign-ins of the account',
  errors: { 403: passwordRule, 404: missing },
  async run({ reach, args: [username = ''], options }) {
    const { password, initial, lines, data } = await choosePassword(options);
    const input = { username, password, initial };
    await reach('auth').peer.changeStaffPassword(input);
    return {
      lines: [`${username} has another password; all sign-ins have ended.`, ...lines],
      data: { username, ...data },
    };
  },
};

const roles: Action = {
  takes: ['<username>', '<role...>'],
  help: 'replace the roles of an account (none takes all away) and end its sign-ins',
  notes: roleHelp,
  errors: { 403: 'A role is for a site that does not exist.', 404: missing },
  async run({ reach, args: [username = '', ...given] }) {
    const data = { username, roles: rolesOf(given) };
    await reach('auth').peer.setStaffRoles(data);
    return {
      lines: [`${username} has the roles: ${roleArguments(data.roles)}. All sign-ins have ended.`],
      data,
    };
  },
};

const resetFactor: Action = {
  takes: ['<username>'],
  help: 'remove the second factors of an account, end its sign-ins, print a code for a new one',
  errors: { 404: missing },
  async run({ reach, args: [username = ''] }) {
    const { code } = await reach('auth').peer.resetStaffFactor({ username });
    const lines = [
      `${username} has no second factor; all sign-ins have ended.`,
      `code  ${code}`,
      'The next sign-in asks for the password and this code, then for a new factor. It is shown only this once.',
    ];
    return { lines, data: { username, code } };
  },
};

const list: Action = {
  help: 'list the staff accounts with their roles',
  async run({ reach }) {
    const { staff: accounts } = await reach('auth').peer.listStaff({});
    const lines = accounts.map(({ staff_id, username, disabled, roles: given }) =>
      [staff_id, username, roleArguments(given), ...(disabled ? ['disabled'] : [])].join('  '),
    );
    return { lines, data: accounts };
  },
};

const switching = (disabled: boolean, help: string): Action => ({
  takes: ['<username>'],
  help,
  errors: { 404: missing },
  async run({ reach, args: [username = ''] }) {
    const data = { username, disabled };
    await reach('auth').peer.disableStaff(data);
    const state = disabled ? 'disabled; all sign-ins have ended' : 'enabled';
    return { lines: [`${username} is ${state}.`], data };
  },
});

/** The actions of `covalence staff` on staff accounts. */
export const accountActions: Readonly<Record<string, Action>> = {
  add,
  list,
  roles,
  'reset-factor': resetFactor,
  password: newPassword,
  disable: switching(true, 'end all sign-ins of an account and reject new ones'),
  enable: switching(false, 'accept a disabled account again'),
};
