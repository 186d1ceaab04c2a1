import type { InternalCaller } from '@covalence/contract/internal/callers';
import { createPeer, type Peer } from '@covalence/http/peer';
import { createServiceCredential } from '@covalence/http/service-credential';
import { isServiceKey } from '@covalence/runtime/service-keys';
import { existsSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import { addressVariable } from '@covalence/stack/address-variable';
import { dataLayout } from '@covalence/stack/checkout';
import { keptInstance } from '@covalence/stack/services/instance';
import { ServiceUnavailable, CommandError } from '@covalence/runtime/command-error';

/** The parts that commands speak to. */
export type OperatedPart = 'auth' | 'profile';

/** Whose credential a command uses: `pnpm staff` has one of its own. */
export type OperatorCaller = Extract<InternalCaller, 'operator' | 'staff-cli'>;

/** The variable of the environment that holds the private key of a credential. */
export const secretVariable = {
  operator: 'OPERATOR_SECRET',
  'staff-cli': 'STAFF_SECRET',
} as const satisfies Record<OperatorCaller, string>;

/** A part that a command speaks to. What it cannot do now is a ServiceUnavailable; a refusal of it stays a Failure. */
export interface PartTarget {
  readonly url: string;
  readonly secret: string;
  readonly peer: Peer;
}

/** Finds a part; a CommandError says what is missing. */
export type Reach = (part: OperatedPart) => PartTarget;

const portsSchema = z.object({ auth: z.int().positive(), profile: z.int().positive() });

/** What a part that is away means, as the line that a person can act upon. */
export function explainAway(error: unknown, part: OperatedPart, url: string, variable: string): unknown {
  if (!(error instanceof Error) || error.name !== 'PeerUnavailable') return error;
  const reason = error.cause instanceof Error ? error.cause.message : '';
  if (reason === 'status 401') {
    return new CommandError(
      `${variable} is not a key that the service at ${url} knows (SERVICE_PUBLIC_KEYS).`,
    );
  }
  return new ServiceUnavailable(
    reason.startsWith('status')
      ? `The ${part} service at ${url} cannot do this now (${reason}); its log says why.`
      : `The ${part} service at ${url} does not answer. Is it running?`,
  );
}

/** Importing 500 members, or the wait behind others who do. */
const patienceMs = 60_000;

/** Where a part is, and what the command shows there. */
interface Target {
  readonly part: OperatedPart;
  readonly url: string;
  readonly caller: OperatorCaller;
  readonly secret: string;
}

function targetAt({ part, url, caller, secret }: Target): PartTarget {
  const credential = createServiceCredential(caller, [secret]);
  const peer = createPeer({ url, to: part, credential, timeoutMs: patienceMs });
  const call: Peer['call'] = async (path, body, output) => {
    try {
      return await peer.call(path, body, output);
    } catch (error) {
      throw explainAway(error, part, url, secretVariable[caller]);
    }
  };
  return { url, secret, peer: { call } };
}

/** The part of the local stack that keeps its data in `folder`. */
function localTarget(part: OperatedPart, caller: OperatorCaller, folder: string): PartTarget {
  const { instanceFile, portsFile } = dataLayout(folder);
  if (!existsSync(instanceFile) || !existsSync(portsFile)) {
    throw new CommandError(
      `There is no local stack in ${folder}: run npm start first, or set ${addressVariable(part)} and ${secretVariable[caller]}.`,
    );
  }
  const ports = portsSchema.parse(JSON.parse(readFileSync(portsFile, 'utf8')));
  const secret = keptInstance(instanceFile).serviceSecrets[caller];
  return targetAt({ part, url: `http://127.0.0.1:${ports[part]}`, caller, secret });
}

/**
 * The parts at AUTH_URL and PROFILE_URL, with OPERATOR_SECRET or STAFF_SECRET, where the environment has the one that is asked
 * for; otherwise those of the local stack in `folder`.
 */
export function createReach(environment: NodeJS.ProcessEnv, caller: OperatorCaller, folder: string): Reach {
  const secretName = secretVariable[caller];
  return (part) => {
    const variable = addressVariable(part);
    const { [variable]: url, [secretName]: secrets } = environment;
    if (!url && !secrets) return localTarget(part, caller, folder);
    if (!url || !secrets) {
      throw new CommandError(
        `${url ? secretName : variable} is not set: another system than the local stack needs ${variable} and ${secretName}.`,
      );
    }
    if (!/^https?:$/.test(URL.parse(url)?.protocol ?? '')) {
      throw new CommandError(`${variable} is '${url}', which is no http address.`);
    }
    const [secret = ''] = secrets.split(',');
    if (!isServiceKey(secret)) {
      throw new CommandError(`${secretName} is not a private key: pnpm credentials makes them.`);
    }
    return targetAt({ part, url, caller, secret });
  };
}
