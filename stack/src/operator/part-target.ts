import { createPeer, type Peer } from '@covalence/http/peer';
import { existsSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import { addressVariable } from '../address-variable.ts';
import { dataLayout } from '../checkout.ts';
import { keptInstance } from '../services/instance.ts';
import { PartAway, StackError } from '../stack-error.ts';

/** The parts that commands speak to. */
export type OperatedPart = 'auth' | 'profile';

/** A part that a command speaks to. What it cannot do now is a PartAway; a refusal of it stays a Failure. */
export interface PartTarget {
  readonly url: string;
  readonly secret: string;
  readonly peer: Peer;
}

/** Finds a part; a StackError says what is missing. */
export type Reach = (part: OperatedPart) => PartTarget;

const portsSchema = z.object({ auth: z.int().positive(), profile: z.int().positive() });

/** What a part that is away means, as the line that a person can act upon. */
export function explainAway(error: unknown, part: OperatedPart, url: string): unknown {
  if (!(error instanceof Error) || error.name !== 'PeerUnavailable') return error;
  const reason = error.cause instanceof Error ? error.cause.message : '';
  if (reason === 'status 401') return new StackError(`SERVICE_SECRET is not that of the service at ${url}.`);
  return new PartAway(
    reason.startsWith('status')
      ? `The ${part} service at ${url} cannot do this now (${reason}); its log says why.`
      : `The ${part} service at ${url} does not answer. Is it running?`,
  );
}

/** Importing 500 members, or the wait behind others who do. */
const patienceMs = 60_000;

function targetAt(part: OperatedPart, url: string, secret: string): PartTarget {
  const peer = createPeer({ url, secret, timeoutMs: patienceMs });
  const call: Peer['call'] = async (path, body, output) => {
    try {
      return await peer.call(path, body, output);
    } catch (error) {
      throw explainAway(error, part, url);
    }
  };
  return { url, secret, peer: { call } };
}

/** The part of the local stack that keeps its data in `folder`. */
function localTarget(part: OperatedPart, folder: string): PartTarget {
  const { instanceFile, portsFile } = dataLayout(folder);
  if (!existsSync(instanceFile) || !existsSync(portsFile)) {
    throw new StackError(
      `There is no local stack in ${folder}: run npm start first, or set ${addressVariable(part)} and SERVICE_SECRET.`,
    );
  }
  const ports = portsSchema.parse(JSON.parse(readFileSync(portsFile, 'utf8')));
  return targetAt(part, `http://127.0.0.1:${ports[part]}`, keptInstance(instanceFile).serviceSecret);
}

/**
 * The parts at AUTH_URL and PROFILE_URL with SERVICE_SECRET, where the environment has the one that is asked for;
 * otherwise those of the local stack in `folder`.
 */
export function createReach(environment: NodeJS.ProcessEnv, folder: string): Reach {
  return (part) => {
    const variable = addressVariable(part);
    const { [variable]: url, SERVICE_SECRET: secret } = environment;
    if (!url && !secret) return localTarget(part, folder);
    if (!url || !secret) {
      throw new StackError(
        `${url ? 'SERVICE_SECRET' : variable} is not set: another system than the local stack needs ${variable} and SERVICE_SECRET.`,
      );
    }
    if (!/^https?:$/.test(URL.parse(url)?.protocol ?? '')) {
      throw new StackError(`${variable} is '${url}', which is no http address.`);
    }
    return targetAt(part, url, secret);
  };
}
