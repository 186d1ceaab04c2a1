import { admissionKeys, admissionOf, type Admission } from '@covalence/contract/admission-flag';
import { decodeJwt } from 'jose';
import type { ServiceUnderTest } from '../harness.ts';

/** The tokens that a code or a refresh token is exchanged for. */
export interface Pair {
  readonly access_token: string;
  readonly refresh_token: string;
}

interface Claims {
  readonly mid?: number;
  readonly family: string;
  readonly client_id: string;
  readonly iat: number;
}

/** The claims of the access token. */
export const claimsOf = ({ access_token }: Pair) => decodeJwt<Claims>(access_token);

/** The keys of the flags that the gateway reads for the token. */
export function keysOf({ context }: ServiceUnderTest, pair: Pair) {
  const { mid = 0, family, client_id } = claimsOf(pair);
  return admissionKeys(context.config.NAMESPACE, { id: mid, family, clientId: client_id });
}

/** The gateway's admission of the token. */
export async function admissionOfPair(auth: ServiceUnderTest, pair: Pair): Promise<Admission> {
  const flags = await Promise.all(keysOf(auth, pair).map((key) => auth.context.redis.get(key)));
  return admissionOf(flags, claimsOf(pair).iat);
}
