import type { InternalCaller, InternalService } from '@covalence/contract/peers/callers';
import { privateKeyOf, publicTextOf } from '@covalence/runtime/service-keys';
import { SignJWT } from 'jose';

/** The `typ` of a service token, so that no member token can pass for one. */
export const tokenType = 'service+jwt';

/** Lifetime of a service token, seconds. */
export const tokenLifetimeSeconds = 60;

/** The credential of a caller of /internal endpoints. */
export type ServiceCredential = ReturnType<typeof createServiceCredential>;

/** A token is reused for half of its lifetime, so that it is still valid on arrival. */
const reuseMs = (tokenLifetimeSeconds * 1_000) / 2;

/** Creates the credential of `name`. The first of `secrets` signs; tokens are cached for half a minute. */
export function createServiceCredential(name: InternalCaller, secrets: readonly string[]) {
  const [secret] = secrets;
  if (secret === undefined) throw new Error(`${name} has no signing key: set SERVICE_SECRET`);
  const key = privateKeyOf(secret);
  const kid = publicTextOf(secret);
  const signed = new Map<InternalService, { readonly until: number; readonly header: Promise<string> }>();

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
    /** The Authorization header for calls to a service. */
    authorizationFor(service: InternalService): Promise<string> {
      const now = Date.now();
      const last = signed.get(service);
      // After the clock was set back, a cached token is not valid yet.
      if (last && now < last.until && now >= last.until - reuseMs) return last.header;
      const header = sign(service);
      signed.set(service, { until: now + reuseMs, header });
      return header;
    },
  };
}
