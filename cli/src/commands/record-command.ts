import { CommandError } from '@covalence/runtime/command-error';
import { addressVariable } from '@covalence/stack/address-variable';
import type { CommandContext } from '../command-context.ts';
import { createReach, secretVariable } from '../service-target.ts';

/** Writes a command that uses the stores, and does what a call of staff does, to the audit log of the system of these stores. */
export async function recordCommand(
  context: CommandContext,
  call: string,
  about: readonly string[],
): Promise<void> {
  const { NAMESPACE: namespace, [addressVariable('auth')]: url } = context.environment;
  // Without NAMESPACE the stores are those of the local stack, whatever service the environment names.
  const system = namespace ? context : { ...context, environment: {} };
  if (namespace && !url)
    throw new CommandError(
      `${addressVariable('auth')} is not set: the command is written to the audit log, with ${secretVariable.operator}.`,
    );
  await createReach(system, 'operator')('auth').peer.recordCommand({ call, about: [...about] });
}
