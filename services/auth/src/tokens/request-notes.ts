import type { IncomingMessage } from 'node:http';

/** The revocation endpoint's token, taken out of its envelope: the provider refuses to revoke anything that looks like a JWT. */
export const unwrapped = new WeakMap<object, string>();

/** What the storage found out about a refresh, for the answer that is written after the provider has spoken. */
export interface RefreshNote {
  /** The answer that the token's first use got. */
  readonly answer?: RefreshAnswer;
  /** The token was used by another request whose answer did not come in time (D52). */
  readonly unanswered?: true;
  /** The token's state that its use may replace. */
  readonly usedAt?: Date;
}

/** The answer of one refresh, and whose it is. */
export interface RefreshAnswer {
  readonly clientId: string;
  readonly body: Record<string, unknown>;
}

const notes = new WeakMap<object, RefreshNote>();

/** Leaves a note on a request. */
export function noteRefresh(request: IncomingMessage | undefined, note: RefreshNote): void {
  if (request) notes.set(request, note);
}

/** The note left on a request. */
export function refreshNote(request: IncomingMessage | undefined): RefreshNote | undefined {
  return request && notes.get(request);
}

const grantEnds = new WeakMap<object, Date>();

/** Notes when the grant that a request works under ends, as it was read. */
export function noteGrantEnd(request: IncomingMessage | undefined, end: Date): void {
  if (request) grantEnds.set(request, end);
}

/** When the grant of a request ends, if it was read there. */
export function notedGrantEnd(request: IncomingMessage | undefined): Date | undefined {
  return request && grantEnds.get(request);
}
