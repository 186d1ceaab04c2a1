import type { InternalCaller, InternalService } from '@covalence/contract/internal/callers';
import { privateKeyOf, publicTextOf } from '@covalence/runtime/service-keys';
import { SignJWT } from 'jose';
import { tokenLifetimeSeconds, tokenType } from './service-token.ts';

/** What a caller of /internal endpoints shows who it is with. */
export interface ServiceCredential {
  readonly name: InternalCaller;
  /** The Authorization header of a call of a service. */
  authorizationFor(service: InternalService): Promise<string>;
}

/** A token is shown for half of its lifetime, so that it is good when it arrives. */
const reuseMs = (tokenLifetimeSeconds * 1_000) / 2;

interface Signed {
  readonly until: number;
  readonly header: Promise<string>;
}

/** Creates the credential of `name`. The first of `secrets` signs, and each token is used for half a minute. */
export function createServiceCredential(name: InternalCaller, secrets: readonly string[]): ServiceCredential {
  const [secret] = secrets;
  if (secret === undefined) throw new Error(`${name} has no key to sign with`);
  const key = privateKeyOf(secret);
  const kid = publicTextOf(secret);
  const signed = new Map<InternalService, Signed>();

  const sign = async (service: InternalService): Promise<string> => {
    const token = await new SignJWT()
      .setProtectedHeader({ alg: 'EdDSA', typ: tokenType, kid })
      .setIssuer(name)
      .setAudience(service)
      .setIssuedAt()
      .setExpirationTime(`${tokenLifetimeSeconds} s`)
      .sign(key);
    return `Bearer ${token}`;
  };

  return {
    name,
    authorizationFor(service) {
      const now = Date.now();
      const last = signed.get(service);
      // A clock that was set back leaves a token that is not valid yet.
      if (last && now < last.until && now >= last.until - reuseMs) return last.header;
      const header = sign(service);
      signed.set(service, { until: now + reuseMs, header });
      return header;
    },
  };
}
