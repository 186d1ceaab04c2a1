import { hash } from 'node:crypto';
import { errors, type AdapterPayload } from 'oidc-provider';
import { isSameText } from '../../keys/seal.ts';
import type { TokenReference } from './envelope.ts';
import type { Family, Subject } from './family-store.ts';
import { familyReserveMs } from './lifetimes.ts';
import type { TokensContext } from './revoke-families.ts';

/** The response to a refresh and the client that received it. */
export interface RefreshResponse {
  readonly clientId: string;
  readonly body: Record<string, unknown>;
}

/** A refresh token that the provider has created. */
export interface NextToken {
  readonly id: string;
  /** The provider's payload, as JSON. */
  readonly payload: string;
  readonly expires: Date;
}

/** Arrival of a request. */
export interface Arrival {
  /** Before the request waited for anything. */
  readonly at: Date;
  /** Whether the client has closed the connection. */
  readonly isAborted: () => boolean;
}

/** The member or staff account of new tokens, and when it was known to be active. */
export interface CheckedSubject {
  readonly subject: Subject;
  readonly checkedAt: Date;
}

/** The exchange of the token `used`. */
export interface Exchange {
  readonly used: string;
  readonly family: Family;
  readonly next: NextToken;
  readonly checkedAt: Date;
  readonly response: RefreshResponse;
  readonly graceSeconds: number;
}

const seconds = (date: Date) => Math.floor(date.getTime() / 1000);

/** Hash that identifies the last issued refresh token. */
const tokenHash = (token: string): string => hash('sha256', token, 'base64url');

/** Whether this is the refresh token that the family's last exchange issued, character by character. */
export const isLastToken = (token: string, { token_hash }: Family): boolean =>
  isSameText(tokenHash(token), token_hash ?? '');

/** Whether a former token was sent before the last exchange, or its client has aborted the request to retry: no reuse. */
const isLate = ({ rotated_at: rotated }: Family, arrival: Arrival | undefined): boolean =>
  arrival !== undefined && ((rotated !== undefined && arrival.at <= rotated) || arrival.isAborted());

/** Creates the rotation on the store. */
export function createRefreshRotation({ tokens: { families }, keys: { seal }, clock }: TokensContext) {
  /** The response to the exchange of `id`. */
  const responseTo = (id: string, family: Family | undefined): RefreshResponse | undefined => {
    const { previous, answer, revoked_at: revoked } = family ?? {};
    if (revoked || previous !== id || answer === undefined) return undefined;
    const text = seal.open('refresh-answers', answer, id);
    return text === undefined ? undefined : (JSON.parse(text) as RefreshResponse);
  };

  return {
    /** A valid or used token for the provider, which revokes the family of a used one; or the response for a retry. */
    present(
      { id, expires }: TokenReference,
      family: Family,
      arrival: Arrival | undefined,
    ): { readonly payload?: AdapterPayload; readonly repeated?: RefreshResponse } {
      if (family.revoked_at || family.token === undefined) return {};
      const payload = JSON.parse(family.token) as AdapterPayload;
      if (id === family.current) return { payload };
      const { answered_until: until, rotated_at } = family;
      const repeated = until && clock() <= until ? responseTo(id, family) : undefined;
      if (repeated) return { repeated };
      if (isLate(family, arrival)) return {};
      return { payload: { ...payload, jti: id, exp: expires, consumed: seconds(rotated_at ?? clock()) } };
    },
    /** Stores the first token of a family. */
    async begin(family: string, { id, payload, expires }: NextToken, checked: CheckedSubject | undefined) {
      if (!checked) throw new Error('tokens without a subject');
      const { subject, checkedAt } = checked;
      const tokens = { current: id, token: payload, token_expires_at: expires, checked_at: checkedAt };
      if (!(await families.issue(family, { ...tokens, subject })))
        throw new errors.InvalidGrant({ detail: 'the sign-in was revoked' });
    },
    /** Exchanges a token in one write. Returns the response, or that of a faster request; undefined for a revoked family. */
    async complete({
      used,
      family,
      next,
      checkedAt,
      response,
      graceSeconds,
    }: Exchange): Promise<RefreshResponse | undefined> {
      const rotatedAt = clock();
      const isExtended = family.expires_at < next.expires;
      const rotated = await families.rotate({
        family: family._id,
        current: next.id,
        token: next.payload,
        token_expires_at: next.expires,
        token_hash: tokenHash(String(response.body['refresh_token'])),
        previous: used,
        rotated_at: rotatedAt,
        answer: seal.seal('refresh-answers', JSON.stringify(response), used),
        answered_until: new Date(rotatedAt.getTime() + graceSeconds * 1000),
        checked_at: checkedAt,
        ...(isExtended && { expires_at: new Date(next.expires.getTime() + familyReserveMs) }),
      });
      return rotated ? response : responseTo(used, await families.findWhole(family._id));
    },
  };
}

/**
 * Rules for refresh tokens. Each is used once. Within its client's grace, and until the new pair is refreshed, a
 * retry gets the same pair. Later reuse revokes the family.
 */
export type RefreshRotation = ReturnType<typeof createRefreshRotation>;
