import type { Response } from 'express';
import type { IncomingMessage } from 'node:http';
import { z } from 'zod';
import type { Seal } from '../keys/seal.ts';
import { confirmationPrompt } from './confirmation.ts';
import { cookieNames, cookieOf, cookieOptions } from './cookies.ts';
import { lifetimes } from './lifetimes.ts';

const resultSchema = z.object({
  login: z.object({ accountId: z.string(), amr: z.array(z.string()), ts: z.number() }).optional(),
  /** When the credentials were given, in milliseconds. */
  given_at: z.number().optional(),
  /** The member goes on with the session that the browser has. */
  [confirmationPrompt]: z.literal(true).optional(),
});

/** What the form of a sign-in came to, as oidc-provider takes it. */
export type SignInResult = z.output<typeof resultSchema>;

/** What the result of a sign-in is carried with. */
export interface ResultContext {
  readonly seal: Seal;
  /** Address of the authorization server. */
  readonly issuer: string;
}

/**
 * Gives the result to the browser that sent the form, and to no other: it is kept nowhere else. Whoever planted the cookies of
 * a sign-in of their own, or has learned them, cannot go on with what somebody else enters.
 */
export function giveResult(
  response: Response,
  { uid, path }: { readonly uid: string; readonly path: string },
  result: SignInResult,
  { seal, issuer }: ResultContext,
): void {
  const sealed = seal.seal('sign-in-result', JSON.stringify(result), uid);
  response.cookie(cookieNames(issuer).result, sealed, cookieOptions(issuer, path, lifetimes.interaction));
}

/** The result that a request carries for a sign-in; undefined where it has none, or one of another sign-in. */
export function resultOf(
  request: IncomingMessage,
  uid: string,
  { seal, issuer }: ResultContext,
): SignInResult | undefined {
  const text = seal.open('sign-in-result', cookieOf(request, cookieNames(issuer).result) ?? '', uid);
  return text === undefined ? undefined : resultSchema.parse(JSON.parse(text));
}
