import { relative } from 'node:path';
import { root, type DataFolder } from '../checkout.ts';
import type { Demo } from '@covalence/seed/demo';

const shownMembers = 2;

/** A path relative to the checkout if it is inside. */
const shownPath = (path: string) => {
  const short = relative(root, path);
  return short.startsWith('..') ? path : short;
};

const table = (rows: readonly (readonly [string, string])[]) =>
  rows.map(([name, value]) => `  ${name.padEnd(18)}${value}`);

const credentials = ({ username, password }: { username: string; password: string }) =>
  `${username}  ${password}`;

const logins = ({ members }: Demo): (readonly [string, string])[] =>
  members.length === 0
    ? [['Members', 'none; npm start -- --reset --members 100 creates some']]
    : members.slice(0, shownMembers).map((member, at) => [at ? '' : 'Members', credentials(member)]);

/** Shell commands that register, exchange the code within its 10 s, and search. They need only curl and node. */
const tries = ({ base_url, client_id, client_secret, redirect_uri, siteid }: Demo) => `
  pick() { node -p "JSON.parse(require('fs').readFileSync(0)).$1"; }
  BASE=${base_url} ID=${client_id} SECRET=${client_secret}
  CODE=$(curl -s $BASE/members -d client_id=$ID -d client_secret=$SECRET -d siteid=${siteid} -d gender=Female \\
    -d genderpreference=Male -d dateofbirth=04/23/1990 -d username=Try$RANDOM$RANDOM -d password=a-long-secret-1 \\
    -d email=try$RANDOM$RANDOM@mail.example -d country=US -d state=Nebraska -d city=Lincoln -d zip=68502 \\
    -d latitude=40.789 -d longitude=-96.693 | pick code)
  TOKEN=$(curl -s $BASE/token -d grant_type=authorization_code -d code=$CODE -d client_id=$ID \\
    -d client_secret=$SECRET -d redirect_uri=${redirect_uri} | pick access_token)
  curl -s $BASE/searches -H "Authorization: Bearer $TOKEN" -d 'age[from]=25' -d 'age[to]=45' -d sortby=distance | pick 'users.map(u => u.display_name + " · " + u.location)'
`;

/** The destination of mails, without the address of a server, which contains a password. */
const mailsShown = ({ mails }: DataFolder, { MAIL_URL, MAIL_DIR }: NodeJS.ProcessEnv) =>
  MAIL_URL ? 'sent by the server of MAIL_URL' : `${shownPath(MAIL_DIR ?? mails)}/  (one .eml file each)`;

/** The summary of `npm start`: addresses, logins, files and commands to try. */
export function summary(demo: Demo, data: DataFolder, environment: NodeJS.ProcessEnv): string {
  const mails = mailsShown(data, environment);
  const { base_url, client_id, client_secret, redirect_uri, staff } = demo;
  const rows: (readonly [string, string])[] = [
    ['API and sign-in', base_url],
    ['Console', `${demo.console_url}  (sign in as customer service)`],
    ['Documentation', `${base_url}/docs`],
    ['Live updates', `${base_url.replace(/^http/, 'ws')}/ws/updates`],
    ['Demo client', `client_id     ${client_id}`],
    ['', `client_secret ${client_secret}`],
    ['', `redirect_uri  ${redirect_uri}`],
    ...logins(demo),
    ['Customer service', `${credentials(staff)}  (client_id ${staff.client_id})`],
    ['As JSON', shownPath(data.demoFile)],
    ['Mails', mails],
    ['Logs', `${shownPath(data.logs)}/`],
  ];
  return `
Covalence is running. Ctrl-C stops it; data is kept.

${table(rows).join('\n')}

Try it (a longer tour: bash docs/tour.sh):
${tries(demo)}`;
}
