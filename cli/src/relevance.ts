import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sitesIn } from '@covalence/stack/services/service-environment';
import { callersPath } from './callers-path.ts';
import { createConsole } from '@covalence/stack/cli/console';
import { runPartTool } from './part-tool.ts';
import { readArguments } from '@covalence/stack/cli/read-arguments';
import { wholeNumber } from '@covalence/stack/cli/whole-number';

const help = `How good searches are, by a judgment set: nDCG@10, precision and recall of the settings in force, and of changed ones
beside them with the searches that got better and worse.

  pnpm relevance [--settings FILE] [--mapping FILE] [--judgments FILE]

  --settings FILE   a changed services/search/settings/relevance.json
  --mapping FILE    a changed services/search/settings/mapping.json
  --judgments FILE  a set of your own (docs/search.md); else seeded members judged by whom they really look for
  --members COUNT   how many of those (2000)
  --data DIR        the stack that runs on another folder than .data

Runs against the stack that npm start runs, in indices of its own where the set brings its members. With NAMESPACE in the
environment it takes the environment as it is: that of a search service.`;

const options = {
  settings: { type: 'string' },
  mapping: { type: 'string' },
  judgments: { type: 'string' },
  members: { type: 'string', default: '2000' },
  data: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const;

const pass = (name: string, value: string | undefined): string[] =>
  value === undefined ? [] : [`--${name}`, value];

/** The set that ships with the project. */
async function seededText(count: number, environment: NodeJS.ProcessEnv): Promise<string> {
  // Loaded only now: drawing a population takes memory that the other commands do not need.
  const { seededJudgments } = await import('@covalence/seed/judgments/seeded-judgments');
  return JSON.stringify(seededJudgments(count, sitesIn(environment)));
}

/** `pnpm relevance`: runs the relevance lab of the search service. Resolves with the exit code. */
export async function relevance(args: readonly string[], environment: NodeJS.ProcessEnv): Promise<number> {
  const { values } = readArguments({ args: [...args], options }, 'pnpm relevance --help');
  const { settings, mapping, judgments, members, data } = values;
  if (values.help) {
    createConsole().say(help);
    return 0;
  }
  const count = wholeNumber('--members', members, 100, 100_000);
  const seeded = judgments === undefined ? await seededText(count, environment) : undefined;
  const folder = mkdtempSync(join(tmpdir(), 'covalence-judgments-'));
  try {
    const own = join(folder, 'seeded.json');
    if (seeded !== undefined) writeFileSync(own, seeded);
    const file = (given: string | undefined) => given && callersPath(given, environment);
    const files = [...pass('settings', file(settings)), ...pass('mapping', file(mapping))];
    const rest = ['--judgments', file(judgments) ?? own, ...files, ...pass('data', data)];
    return await runPartTool({ part: 'search', file: 'relevance-cli.js', args: rest }, environment);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
