import type { Request, Response } from 'express';
import type { z } from 'zod';
import { findInteraction, type Interaction } from './interaction.ts';
import { sendExpired } from './pages/respond.ts';
import type { PageHandler, SignInContext } from './sign-in-context.ts';

/** A request for a page of a sign-in in progress. */
export interface SignInVisit {
  readonly request: Request;
  readonly response: Response;
  readonly context: SignInContext;
  readonly interaction: Interaction;
}

type VisitHandler = (visit: SignInVisit) => Promise<void> | void;

/** Handles a page of a sign-in. One that has expired, or belongs to another browser, gets the page that says so. */
export const duringSignIn =
  (handle: VisitHandler): PageHandler =>
  async (request, response, context) => {
    const interaction = await findInteraction(request, response, context);
    if (!interaction) return sendExpired(request, response, context);
    await handle({ request, response, context, interaction });
  };

/** The same for a page that mails a member. Staff have no email address. */
export const duringMemberSignIn = (handle: VisitHandler): PageHandler =>
  duringSignIn((visit) => {
    const { request, response, context, interaction } = visit;
    return interaction.realm.staff ? sendExpired(request, response, context) : handle(visit);
  });

/** The form of a page of this sign-in; undefined when it is malformed or of another sign-in. */
export function formOf<Form extends { readonly csrf: string }>(
  schema: z.ZodType<Form>,
  { request, context, interaction }: SignInVisit,
): Form | undefined {
  const { data: form } = schema.safeParse(request.body ?? {});
  return form && context.keys.seal.checkMac('login-csrf', interaction.uid, form.csrf) ? form : undefined;
}
