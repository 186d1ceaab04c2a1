import type { Response } from 'express';
import type { IncomingMessage } from 'node:http';
import { z } from 'zod';
import type { Seal } from '../../keys/seal.ts';
import { deviceOf } from './known-device.ts';
import { confirmationPrompt } from '../provider/continue-prompt.ts';
import { cookieNames, cookieOf, cookieOptions } from './cookies.ts';
import { lifetimes } from '../lifetimes.ts';

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

/** Which sign-in a result is of, and the name of the browser in which the form was sent. */
const boundTo = (uid: string, device: string) => `${uid}:${device}`;

/**
 * Gives the result to the browser that sent the form, and to no other: it is kept nowhere else. Whoever planted the cookies of
 * a sign-in of their own, or has learned them, cannot go on with what somebody else enters; nor does the result of one's own
 * sign somebody else's browser in, which has another name.
 */
export function giveResult(
  response: Response,
  { uid, path, device }: { readonly uid: string; readonly path: string; readonly device: string },
  result: SignInResult,
  { seal, issuer }: ResultContext,
): void {
  const sealed = seal.seal('sign-in-result', JSON.stringify(result), boundTo(uid, device));
  response.cookie(cookieNames(issuer).result, sealed, cookieOptions(issuer, path, lifetimes.interaction));
}

/** The result that a request carries for a sign-in; undefined where it has none, or one of another sign-in or browser. */
export function resultOf(
  request: IncomingMessage,
  uid: string,
  { seal, issuer }: ResultContext,
): SignInResult | undefined {
  const sealed = cookieOf(request, cookieNames(issuer).result) ?? '';
  const text = seal.open('sign-in-result', sealed, boundTo(uid, deviceOf(request, { seal, issuer }).id));
  return text === undefined ? undefined : resultSchema.parse(JSON.parse(text));
}
