import type { IncomingMessage } from 'node:http';
import type { Family } from '../families/family-store.ts';
import type { Arrival, NextToken, RefreshResponse } from '../families/refresh-rotation.ts';

/** An authorization code, and the redirect URI that its exchange has to name. */
export interface IssuedCode {
  readonly code: string;
  readonly redirect_uri: string;
}

/** State of one request to the provider, shared by its adapters and the code before and after it. */
interface RequestState {
  arrival?: Arrival;
  /** The family of the request, as it was read. */
  family?: Family;
  /** The refresh token that the provider has created and that is stored with the response. */
  next?: NextToken;
  /** The response to the first use of the refresh token. */
  repeated?: RefreshResponse;
  /** Id of the code that the request has consumed. */
  consumedCode?: string;
  /** Issues the code that a request exchanges which brings an identity token instead. */
  exchange?: (clientId: string) => Promise<IssuedCode>;
  /** Ends what a request began before the provider decided whether it issues tokens. */
  settle?: (isIssued: boolean) => Promise<void>;
}

const states = new WeakMap<object, RequestState>();

/** The state of a request. Work without a request, such as the code of a registration, gets a new one. */
export function stateOf(request: IncomingMessage | undefined): RequestState {
  const state = (request && states.get(request)) ?? {};
  if (request) states.set(request, state);
  return state;
}
