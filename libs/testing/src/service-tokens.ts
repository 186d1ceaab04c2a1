import { callersAt } from '@covalence/contract/peers/api';
import {
  internalCallers,
  internalServices,
  type InternalCaller,
  type InternalService,
} from '@covalence/contract/peers/callers';
import { createServiceCredential, type ServiceCredential } from '@covalence/http/service-credential';
import { createServiceTokenVerifier, type ServiceGate } from '@covalence/http/service-gate';
import { privateKeyOf, publicTextOf } from '@covalence/runtime/service-keys';
import { createHash, sign } from 'node:crypto';

/** The fixed private key of a caller in tests. */
export const testServiceSecret = (caller: InternalCaller | 'stranger'): string =>
  createHash('sha256').update(`key of ${caller} in tests`).digest('base64url');

/** Key settings of a service under test. */
export const testServiceKeys = (service: InternalService) => ({
  SERVICE_SECRET: testServiceSecret(service),
  SERVICE_PUBLIC_KEYS: internalCallers
    .map((caller) => `${caller}:${publicTextOf(testServiceSecret(caller))}`)
    .join(','),
});

/** SERVICE_PUBLIC_KEYS in tests, parsed. */
export const testPublicKeys = internalCallers.map((caller) => ({
  caller,
  key: publicTextOf(testServiceSecret(caller)),
}));

/** The credential of a caller in tests. */
export const testCredential = (caller: InternalCaller): ServiceCredential =>
  createServiceCredential(caller, [testServiceSecret(caller)]);

/** A service token for tests; anything beyond `from` and `to` makes it invalid. */
export interface TestServiceToken {
  readonly from: InternalCaller;
  readonly to: string;
  /** The signing key; default: that of `from`. */
  readonly secret?: string;
  /** The key id in the header. */
  readonly kid?: string;
  readonly type?: string;
  readonly algorithm?: string;
  /** Issue time in seconds from now, and lifetime in seconds. */
  readonly at?: number;
  readonly lifetime?: number;
}

const encoded = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');

/** An Authorization header with a token. Signed here by hand, so that services are not tested with their own code. */
export function serviceAuthorization(token: TestServiceToken): string {
  const { from, to, secret = testServiceSecret(from), type = 'service+jwt', algorithm = 'EdDSA' } = token;
  const { at = 0, lifetime = 60, kid = publicTextOf(secret) } = token;
  const iat = Math.floor(Date.now() / 1_000) + at;
  const head = encoded({ alg: algorithm, typ: type, kid });
  const signed = `${head}.${encoded({ iss: from, aud: to, iat, exp: iat + lifetime })}`;
  const signature = sign(null, Buffer.from(signed), privateKeyOf(secret)).toString('base64url');
  return `Bearer ${signed}.${algorithm === 'none' ? '' : signature}`;
}

/** An Authorization header of the first caller that may call the path. */
export function admittedAuthorization(to: InternalService, path: string): string {
  const [from] = callersAt(to, path) ?? [];
  if (!from) throw new Error(`nobody may call ${path} of ${to}`);
  return serviceAuthorization({ from, to });
}

/** The gate of a fake server for several services: every caller may call every path. */
export function openGate(services: readonly InternalService[] = internalServices): ServiceGate {
  const callerOf = createServiceTokenVerifier(services, testPublicKeys);
  return { at: () => callerOf };
}
