import { pluralize } from '@covalence/runtime/pluralize';
import { createHash } from 'node:crypto';
import { accessSync, constants, statSync } from 'node:fs';
import { callersPath } from '../callers-path.ts';
import type { Checkpoint } from '../members/checkpoint.ts';
import { importFile } from '../members/import-file.ts';
import { ServiceUnavailable, CommandError } from '@covalence/runtime/command-error';
import type { Action, OperatorCommand } from './operator-command.ts';
import { createProgressBar } from './progress-bar.ts';

/** Longer than a service takes to restart. */
const patienceMs = 60_000;

const number = (value: number) => value.toLocaleString('en-US');

function fileAt(given: string, environment: NodeJS.ProcessEnv): string {
  const file = callersPath(given, environment);
  try {
    accessSync(file, constants.R_OK);
  } catch {
    throw new CommandError(`${file} cannot be read.`);
  }
  if (!statSync(file).isFile()) throw new CommandError(`${file} is no file.`);
  return file;
}

const summary = ({ lines, added, there, refused }: Checkpoint) =>
  `${pluralize(lines, 'line', number)}: ${pluralize(added, 'member', number)} added, ${number(there)} there already, ${number(refused)} refused.`;

/** Draws the progress of one run; a rate counts what this run did. */
function drawProgress(size: number) {
  const bar = createProgressBar();
  const begun = Date.now();
  let from: number | undefined;
  return {
    end: () => bar.end(),
    update({ bytes, lines, refused }: Checkpoint) {
      if (from === undefined && lines > 0) bar.note(`Going on after line ${number(lines)}.`);
      from ??= lines;
      const rate = Math.round((lines - from) / Math.max((Date.now() - begun) / 1_000, 0.001));
      bar.update(
        size ? bytes / size : 1,
        `${pluralize(lines, 'line', number)}, ${number(rate)}/s, ${number(refused)} refused`,
      );
    },
  };
}

const importMembers: Action = {
  takes: ['file'],
  help: 'imports the members of an NDJSON file (docs/operations.md says what a line has); safe to repeat',
  async run({ reach, environment, given: [given = ''] }) {
    const { peer: profile, url, secret } = reach('profile');
    const file = fileAt(given, environment);
    const report = `${file}.report`;
    const target = createHash('sha256').update(`${url} ${secret}`).digest('base64url');
    const progress = drawProgress(statSync(file).size);
    try {
      const done = await importFile({
        file,
        report,
        state: `${file}.state`,
        profile,
        target,
        progress: (done) => progress.update(done),
        patienceMs,
      });
      progress.end();
      if (done.refused > 0) throw new CommandError(`${summary(done)} ${report} says which and why.`);
      return [summary(done)];
    } catch (error) {
      progress.end();
      if (!(error instanceof ServiceUnavailable)) throw error;
      throw new CommandError(`${error.message} The same command goes on where it stopped.`);
    }
  },
};

/** `pnpm members`: members in bulk. */
export const members: OperatorCommand = {
  name: 'members',
  caller: 'operator',
  parts: ['profile'],
  help: 'Members in bulk: brings those of another system along.',
  actions: { import: importMembers },
};
