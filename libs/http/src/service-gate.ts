import { forbidden, unauthorized } from '@covalence/contract/failure';
import { callersAt } from '@covalence/contract/internal/api';
import type { InternalCaller, InternalService } from '@covalence/contract/internal/callers';
import type { PublicServiceKey } from '@covalence/runtime/config';
import type { Logger } from '@covalence/runtime/logger';
import { publicKeyOf } from '@covalence/runtime/service-keys';
import { decodeProtectedHeader, jwtVerify } from 'jose';
import { LRUCache } from 'lru-cache';
import { tokenLifetimeSeconds, tokenType } from './service-token.ts';

/** Lets callers in to the /internal endpoints of a service. */
export interface ServiceGate {
  /**
   * The check of the endpoint at a path: resolves with the caller of an Authorization header. Throws 401 for a token that is
   * missing or not good, and 403 for a caller whom the table of callers does not name there.
   */
  at(path: string): (header: string | undefined) => Promise<InternalCaller>;
}

/** How far the clocks of two machines may differ, seconds. */
const clockToleranceSeconds = 30;

/** Verified tokens that are kept: one for each process that calls, and the one before it. */
const keptTokens = 1_000;

const bearer = /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/;

/** Verifies tokens for one service, and keeps the verified ones: checking a signature costs more than most calls. */
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

/** Creates the gate of a service. `at` throws for a path without callers: such an endpoint could not be called. */
export function createServiceGate(
  service: InternalService,
  publicKeys: readonly PublicServiceKey[],
  logger: Logger,
): ServiceGate {
  const callerOf = createServiceTokenVerifier(service, publicKeys);
  return {
    at(path) {
      const callers = callersAt(service, path);
      if (!callers)
        throw new Error(`${path} of ${service} has no callers: declare it in libs/contract/src/internal`);
      return async (header) => {
        const caller = await callerOf(header);
        if (callers.includes(caller)) return caller;
        logger.warn({ caller, path }, 'a service call is refused: the caller is not one of this endpoint');
        throw forbidden();
      };
    },
  };
}
