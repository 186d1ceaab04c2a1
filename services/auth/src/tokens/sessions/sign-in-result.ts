import type { Response } from 'express';
import type { IncomingMessage } from 'node:http';
import { z } from 'zod';
import { deviceOf } from './known-device.ts';
import { cookieNames, cookieOf, cookieOptions } from './cookies.ts';
import { lifetimes } from '../families/lifetimes.ts';
import type { TokensContext } from '../families/revoke-families.ts';

/** Name of the prompt "Continue as …", and of the result that answers it. */
export const continuePromptName = 'continue';

/** Name of the prompt that opens the registration, and of the result that answers it. */
export const createPromptName = 'create';

/**
 * The method of a proof, as `amr` of RFC 8176 names it: a password, possession of a passkey's key, or a
 * provider, for which there is no registered value.
 */
export const signInMethod = z.enum(['pwd', 'pop', 'fed']);

/** A second factor beside a password or provider: a code, of an app or for recovery, or a new passkey. */
export const secondFactor = z.enum(['otp', 'pop']);

/** A second factor beside a password or provider. */
export type SecondFactor = z.output<typeof secondFactor>;

/** Value of `amr` beside those of two factors. */
const twoFactors = 'mfa';

/** Whether two factors were proven. A passkey verifies who uses it, so it counts as both. */
export const isTwoFactor = (amr: readonly string[] = []): boolean =>
  secondFactor.options.some((factor) => amr.includes(factor));

/** A way to prove credentials. */
export type SignInMethod = z.output<typeof signInMethod>;

/** `amr` of a sign-in (RFC 8176). */
export const amrOf = (
  method: SignInMethod,
  factor: SecondFactor | undefined,
): (SignInMethod | SecondFactor | typeof twoFactors)[] => (factor ? [method, factor, twoFactors] : [method]);

const resultSchema = z.object({
  /** The member went back to the app instead of signing in. */
  error: z.literal('access_denied').optional(),
  login: z
    .object({
      accountId: z.string(),
      amr: z.array(signInMethod.or(secondFactor).or(z.literal(twoFactors))),
      ts: z.number(),
    })
    .optional(),
  /** When the credentials were entered, in milliseconds. */
  authenticated_at: z.number().optional(),
  /** The member continues with the browser's session. */
  [continuePromptName]: z.literal(true).optional(),
  /** The member registered, or signed in instead. */
  [createPromptName]: z.literal(true).optional(),
});

/** Result of the login form, for oidc-provider. */
export type SignInResult = z.output<typeof resultSchema>;

/** The interaction and the browser that submitted its form. */
const boundTo = (uid: string, device: string) => `${uid}:${device}`;

/**
 * Stores the result in a cookie of the browser that submitted the form, and nowhere else. An attacker who planted or
 * knows the cookies of an interaction cannot use what somebody else enters. The attacker's own result does not work
 * in another browser, which has another id.
 */
export function setResult(
  response: Response,
  { uid, path, device }: { readonly uid: string; readonly path: string; readonly device: string },
  result: SignInResult,
  { keys, issuer }: TokensContext,
): void {
  const sealed = keys.seal.seal('sign-in-result', JSON.stringify(result), boundTo(uid, device));
  response.cookie(cookieNames(issuer).result, sealed, cookieOptions(issuer, path, lifetimes.interaction));
}

/** The result in a request's cookie; undefined without one for this interaction and browser. */
export function resultOf(
  request: IncomingMessage,
  uid: string,
  context: TokensContext,
): SignInResult | undefined {
  const { keys, issuer } = context;
  const sealed = cookieOf(request, cookieNames(issuer).result) ?? '';
  const text = keys.seal.open('sign-in-result', sealed, boundTo(uid, deviceOf(request, context).id));
  return text === undefined ? undefined : resultSchema.parse(JSON.parse(text));
}
