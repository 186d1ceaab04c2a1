import { createPeer, type Peer } from '@covalence/http/peer';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { StackError } from '../stack-error.ts';

/** The auth service that a command speaks to. */
export interface AuthTarget {
  readonly url: string;
  readonly peer: Peer;
}

const instanceSchema = z.object({ serviceSecret: z.string() });
const portsSchema = z.object({ auth: z.int().positive() });

const read = <Output>(file: string, schema: z.ZodType<Output>): Output =>
  schema.parse(JSON.parse(readFileSync(file, 'utf8')));

const targetAt = (url: string, secret: string): AuthTarget => ({ url, peer: createPeer({ url, secret }) });

/** The service of the local stack that keeps its data in `folder`. */
function localTarget(folder: string): AuthTarget {
  const [instance, ports] = [join(folder, 'instance.json'), join(folder, 'ports.json')];
  if (!existsSync(instance) || !existsSync(ports)) {
    throw new StackError(
      `There is no local stack in ${folder}: run npm start first, or set AUTH_URL and SERVICE_SECRET.`,
    );
  }
  return targetAt(
    `http://127.0.0.1:${read(ports, portsSchema).auth}`,
    read(instance, instanceSchema).serviceSecret,
  );
}

/**
 * The service at AUTH_URL with SERVICE_SECRET, where the environment has both; otherwise that of the local stack in
 * `folder`. A StackError says what is missing.
 */
export function authTarget(environment: NodeJS.ProcessEnv, folder: string): AuthTarget {
  const { AUTH_URL: url, SERVICE_SECRET: secret } = environment;
  if (!url && !secret) return localTarget(folder);
  if (!url || !secret) {
    throw new StackError(
      `${url ? 'SERVICE_SECRET' : 'AUTH_URL'} is not set: another system than the local stack needs AUTH_URL and SERVICE_SECRET.`,
    );
  }
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? '')) {
    throw new StackError(`AUTH_URL is '${url}', which is no http address.`);
  }
  return targetAt(url, secret);
}
