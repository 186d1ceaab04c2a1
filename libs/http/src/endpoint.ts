import type { callersOf, InternalService } from '@covalence/contract/internal/callers';
import type { z } from 'zod';
import type { Upload } from './multipart.ts';

/** The authenticated member or staff account behind a request: the claims of its access token. */
export interface Caller {
  /** Numeric member id; 0 for a staff account. */
  readonly id: number;
  /** Member UUID, the token's subject. */
  readonly memberId: string;
  readonly siteid: number;
  readonly clientId: string;
  /** The family of refresh tokens that the token came with; sign-outs may spare it. */
  readonly family?: string | undefined;
  readonly scopes: readonly string[];
  /** When the token was issued, seconds since the epoch. */
  readonly issued: number;
  /** Expiry of the token, seconds since the epoch. */
  readonly expires: number;
  /** When the credentials were entered, seconds since the epoch; a refresh does not move it. Absent in tokens that do not say. */
  readonly authenticated?: number | undefined;
}

/**
 * Who may call: anyone, anyone with the member known where a token is sent, a member's access token, a staff token
 * (scope `staff`), or another service.
 */
export type Access = 'public' | 'optional' | 'member' | 'staff' | 'service';

type CallerOf<A extends Access> = A extends 'member' | 'staff'
  ? Caller
  : A extends 'optional'
    ? Caller | undefined
    : undefined;

/** What a handler is given: checked input, the caller where there is one, and facts of the request. */
interface Call<Input, A extends Access> {
  readonly input: Input;
  readonly caller: CallerOf<A>;
  /** The client's address, as the gateway saw it. */
  readonly address: string;
  /** The client's Idempotency-Key, 1 to 255 characters; undefined where it sent none. */
  readonly idempotencyKey: string | undefined;
}

/**
 * One operation as data plus one function. `input` is a zod schema over the merged path, query and body
 * parameters (case and hyphens of names folded); what it refuses gives 403 without code, codes are the handler's to throw.
 * The handler returns the 200 body and throws `Failure` for the rest.
 */
export interface Endpoint<Context, Input = unknown, Output = unknown, A extends Access = Access> {
  readonly access: A;
  readonly summary: string;
  readonly input: z.ZodType<Input>;
  readonly output: z.ZodType<Output>;
  /** Every failure code that it may answer. */
  readonly codes?: readonly number[];
  /** How many seconds ago the caller may have signed in at most; older sign-ins are 401 with the challenge of RFC 9470. */
  readonly recentSignIn?: A extends 'member' | 'staff' ? number : never;
  /** The 200 answer carries a strong ETag, and 304 answers a client that has it already. */
  readonly etag?: true;
  /**
   * The parameters carry secrets, so the query string is ignored: addresses are kept in logs and histories. Calls between
   * services are always so.
   */
  readonly bodyOnly?: true;
  /** The file that a multipart form may bring; without it multipart is 415. */
  readonly upload?: Upload;
  /** Largest body in bytes, where it is another than the service's. */
  readonly bodyLimit?: number;
  readonly handler: (call: Call<Input, A>, context: Context) => Promise<Output>;
}

/** An endpoint of whatever input and output, as the route tables hold it. */
export interface AnyEndpoint<Context> extends Omit<Endpoint<Context>, 'handler'> {
  run(call: Call<unknown, Access>, context: Context): Promise<unknown>;
}

/** The route table of a service: 'POST /members': register. Paths are Express patterns. */
export type Routes<Context> = Readonly<Record<`${Method} /${string}`, AnyEndpoint<Context>>>;

/** What a service's peers call: each path of the table of callers, and no other. */
export type InternalRoutes<Service extends InternalService, Context> = Readonly<
  Record<`POST ${keyof (typeof callersOf)[Service] & `/${string}`}`, AnyEndpoint<Context>>
>;

/** HTTP methods of the interface. */
type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** Declares an endpoint; types of input, caller and output follow from what it says. */
export function endpoint<Context, Input, Output, A extends Access>(
  definition: Endpoint<Context, Input, Output, A>,
): AnyEndpoint<Context> {
  const { handler, ...rest } = definition;
  return {
    ...rest,
    // The mount has checked `input` and `caller` against this very definition.
    run: (call, context) => handler(call as Call<Input, A>, context),
  };
}
