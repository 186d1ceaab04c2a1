import { errorText } from '@covalence/runtime/error-text';
import { firstAnswer } from '@covalence/runtime/first-answer';
import { hostsOf, hostUrls } from '@covalence/runtime/host-urls';
import { setTimeout as delay } from 'node:timers/promises';
import { addressVariable } from '../address-variable.ts';
import { CommandError } from '@covalence/runtime/command-error';
import type { Engine, EngineKind, StartOptions } from './engine.ts';
import { within } from './local-engine.ts';

const waitSeconds = 5;
const pollMilliseconds = 500;

/**
 * The server at a configured address, which is never started or stopped here.
 * @throws CommandError when it does not answer within 5 s.
 */
export async function useGivenServer(kind: EngineKind, url: string, options: StartOptions): Promise<Engine> {
  const version = await untilAnswering(kind, url, options.signal);
  const notOurs = (): never => {
    throw new CommandError(
      `${kind.title} at ${addressVariable(kind.name)} was not started here: restart it where it runs`,
    );
  };
  return {
    name: kind.name,
    url,
    nodes: [],
    origin: 'environment',
    // `npm test` sets it for the stacks of tests, which use its engines.
    hasServiceUsers: (kind.hasServiceUsers ?? false) && options.environment['SERVICE_USERS'] === 'true',
    ...(version !== undefined && { version }),
    exited: new Promise(() => undefined),
    stop: async () => undefined,
    kill: notOurs,
    restart: async () => notOurs(),
  };
}

async function untilAnswering(
  kind: EngineKind,
  url: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const deadline = Date.now() + waitSeconds * 1000;
  for (;;) {
    try {
      return await firstAnswer(hostsOf(url), (host) => within(kind.ping(host)));
    } catch (error) {
      if (Date.now() < deadline) {
        await delay(pollMilliseconds, undefined, { signal });
        continue;
      }
      const why = withoutAddress(errorText(error), url);
      throw new CommandError(
        `${addressVariable(kind.name)} is set, but no ${kind.title} answers there (${why}): start it or unset the variable`,
      );
    }
  }
}

/** Removes the address from a driver's message, because it can contain a password. */
function withoutAddress(message: string, url: string): string {
  const [host] = hostUrls(url) ?? [];
  const { password } = host ? new URL(host) : { password: '' };
  const hidden = message.replaceAll(url, 'the address');
  return password === ''
    ? hidden
    : hidden.replaceAll(password, '…').replaceAll(decodeURIComponent(password), '…');
}
