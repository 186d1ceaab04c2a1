import { forbidden, unauthorized } from '@covalence/contract/failure';
import { callersAt } from '@covalence/contract/peers/api';
import type { InternalCaller, InternalService } from '@covalence/contract/peers/callers';
import type { PublicServiceKey } from '@covalence/runtime/config';
import type { Logger } from '@covalence/runtime/logger';
import { publicKeyOf } from '@covalence/runtime/service-keys';
import { decodeProtectedHeader, jwtVerify } from 'jose';
import { LRUCache } from 'lru-cache';
import { tokenLifetimeSeconds, tokenType } from './service-credential.ts';

/** Authorizes callers of the /internal endpoints of a service. */
export type ServiceGate = ReturnType<typeof createServiceGate>;

/** Tolerated clock difference between machines, seconds. */
const clockToleranceSeconds = 30;

/** Size of the cache: one current and one previous token per calling process. */
const keptTokens = 1_000;

const bearer = /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/;

/** Verifies tokens for a service and caches them: a signature check costs more than most calls. */
export function createServiceTokenVerifier(
  service: InternalService | readonly InternalService[],
  publicKeys: readonly PublicServiceKey[],
): (header: string | undefined) => Promise<InternalCaller> {
  const known = new Map(publicKeys.map(({ caller, key }) => [key, { caller, key: publicKeyOf(key) }]));
  const verified = new LRUCache<string, { caller: InternalCaller; until: number }>({ max: keptTokens });

  const verify = async (token: string) => {
    const signer = known.get(decodeProtectedHeader(token).kid ?? '');
    if (!signer) throw unauthorized('invalid_token');
    const { payload } = await jwtVerify(token, signer.key, {
      algorithms: ['EdDSA'],
      typ: tokenType,
      issuer: signer.caller,
      audience: typeof service === 'string' ? service : [...service],
      maxTokenAge: tokenLifetimeSeconds,
      clockTolerance: clockToleranceSeconds,
      requiredClaims: ['exp'],
    });
    return { caller: signer.caller, until: ((payload.exp ?? 0) + clockToleranceSeconds) * 1_000 };
  };

  return async (header) => {
    const kept = verified.get(header ?? '');
    if (kept && Date.now() < kept.until) return kept.caller;
    if (!header) throw unauthorized('missing');
    const token = bearer.exec(header)?.[1];
    if (!token || token.length > 1_024) throw unauthorized('invalid_token');
    const fresh = await verify(token).catch(() => {
      throw unauthorized('invalid_token');
    });
    verified.set(header, fresh);
    return fresh.caller;
  };
}

/** Creates the gate of a service. `at` throws for a path without callers. */
export function createServiceGate(
  service: InternalService,
  publicKeys: readonly PublicServiceKey[],
  logger: Logger,
) {
  const callerOf = createServiceTokenVerifier(service, publicKeys);
  return {
    /**
     * Returns the check of an endpoint, which resolves with the caller of an Authorization header. It throws
     * 401 for a missing or invalid token and 403 for a caller that may not call this endpoint.
     */
    at(path: string) {
      const callers = callersAt(service, path);
      if (!callers)
        throw new Error(`${path} of ${service} has no callers: declare it in libs/contract/src/peers`);
      return async (header: string | undefined): Promise<InternalCaller> => {
        const caller = await callerOf(header);
        if (callers.includes(caller)) return caller;
        logger.warn({ caller, path }, 'service call refused: the caller may not call this endpoint');
        throw forbidden();
      };
    },
  };
}
