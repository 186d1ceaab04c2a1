import { CommandError, ServiceUnavailable, UsageError } from '@covalence/runtime/command-error';
import { pluralize } from '@covalence/runtime/pluralize';
import { createHash } from 'node:crypto';
import { accessSync, constants, statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Checkpoint } from '../members/checkpoint.ts';
import { importFile, type FileOutcome, type ImportMode } from '../members/import-file.ts';
import type { Action, ActionCall, OperatorGroup } from '../operator-command.ts';
import { createProgressBar } from '../progress-bar.ts';

/** Longer than a restart of a service takes. */
const retryLimitMs = 60_000;

const number = (value: number) => value.toLocaleString('en-US');

function requireFile(file: string): void {
  try {
    accessSync(file, constants.R_OK);
  } catch {
    throw new CommandError(`${file} cannot be read.`);
  }
  if (!statSync(file).isFile()) throw new CommandError(`${file} is not a file.`);
}

function countsOf({ lines, added, changed, there, refused }: Checkpoint, mode: ImportMode): string {
  const outcomes = [
    `${pluralize(added, 'member', number)} ${mode === 'check' ? 'can be added' : 'added'}`,
    ...(mode === 'update' ? [`${number(changed)} changed`] : []),
    `${number(there)} already there`,
    `${number(refused)} refused`,
  ];
  return `${pluralize(lines, 'line', number)}: ${outcomes.join(', ')}.`;
}

/** Reasons that the summary names; the report has all. */
const shownReasons = 10;

/** The counts, and where the report is with its most frequent reasons. */
function summary(done: FileOutcome, mode: ImportMode): string[] {
  const { report, reasons } = done;
  if (!reasons.length) return [countsOf(done, mode)];
  const shown = reasons.slice(0, shownReasons).map(([reason, lines]) => `${number(lines)} × ${reason}`);
  const more = reasons.length > shownReasons ? ['…'] : [];
  return [`${countsOf(done, mode)} ${report} names each with the reason.`, ...shown, ...more];
}

const modeOf = ({ check, update }: ActionCall['options']): ImportMode => {
  if (check === true && update === true) throw new UsageError('--check and --update exclude each other.');
  if (check === true) return 'check';
  return update === true ? 'update' : 'add';
};

/** Draws the progress of one run; the rate counts only lines of this run. */
function drawProgress(size: number) {
  const bar = createProgressBar();
  const begun = Date.now();
  let from: number | undefined;
  return {
    end: () => bar.end(),
    update({ bytes, lines, refused }: Checkpoint) {
      if (from === undefined && lines > 0) bar.note(`Continuing after line ${number(lines)}.`);
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
  takes: ['<file>'],
  options: {
    '--check': 'validate the file and write nothing but a report',
    '--update': 'also apply what changed in the lines of members that are there',
  },
  help: 'import the members of an NDJSON file (format: docs/operations.md); safe to repeat',
  async run({ reach, context: { workingFolder }, args: [path = ''], options }) {
    const mode = modeOf(options);
    const { peer: profile, url, secret } = reach('profile');
    const file = resolve(workingFolder, path);
    requireFile(file);
    const target = createHash('sha256').update(`${url} ${secret}`).digest('base64url');
    const progress = drawProgress(statSync(file).size);
    try {
      const done = await importFile({
        file,
        mode,
        profile,
        target,
        progress: (done) => progress.update(done),
        retryLimitMs,
      });
      progress.end();
      if (done.refused > 0) throw new CommandError(summary(done, mode).join('\n'));
      const { lines, added, changed, there, refused, ignored } = done;
      return { lines: summary(done, mode), data: { lines, added, changed, there, refused, ignored } };
    } catch (error) {
      progress.end();
      if (!(error instanceof ServiceUnavailable)) throw error;
      throw new CommandError(`${error.message} Repeat the command to continue.`);
    }
  },
};

/** `covalence members`. */
export const members: OperatorGroup = {
  name: 'members',
  caller: 'operator',
  services: ['profile'],
  help: 'members in bulk',
  actions: { import: importMembers },
};
