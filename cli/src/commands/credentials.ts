import { internalCallers } from '@covalence/contract/peers/callers';
import { action, type Command } from '@covalence/runtime/command';
import { CommandError, UsageError } from '@covalence/runtime/command-error';
import { newServiceSecret, publicTextOf } from '@covalence/runtime/service-keys';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { CommandContext } from '../command-context.ts';
import { createTemplateFiller, isCaller } from '../credential-templates.ts';

/** The file for an example. Throws a CommandError when it exists already. */
function filledFile(example: string): string {
  const file = example.replace(/\.example$/, '');
  if (file === example) throw new CommandError(`${example} does not end in .example.`);
  if (!existsSync(example)) throw new CommandError(`${example} does not exist.`);
  if (existsSync(file)) throw new CommandError(`${file} exists already and is not overwritten.`);
  return file;
}

/** Adds `credentials new|fill`. */
export function addCredentialsCommands(program: Command, { workingFolder }: CommandContext): void {
  const group = program.command('credentials').description('keys and passwords of a system');
  group
    .command('new')
    .argument('<caller...>', internalCallers.join(', '))
    .description('create a key for each caller: the private key, and its entry in SERVICE_PUBLIC_KEYS')
    .action(
      action(async ({ args, output }) => {
        const unknown = args.find((name) => !isCaller(name));
        if (unknown !== undefined) {
          throw new UsageError(`'${unknown}' is not a caller: ${internalCallers.join(', ')}.`);
        }
        const made = args.map((caller) => {
          const secret = newServiceSecret();
          return { caller, private: secret, public: `${caller}:${publicTextOf(secret)}` };
        });
        for (const key of made) output.line(`private  ${key.private}\npublic   ${key.public}`);
        output.data(made);
      }),
    );
  group
    .command('fill')
    .argument('<example...>', 'files that end in .example')
    .description('fill examples with new keys and passwords; writes files without .example, replaces none')
    .action(
      action(async ({ args, output }) => {
        const fill = createTemplateFiller();
        const files = args
          .map((example) => resolve(workingFolder, example))
          .map((example) => ({ example, file: filledFile(example) }))
          .map(({ example, file }) => ({ file, text: fill(readFileSync(example, 'utf8')) }));
        for (const { file, text } of files) {
          writeFileSync(file, text, { mode: 0o600, flag: 'wx' });
          output.line(file);
        }
        output.data(files.map(({ file }) => file));
      }),
    );
}
