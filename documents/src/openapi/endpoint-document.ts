import type { AnyEndpoint, Tag } from '@covalence/http/endpoint';
import type { Schema } from './schema.ts';

/** What is said of one parameter beside what its endpoint's zod schema says; `schema` replaces the latter. */
export interface ParameterDocument {
  readonly description?: string;
  readonly schema?: Schema;
  readonly required?: boolean;
  /** Shown to nobody: it is refused, or taken without an effect. */
  readonly hidden?: true;
}

/** Groups of the page. */
export const tags = {
  'Sign-in': 'The Authorization Server at {auth_url}.',
  'Hosted pages':
    'What the browser shows while a member signs in; apps open the first and wait for redirect_uri.',
  Members: 'Registration and the own profile.',
  Interest: 'Likes, declines, blocks, passes, reports and who is behind the counters.',
  Photos: 'The own photos.',
  Messages: 'Threads and messages.',
  Search: 'Search, saved searches and match criteria.',
  Membership: 'Packages, rates and the paid membership.',
  'Live updates':
    'The WebSocket, whose frames are described at /asyncapi.json, and push to devices that are away.',
  Staff: 'Customer Service, for tokens of the scope `staff`.',
  Documents: 'What you are reading.',
} as const satisfies Readonly<Record<Tag, string>>;

export type { Tag };

/**
 * What an endpoint's definition cannot say itself: one entry per route in one of the tables of `endpoints/`. Summary,
 * access, codes and the shapes of input and output come from the definition; what stands here refines them.
 */
export interface EndpointDocument {
  readonly tag: Tag;
  /** What it does, when it refuses without a code, what comes of a repeat: Markdown. */
  readonly description: string;
  /** Refines parameters of the definition by name; a name that a closed definition does not have is an error. */
  readonly parameters?: Readonly<Record<string, ParameterDocument>>;
  /** The whole request body, where the parameters are more than the definition's own. */
  readonly body?: Schema;
  /** Search criteria may be given beside the parameters; merged into what is kept, null removes one. */
  readonly criteria?: 'given' | 'merged' | undefined;
  /** Fields of the catalogue may be given beside the parameters. */
  readonly fields?: 'register' | 'update' | undefined;
  /** The answer, or each entry of its list, has search criteria beside its own fields. */
  readonly criteriaInAnswer?: true;
  /** The 200 answer's schema, where the definition's is looser. */
  readonly answer?: Schema;
  /** Further statuses that it answers; 404 comes with a parameter in the path. */
  readonly also?: readonly (404 | 409)[];
  /** Texts of a 403 beside the usual ones. */
  readonly refusals?: readonly string[];
  /** An Idempotency-Key header is honored. */
  readonly idempotent?: true;
  /** Parameters of an example call (path, query and body together) and its answer. */
  readonly example?: { readonly request?: Readonly<Record<string, unknown>>; readonly answer?: unknown };
  /** What the 200 answer holds. */
  readonly result?: string;
}

/** Documents by route, as the services' tables name them: 'POST /members'. */
export type EndpointDocuments = Readonly<Record<string, EndpointDocument>>;

/** How an input's `.meta()` names what of the catalogue may be given beside its own parameters. */
interface Catalogue {
  readonly 'x-criteria'?: 'given' | 'merged';
  readonly 'x-fields'?: 'register' | 'update';
}

/** What an endpoint's own definition says, where it does. */
export function ownDocument({
  tag,
  description,
  example,
  answer,
  statuses,
  refusals,
  idempotent,
  input,
}: AnyEndpoint<never>): EndpointDocument | undefined {
  if (!tag || description === undefined) return undefined;
  const { 'x-criteria': criteria, 'x-fields': fields } = (input.meta() ?? {}) as Catalogue;
  return {
    tag,
    description,
    criteria,
    fields,
    ...(example && { example }),
    ...(answer !== undefined && { result: answer }),
    ...(statuses && { also: statuses }),
    ...(refusals && { refusals }),
    ...(idempotent && { idempotent }),
  };
}
