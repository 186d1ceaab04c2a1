import type { Admission } from '@covalence/contract/admission-flag';
import { deactivated, unauthorized, unavailable } from '@covalence/contract/failure';
import { requireAccess } from '@covalence/http/bearer';
import type { BearerVerifier } from '@covalence/http/bearer';
import type { ProofCheck } from '@covalence/http/dpop';
import type { IncomingMessage } from 'node:http';
import type { Limits } from './limits.ts';
import type { MemberStateStore } from './member-state-store.ts';
import type { RouteEntry } from '../routing/route-table.ts';

/** Dependencies of admission. */
export interface AdmissionContext {
  readonly bearer: BearerVerifier;
  readonly limits: Limits;
  readonly memberStates: MemberStateStore;
  readonly proofs: ProofCheck;
  /** The public addresses of the API and of the authorization server. */
  readonly publicUrls: readonly string[];
}

const refuse: Record<Admission | 'unknown', (access: RouteEntry['access']) => void> = {
  good: () => undefined,
  deactivated: () => {
    throw deactivated();
  },
  ended: () => {
    throw unauthorized('invalid_token');
  },
  // An ended token of a member reaches one account until it expires; one of staff would reach every account.
  unknown: (access) => {
    if (access === 'staff') throw unavailable();
  },
};

/**
 * Admits a request or throws: 401 without a valid token and its proof, or with a revoked one, 403 for a deactivated member or a missing scope, 429
 * over the member's limit, 503 for staff while Redis is down. Records that the member was seen.
 */
export async function admit(
  { headers, method = '', url = '' }: IncomingMessage,
  access: RouteEntry['access'],
  { bearer, limits, memberStates, proofs, publicUrls }: AdmissionContext,
): Promise<void> {
  const { authorization, dpop } = headers;
  if (access === 'public' || (access === 'optional' && authorization === undefined)) return;
  const checkProof = (key: string) => {
    const urls = publicUrls.map((base) => base + url);
    const call = { method, urls, token: authorization?.split(' ')[1] ?? '', key };
    return proofs(typeof dpop === 'string' ? dpop : undefined, call);
  };
  const caller = bearer.known(authorization) ?? (await bearer.fromHeader(authorization));
  const useProof = caller.key === undefined ? undefined : await checkProof(caller.key);
  requireAccess(caller, access);
  const { id, memberId, issued } = caller;
  const admission = memberStates.admissionOf(caller, issued);
  const counted = limits.member(memberId);
  // Start both before waiting: they share one round trip to Redis. Usually both answer synchronously from memory.
  if (typeof admission === 'string' && !counted) refuse[admission](access);
  else {
    const [known] = await Promise.all([admission, counted]);
    refuse[known](access);
  }
  // Last: a refused call stores nothing.
  if (useProof) await useProof();
  if (id) memberStates.markSeen(id);
}
