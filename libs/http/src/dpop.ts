import { unauthorized } from '@covalence/contract/failure';
import { redisKeys } from '@covalence/contract/redis-keys';
import { calculateJwkThumbprint, EmbeddedJWK, jwtVerify, type JWK } from 'jose';
import { createHash } from 'node:crypto';
import { z } from 'zod';

/** The call that a proof belongs to. */
export interface ProvenCall {
  readonly method: string;
  /** The address of the call as the client knows it; its query does not count. */
  readonly urls: readonly string[];
  /** The access token that it carries. */
  readonly token: string;
  /** Thumbprint of the key that the token is bound to (RFC 7638). */
  readonly key: string;
}

/** Largest difference between the clock of a device and ours. */
const skewSeconds = 300;

/** Longest proof. */
const maxLength = 4_096;

const claimsSchema = z.object({
  jti: z.string().min(1).max(255),
  htm: z.string(),
  htu: z.string().max(2_048),
  iat: z.int(),
  ath: z.string(),
});

const sha256 = (text: string) => createHash('sha256').update(text).digest('base64url');

/** An address without query, fragment and trailing slash, in one spelling; undefined if it is none. */
function plain(text: string): string | undefined {
  const url = URL.parse(text);
  return url ? `${url.origin}${url.pathname.replace(/(?<=.)\/$/, '')}` : undefined;
}

/** Store of used proofs. */
interface ProofStore {
  set(key: string, value: 1, seconds: 'EX', life: number, absent: 'NX'): Promise<'OK' | null>;
}

/**
 * Creates the check of DPoP proofs (RFC 9449, 4.3). A used proof is remembered in Redis for as long as it could be used again; while
 * Redis is away, a proof can be repeated for the same call within minutes.
 */
export function createProofCheck(options: {
  readonly redis: ProofStore;
  readonly namespace: string;
  readonly now?: () => number;
}) {
  const { redis, namespace, now = Date.now } = options;

  const isNew = async (key: string, jti: string): Promise<boolean> => {
    const name = redisKeys.proof(namespace, sha256(`${key} ${jti}`));
    const kept = redis.set(name, 1, 'EX', 2 * skewSeconds, 'NX');
    return (await kept.catch(() => 'OK' as const)) === 'OK';
  };

  /** The proof's id; undefined when it proves something else. */
  const provenId = async (proof: string, { method, urls, token, key }: ProvenCall) => {
    const { payload, protectedHeader } = await jwtVerify(proof, EmbeddedJWK, {
      algorithms: ['ES256', 'Ed25519', 'EdDSA'],
      typ: 'dpop+jwt',
    });
    const { jti, htm, htu, iat, ath } = claimsSchema.parse(payload);
    const address = plain(htu);
    const isOfCall =
      htm === method &&
      address !== undefined &&
      urls.some((url) => plain(url) === address) &&
      Math.abs(now() / 1000 - iat) <= skewSeconds &&
      ath === sha256(token) &&
      (await calculateJwkThumbprint(protectedHeader.jwk as JWK)) === key;
    return isOfCall ? jti : undefined;
  };

  /**
   * Throws 401 unless the proof is of this call and made with the token's key. Returns what uses the proof up once the call is
   * otherwise admitted, and throws 401 when it was used before.
   */
  return async (proof: string | undefined, call: ProvenCall): Promise<() => Promise<void>> => {
    const isShort = proof !== undefined && proof.length <= maxLength;
    const jti = isShort ? await provenId(proof, call).catch(() => undefined) : undefined;
    if (jti === undefined) throw unauthorized('invalid_dpop_proof');
    return async () => {
      if (!(await isNew(call.key, jti))) throw unauthorized('invalid_dpop_proof');
    };
  };
}

/** Checks DPoP proofs. */
export type ProofCheck = ReturnType<typeof createProofCheck>;
