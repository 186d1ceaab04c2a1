import { internalCallers, type InternalCaller } from '@covalence/contract/internal/callers';
import { newServiceSecret, publicTextOf } from '@covalence/runtime/service-keys';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createTemplateFiller } from './credential-templates.ts';
import { CommandError } from '@covalence/runtime/command-error';
import { callersPath } from './callers-path.ts';
import { createConsole, type Console } from '@covalence/stack/cli/console';
import { readArguments } from '@covalence/stack/cli/read-arguments';

const help = `Keys and passwords of a system.

  pnpm credentials new <caller…>
  pnpm credentials fill <file.example…>

  new    makes a key for each caller and prints it, with the entry that it gets in SERVICE_PUBLIC_KEYS;
         callers: ${internalCallers.join(', ')}
  fill   makes every key and password of a system, and writes each example without .example, filled in and
         readable by its owner only. Files that are there already are left alone, and then none is written.`;

const options = { help: { type: 'boolean', short: 'h' } } as const;

const isCaller = (name: string): name is InternalCaller =>
  (internalCallers as readonly string[]).includes(name);

function makeKeys(names: readonly string[], { say }: Console): void {
  const unknown = names.find((name) => !isCaller(name));
  if (unknown !== undefined || !names.length) {
    throw new CommandError(`'${unknown ?? ''}' is no caller: ${internalCallers.join(', ')}.`);
  }
  for (const name of names) {
    const secret = newServiceSecret();
    say(`private  ${secret}\npublic   ${name}:${publicTextOf(secret)}`);
  }
}

/** The file that an example becomes; a CommandError where it may not be written. */
function filledFile(example: string): string {
  const file = example.replace(/\.example$/, '');
  if (file === example) throw new CommandError(`${example} does not end in .example.`);
  if (!existsSync(example)) throw new CommandError(`${example} is not there.`);
  if (existsSync(file)) throw new CommandError(`${file} is there already: it is not written over.`);
  return file;
}

function fillExamples(examples: readonly string[], { say }: Console): void {
  const fill = createTemplateFiller();
  const files = examples.map((example) => ({ example, file: filledFile(example) }));
  const filled = files.map(({ example, file }) => ({ file, text: fill(readFileSync(example, 'utf8')) }));
  for (const { file, text } of filled) {
    writeFileSync(file, text, { mode: 0o600, flag: 'wx' });
    say(file);
  }
}

/** `pnpm credentials`: makes the keys and passwords of a system. Resolves with the exit code. */
export function credentials(args: readonly string[], environment: NodeJS.ProcessEnv): Promise<number> {
  const console = createConsole();
  const { values, positionals } = readArguments(
    { args: [...args], options, allowPositionals: true },
    'pnpm credentials --help',
  );
  const [action, ...rest] = positionals;
  if (values.help) console.say(help);
  else if (action === 'new') makeKeys(rest, console);
  else if (action === 'fill' && rest.length) {
    fillExamples(
      rest.map((file) => callersPath(file, environment)),
      console,
    );
  } else
    throw new CommandError('It is: pnpm credentials new <caller…>, or pnpm credentials fill <file.example…>');
  return Promise.resolve(0);
}
