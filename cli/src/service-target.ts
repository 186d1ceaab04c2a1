import type { InternalCaller } from '@covalence/contract/peers/callers';
import { createPeer, type Peer } from '@covalence/http/peer';
import { createServiceCredential } from '@covalence/http/service-credential';
import { CommandError, ServiceUnavailable } from '@covalence/runtime/command-error';
import { readPrivateFile } from '@covalence/runtime/private-file';
import { isServiceKey } from '@covalence/runtime/service-keys';
import { addressVariable } from '@covalence/stack/address-variable';
import { dataLayout } from '@covalence/stack/checkout';
import { keptInstance } from '@covalence/stack/services/instance';
import { existsSync } from 'node:fs';
import { z } from 'zod';
import type { CommandContext } from './command-context.ts';

/** The services that commands call. */
export type OperatedService = 'auth' | 'profile' | 'search' | 'billing';

/** The caller whose credential a command uses. */
export type OperatorCaller = Extract<InternalCaller, 'operator' | 'staff-cli'>;

/** The variable with the private key of a caller. */
export const secretVariable = {
  operator: 'OPERATOR_SECRET',
  'staff-cli': 'STAFF_SECRET',
} as const satisfies Record<OperatorCaller, string>;

/** A service that a command calls. Its peer throws ServiceUnavailable or a Failure. */
export interface ServiceTarget<Service extends OperatedService = OperatedService> {
  readonly url: string;
  readonly secret: string;
  readonly peer: Peer<Service>;
}

/** Finds a service. Throws a CommandError that names the missing setting. */
export type Reach = <Service extends OperatedService>(service: Service) => ServiceTarget<Service>;

const port = z.int().positive();
const portsSchema = z.object({ auth: port, profile: port, search: port, billing: port });

/** The error of a service that does not answer or, with a reason, cannot do its work. */
export const unavailable = (service: OperatedService, url: string, reason?: string): ServiceUnavailable =>
  new ServiceUnavailable(
    reason === undefined
      ? `The ${service} service at ${url} does not answer. Is it running?`
      : `The ${service} service at ${url} cannot do this now (${reason}); its log says why.`,
  );

/** Replaces the error of an unreachable service with one that says what to do. */
function explainUnavailable(error: unknown, { service, url, caller }: Target<OperatedService>): unknown {
  if (!(error instanceof Error) || error.name !== 'PeerUnavailable') return error;
  const reason = error.cause instanceof Error ? error.cause.message : '';
  if (reason === 'status 401') {
    return new CommandError(
      `${secretVariable[caller]} is not a key that the service at ${url} knows (SERVICE_PUBLIC_KEYS).`,
    );
  }
  return unavailable(service, url, reason.startsWith('status') ? reason : undefined);
}

/** Imports of 500 members can queue up in the service. */
const timeoutMs = 60_000;

interface Target<Service extends OperatedService> {
  readonly service: Service;
  readonly url: string;
  readonly caller: OperatorCaller;
  readonly secret: string;
}

function targetAt<Service extends OperatedService>(target: Target<Service>): ServiceTarget<Service> {
  const { service, url, caller, secret } = target;
  const credential = createServiceCredential(caller, [secret]);
  const onError = (error: unknown) => explainUnavailable(error, target);
  return { url, secret, peer: createPeer({ url, to: service, credential, timeoutMs, onError }) };
}

/** A service of the local stack with this data folder. */
function localTarget<Service extends OperatedService>(
  service: Service,
  caller: OperatorCaller,
  folder: string,
): ServiceTarget<Service> {
  const { instanceFile, portsFile } = dataLayout(folder);
  const ports = readPrivateFile(portsFile, portsSchema);
  if (!ports || !existsSync(instanceFile)) {
    throw new CommandError(
      `There is no local stack in ${folder} that this release can use: run npm start first, or set ${addressVariable(service)} and ${secretVariable[caller]}.`,
    );
  }
  const secret = keptInstance(instanceFile).serviceSecrets[caller];
  return targetAt({ service, url: `http://127.0.0.1:${ports[service]}`, caller, secret });
}

/** Finds services by AUTH_URL, PROFILE_URL, SEARCH_URL, BILLING_URL, OPERATOR_SECRET and STAFF_SECRET, else those of the local stack. */
export function createReach({ environment, dataFolder }: CommandContext, caller: OperatorCaller): Reach {
  const secretName = secretVariable[caller];
  return (service) => {
    const variable = addressVariable(service);
    const { [variable]: url, [secretName]: secrets } = environment;
    if (!url && !secrets) return localTarget(service, caller, dataFolder());
    if (!url || !secrets) {
      throw new CommandError(
        `${url ? secretName : variable} is not set: a system other than the local stack needs ${variable} and ${secretName}.`,
      );
    }
    if (!/^https?:$/.test(URL.parse(url)?.protocol ?? '')) {
      throw new CommandError(`${variable} is '${url}', which is not an http address.`);
    }
    const [secret = ''] = secrets.split(',');
    if (!isServiceKey(secret)) {
      throw new CommandError(`${secretName} is not a private key: covalence credentials new creates one.`);
    }
    return targetAt({ service, url, caller, secret });
  };
}
