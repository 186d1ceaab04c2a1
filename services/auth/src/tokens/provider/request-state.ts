import type { IncomingMessage } from 'node:http';
import type { Family, Subject } from '../families/family-store.ts';

/** A refresh token by what its envelope says. */
export interface TokenReference {
  /** The opaque id. */
  readonly id: string;
  readonly family: string;
  /** Seconds since the epoch. */
  readonly expires: number;
}

/** The answer of one refresh, and whose it is. */
export interface RefreshAnswer {
  readonly clientId: string;
  readonly body: Record<string, unknown>;
}

/** A refresh token that the provider has made and that is written together with the answer. */
export interface NextToken {
  readonly id: string;
  /** What the provider keeps of it. */
  readonly payload: string;
  readonly expires: Date;
}

/** How a request came in. */
export interface Arrival {
  /** Before anything was read for it. */
  readonly at: Date;
  /** Whether its connection has gone, so that nobody gets the answer. */
  readonly isAbandoned: () => boolean;
}

/** What is found out in the course of a request of the provider, for what comes later in it. */
export interface RequestNotes {
  arrival?: Arrival;
  /** The revocation endpoint's token out of its envelope: the provider refuses to revoke anything that looks like a JWT. */
  revoked?: TokenReference;
  /** The family that the request works on, as it was read. */
  family?: Family;
  /** Whom its tokens are for. */
  subject?: Subject;
  /** Until when the member is known to be in good standing. */
  checkedAt?: Date;
  /** The answer that the first use of the refresh token got. */
  answer?: RefreshAnswer;
  next?: NextToken;
  /** Lets the code that the request has used be used again. */
  giveCodeBack?: () => Promise<void>;
}

const notes = new WeakMap<object, RequestNotes>();

/** The notes of a request. Work of no request, e.g. a code for somebody just registered, gets some that nobody reads. */
export function notesOf(request: IncomingMessage | undefined): RequestNotes {
  const known = request && notes.get(request);
  if (known) return known;
  const fresh: RequestNotes = {};
  if (request) notes.set(request, fresh);
  return fresh;
}
