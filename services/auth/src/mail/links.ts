import { dayMs } from '@covalence/contract/time';
import { randomBytes } from 'node:crypto';
import type { z } from 'zod';
import type { Purpose } from '../keys/seal.ts';
import { sha256 } from '../keys/algorithms.ts';
import type { SessionsContext } from '../tokens/sessions/member-sessions.ts';
import type { MailContext } from './mail-context.ts';

/** Content of a mailed link. */
interface LinkContent {
  readonly member_id: string;
}

/** A route with its parameters filled in. */
const pathOf = (route: string, parameters: Readonly<Record<string, string>>): string =>
  route.replace(/:(\w+)/g, (_parameter, name: string) => parameters[name] ?? '');

interface Format<Content> {
  readonly stringify: (content: Content) => string;
  readonly parse: (text: string) => unknown;
}

interface SealedLink<Content extends LinkContent> {
  /** Its key; no other kind of link has it. */
  readonly purpose: Purpose;
  /** Route of its page, with the parameter `token`. */
  readonly route: string;
  readonly schema: z.ZodType<Content>;
  /** Its lifetime. Without one it works as long as what it is about exists. */
  readonly days?: number;
  /** The format of the content, if it is not JSON. */
  readonly format?: Format<Content>;
}

const bound = 'link';

/** A kind of mailed link whose token is its encrypted content. Nothing is stored, so using it again must change nothing. */
export function sealedLink<Content extends LinkContent>({
  purpose,
  route,
  schema,
  days,
  format = JSON,
}: SealedLink<Content>) {
  return {
    route,
    /** Creates a link; resolves to its path. */
    path(content: Content, { keys, clock }: Pick<MailContext, 'keys' | 'clock'>): string {
      const until = days === undefined ? {} : { until: clock().getTime() + days * dayMs };
      const token = keys.seal.seal(purpose, format.stringify({ ...content, ...until }), bound);
      return pathOf(route, { token });
    },
    /** Content of a token; undefined when it is invalid or expired. */
    find(token: string, { keys, clock }: Pick<MailContext, 'keys' | 'clock'>): Content | undefined {
      const text = keys.seal.open(purpose, token, bound);
      if (text === undefined) return undefined;
      const opened = format.parse(text) as { readonly until?: number };
      if (days !== undefined && !((opened.until ?? 0) > clock().getTime())) return undefined;
      return schema.parse(opened);
    },
  };
}

interface StoredLink<Content extends LinkContent> {
  /** Names it among the stored entries. */
  readonly kind: string;
  /** Route of its page, with the parameter `token`. */
  readonly route: string;
  /** Its lifetime. */
  readonly minutes: number;
  readonly schema: z.ZodType<Content>;
}

/** A kind of mailed link that can be used up: a token of 256 random bits, of which only the hash is stored, with the content. */
export function storedLink<Content extends LinkContent>({
  kind,
  route,
  minutes,
  schema,
}: StoredLink<Content>) {
  return {
    route,
    minutes,
    /** Creates a link; resolves to its path. `parameters` are those of the route beside the token. */
    async path(
      content: Content,
      { tokens }: Pick<SessionsContext, 'tokens'>,
      {
        parameters = {},
        lifetime = minutes,
      }: {
        readonly parameters?: Readonly<Record<string, string>>;
        /** Minutes. */
        readonly lifetime?: number | undefined;
      } = {},
    ): Promise<string> {
      const token = randomBytes(32).toString('base64url');
      const entry = { kind, id: sha256(token), payload: JSON.stringify(content) };
      await tokens.sessions.save([entry], lifetime * 60, content.member_id);
      return pathOf(route, { ...parameters, token });
    },
    /** Content of a token; undefined when it is unknown, expired, or lacks a field that another version added. */
    async find(token: string, { tokens }: Pick<SessionsContext, 'tokens'>): Promise<Content | undefined> {
      const found = await tokens.sessions.find(kind, sha256(token));
      return found && schema.safeParse(JSON.parse(found.payload)).data;
    },
    /** Uses a token up; false when another request was first. */
    take: (token: string, { tokens }: Pick<SessionsContext, 'tokens'>): Promise<boolean> =>
      tokens.sessions.take(kind, sha256(token)),
  };
}
