import type { InternalPath } from '@covalence/contract/peers/api';
import type { InternalService } from '@covalence/contract/peers/callers';
import type { RolesBySite, StaffRole, StaffSites } from '@covalence/contract/staff-roles';
import type { z } from 'zod';
import type { Accepted } from './accepted.ts';
import type { Upload } from './multipart.ts';

/** The authenticated member or staff account behind a request: the claims of its access token. */
export interface Caller {
  /** Numeric member id; 0 for a staff account. */
  readonly id: number;
  /** Member UUID, the token's subject. */
  readonly memberId: string;
  readonly siteid: number;
  readonly clientId: string;
  /** The refresh token family; a sign-out of all others excludes it. */
  readonly family?: string | undefined;
  readonly scopes: readonly string[];
  /** Roles of a staff account by site; none of a member. */
  readonly roles: RolesBySite;
  /** When the token was issued, seconds since the epoch. */
  readonly issued: number;
  /** Expiry of the token, seconds since the epoch. */
  readonly expires: number;
  /** Thumbprint of the key that the token is bound to (RFC 9449); the gateway has checked a proof of it. */
  readonly key?: string | undefined;
  /** When the credentials were entered, seconds since the epoch; a refresh does not change it. Tokens of the command line lack it. */
  readonly authenticated?: number | undefined;
  /** Methods of the proof: `amr` of the token. */
  readonly methods?: readonly string[] | undefined;
}

/** The required caller: anyone, anyone with an optional member token, a member, staff with a role, or another service. */
export type Access = 'public' | 'optional' | 'member' | 'staff' | 'service';

/** The required caller of a documented endpoint. */
type DocumentedAccess = Exclude<Access, 'service'>;

type CallerOf<A extends Access> = A extends 'member' | 'staff'
  ? Caller
  : A extends 'optional'
    ? Caller | undefined
    : undefined;

/** The input of a handler: parsed parameters, the caller if there is one, and facts of the request. */
interface Call<Input, A extends Access> {
  readonly input: Input;
  readonly caller: CallerOf<A>;
  /** The sites on which the staff account has a role that the endpoint asks for. */
  readonly sites: A extends 'staff' ? StaffSites : undefined;
  /** The client's address, as the gateway saw it. */
  readonly address: string;
  /** The client's Idempotency-Key, 1 to 255 characters; undefined without one. */
  readonly idempotencyKey: string | undefined;
}

/** The groups of the OpenAPI document with their descriptions, in display order. */
export const tags = {
  'Sign-in': 'The authorization server at {auth_url}.',
  'Hosted pages':
    'Pages that the browser shows during sign-in. Apps open the first one and wait for redirect_uri.',
  Members: 'Registration and the caller’s own profile.',
  Interest: 'Likes, declines, blocks, passes, reports, and the members behind the counters.',
  Photos: 'The own photos.',
  Messages: 'Threads and messages.',
  Search: 'Search, saved searches and match criteria.',
  Membership: 'Packages, rates and the paid membership.',
  'Live updates': 'The WebSocket, described at /asyncapi.json, and push messages to devices without one.',
  Staff: 'Customer service, the search team and operators, for tokens of the scope `staff`.',
  Documents: 'The documents of this interface.',
} as const;

/** A group of the OpenAPI document. */
export type Tag = keyof typeof tags;

/**
 * Documentation that every public endpoint must have. `.meta()` of `input` describes the parameters; `.meta({ id })` of a
 * schema names a class of the generated clients.
 */
interface EndpointDocument<Output> {
  /** The default for staff is `Staff`. */
  readonly tag?: Tag;
  /** The method of generated clients: unique, and part of the interface once it is released. */
  readonly operationId: string;
  /** The operation in the imperative, as a title: unique in the OpenAPI document. */
  readonly summary: string;
  /** Behavior, refusals without a code, and the effect of a repeated call, as Markdown. */
  readonly description: string;
  /** Description of the 200 response. */
  readonly answer: string;
  /** Parameters of an example call (path, query and body together), and its answer; derived from `output` by default. */
  readonly example?: { readonly request?: Readonly<Record<string, unknown>>; readonly answer?: Output };
  /** Statuses in addition to those that follow from access, parameters and codes. */
  readonly statuses?: readonly (404 | 409)[];
  /** `fail` texts of a 403 in addition to those that follow from the access. */
  readonly refusals?: readonly string[];
  /** An Idempotency-Key header is honored. */
  readonly idempotent?: true;
}

/** Ids of members, photos, reports and the like in the audit log. */
type Ids = readonly (string | number)[];

/** Staff who may call: every endpoint with access `staff` has this rule. */
export interface StaffRule<Context, Input, Output = unknown> {
  /** One of these roles is needed; `admin` is never named, because it includes every role. */
  readonly roles: readonly [StaffRole, ...StaffRole[]];
  /**
   * The site that a call is about, on which the role has to count; undefined where nobody knows it any more, which needs the role on
   * every site. `several`: the handler narrows its answer to the `sites` of the call. `every`: the call is about all sites.
   */
  readonly site: 'several' | 'every' | SiteOf<Context, Input>;
  /** Ids of what the call is about, for the audit log; it has those in the path already. */
  about?(input: Input, context: Context): Ids | Promise<Ids>;
  /** Ids of the members whom the answer shows, where only the answer has them. The call is written with them before the answer is sent. */
  shows?(output: Output): Ids;
}

/** A method, so that route tables hold rules of any input. */
type SiteOf<Context, Input> = {
  of(input: Input, context: Context): Promise<number | undefined>;
}['of'];

/**
 * One operation as data plus a handler. `input` validates the merged path, query and body parameters, with
 * case and hyphens of names folded; a rejected input is 403 without a code. The handler returns the 200 body
 * or throws a `Failure`.
 */
interface Endpoint<
  Context,
  Input = unknown,
  Output = unknown,
  A extends DocumentedAccess = DocumentedAccess,
> extends EndpointDocument<NoInfer<Output>> {
  readonly access: A;
  readonly input: z.ZodType<Input>;
  readonly output: z.ZodType<Output>;
  /** The body of a 202 answer, of an endpoint that may answer `Accepted`. */
  readonly accepted?: z.ZodType<object>;
  /** Every failure code that the endpoint may answer. */
  readonly codes?: readonly number[];
  /** Maximum age of the sign-in in seconds; older ones are 401 with the challenge of RFC 9470. */
  readonly recentSignIn?: A extends 'member' | 'staff' ? number : never;
  readonly staff?: StaffRule<NoInfer<Context>, NoInfer<Input>, NoInfer<Output>>;
  /** Calls that do not need the recent sign-in. */
  recentSignInExcept?(input: Input, caller: Caller): boolean;
  /** The answer carries a strong ETag, and a client with the same ETag gets 304. */
  readonly etag?: true;
  /** Ignores the query string, because URLs with secrets end up in logs. Always so for calls between services. */
  readonly bodyOnly?: true;
  /** The file of a multipart form; without it multipart is 415. */
  readonly upload?: Upload;
  /** Maximum body size in bytes; the default is that of the service. */
  readonly bodyLimit?: number;
  readonly handler: (call: Call<Input, A>, context: Context) => Promise<Output | Accepted>;
}

/** The definition of an endpoint: one for staff names its roles, and every other one its tag. */
export type Definition<Context, Input, Output, A extends DocumentedAccess> = Endpoint<
  Context,
  Input,
  Output,
  A
> &
  (A extends 'staff'
    ? { readonly staff: StaffRule<NoInfer<Context>, NoInfer<Input>, NoInfer<Output>> }
    : { readonly staff?: never; readonly tag: Tag });

/** An endpoint of any access, input and output, as route tables hold it. */
export interface AnyEndpoint<Context> extends Partial<
  Omit<Endpoint<Context>, 'access' | 'input' | 'output' | 'handler'>
> {
  readonly access: Access;
  readonly input: z.ZodType;
  readonly output: z.ZodType;
  run(call: Call<unknown, Access>, context: Context): Promise<unknown>;
}

/** The route table of a service: 'POST /members': register. Paths are Express patterns. */
export type Routes<Context> = Readonly<Record<`${Method} /${string}`, AnyEndpoint<Context>>>;

/** The endpoints for other services: exactly the paths that the contract lists for the service. */
export type InternalRoutes<Service extends InternalService, Context> = Readonly<
  Record<`POST ${InternalPath<Service>}`, AnyEndpoint<Context>>
>;

/** Input, output and failure codes of an endpoint for other services. */
interface Contract<Input, Output> {
  readonly input: z.ZodType<Input>;
  readonly output: z.ZodType<Output>;
  readonly codes?: readonly number[];
}

/** HTTP methods of the interface. */
type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** Declares a documented endpoint; the types of input, caller and output follow from its definition. */
export function endpoint<Context, Input, Output, A extends DocumentedAccess>(
  definition: Definition<Context, Input, Output, A>,
): AnyEndpoint<Context> {
  const { handler, ...rest }: Endpoint<Context, Input, Output, A> = definition;
  return {
    ...rest,
    // `mountRoutes` has checked `input` and `caller` against this definition.
    run: (call, context) => handler(call as Call<Input, A>, context),
  };
}

/** Declares an endpoint for other services by its contract, an `Exchange`, and the failure codes that it may answer. */
export function serviceEndpoint<Context, Input, Output>(
  { input, output, codes = [] }: Contract<Input, Output>,
  handler: (input: Input, context: Context) => Promise<Output>,
): AnyEndpoint<Context> {
  return {
    access: 'service',
    input,
    output,
    codes,
    // `mountRoutes` has checked the input against this contract.
    run: (call, context) => handler(call.input as Input, context),
  };
}
