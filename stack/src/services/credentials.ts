import {
  internalCallers,
  type InternalCaller,
  type InternalService,
} from '@covalence/contract/peers/callers';
import { createPeer, type Peer } from '@covalence/http/peer';
import { createServiceCredential, type ServiceCredential } from '@covalence/http/service-credential';
import { publicTextOf } from '@covalence/runtime/service-keys';
import type { Instance } from './instance.ts';

type Secrets = Instance['serviceSecrets'];

/** SERVICE_PUBLIC_KEYS for callers with these private keys. */
export const publicKeysOf = (secrets: Secrets): string =>
  internalCallers.map((caller) => `${caller}:${publicTextOf(secrets[caller])}`).join(',');

/** The credential of a caller. */
export const credentialOf = ({ serviceSecrets }: Instance, caller: InternalCaller): ServiceCredential =>
  createServiceCredential(caller, [serviceSecrets[caller]]);

/** Options of the client of a service. */
export interface StackPeerOptions<Service extends InternalService> {
  readonly instance: Instance;
  readonly url: string;
  readonly to: Service;
  readonly timeoutMs?: number;
}

/** A client for seeds, tests and benchmarks. Each call uses the credential of a caller that the endpoint admits. */
export function createStackPeer<Service extends InternalService>({
  instance,
  ...rest
}: StackPeerOptions<Service>): Peer<Service> {
  const credentials = new Map(internalCallers.map((caller) => [caller, credentialOf(instance, caller)]));
  const authorizationFor = async (
    service: InternalService,
    [caller = 'operator']: readonly InternalCaller[],
  ) => {
    const credential = credentials.get(caller);
    if (!credential) throw new Error(`${caller} has no credential`);
    return credential.authorizationFor(service);
  };
  return createPeer({ ...rest, credential: { authorizationFor } });
}
