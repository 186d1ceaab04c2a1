import { pythonWith } from '@covalence/testing/python';
import { startStackUnderTest, type StackUnderTest } from '@covalence/testing/stack-under-test';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { registerMember } from './support/members.ts';
import { tokensBySignIn } from './support/sign-in.ts';

const usage = `Random calls from the OpenAPI document, against a system of its own: every answer is held against the document.

  pnpm fuzz api [--seconds 300] [--phases coverage,fuzzing,stateful] [--examples 10] [--seed 1]

Needs Python 3. Engines are those of the environment (MONGODB_URL …), else its own.`;

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '300' },
    phases: { type: 'string', default: 'coverage,fuzzing,stateful' },
    examples: { type: 'string', default: '10' },
    seed: { type: 'string', default: '1' },
    help: { type: 'boolean', short: 'h' },
  },
});

const checks = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
];

/** Calls that end the caller's token, or that are not HTTP. */
const own = '^/(session/everywhere|members/self)$';
const sockets = '^/ws/updates$';
const ofStaff = '^/staff(/|$)';

const memberToken = async ({ url, demo }: StackUnderTest) =>
  (await registerMember(url, demo)).tokens.access_token;

const staffToken = async ({ url, demo: { staff } }: StackUnderTest) =>
  (await tokensBySignIn(url, staff, staff)).access_token;

/** Callers, their calls and their share of the time. */
const rounds = [
  {
    name: 'a member, all but staff calls',
    token: memberToken,
    paths: ['--exclude-path-regex', [ofStaff, own, sockets].join('|')],
    share: 0.65,
  },
  {
    name: 'a member, calls that may end the own token',
    token: memberToken,
    paths: ['--include-path-regex', own],
    share: 0.1,
  },
  { name: 'staff, staff calls', token: staffToken, paths: ['--include-path-regex', ofStaff], share: 0.25 },
] as const;

/** Runs the tool once; resolves with whether every answer was as documented. */
async function round(python: string, url: string, token: string, args: readonly string[]): Promise<boolean> {
  // The tool stores its findings in the working directory.
  const cwd = await mkdtemp(join(tmpdir(), 'random-calls-'));
  // The first line of an installed script names the folder where it was installed.
  const program = [join(dirname(python), 'schemathesis'), 'run', `${url}/openapi.json`];
  const options = Object.entries({
    url,
    header: `Authorization: Bearer ${token}`,
    checks: checks.join(','),
    phases: values.phases,
    'max-examples': values.examples,
    seed: values.seed,
    'max-redirects': '0',
    'request-timeout': '20',
    'generation-database': 'none',
    workers: '2',
  }).flatMap(([name, value]) => [`--${name}`, value]);
  const child = spawn(python, [...program, ...options, '--continue-on-failure', '--no-color', ...args], {
    cwd,
    stdio: 'inherit',
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  await rm(cwd, { recursive: true });
  return code === 0;
}

/** Resolves with the exit code. */
async function run(): Promise<number> {
  const python = await pythonWith(join(import.meta.dirname, 'requirements.txt'));
  const engines = process.env['MONGODB_URL'] ? 'shared' : 'own';
  const stack = await startStackUnderTest({ members: 60, engines, env: { LOG_LEVEL: 'warn' } });
  try {
    let sound = true;
    for (const { name, token, paths, share } of rounds) {
      process.stdout.write(`\n== ${name}\n`);
      const seconds = String(Math.round(Number(values.seconds) * share));
      const args = [...paths, '--max-time', seconds];
      sound = (await round(python, stack.url, await token(stack), args)) && sound;
    }
    return sound ? 0 : 1;
  } finally {
    await stack.stop();
  }
}

if (values.help) process.stdout.write(`${usage}\n`);
process.exit(values.help ? 0 : await run());
