import type { z } from 'zod';
import { formIn } from './form-in.ts';
import { findInteraction, type Interaction } from './interaction.ts';
import { sendExpired } from './pages/respond.ts';
import type { PageHandler, PageVisit } from './sign-in-context.ts';

/** A request for a page of a sign-in in progress. */
export interface SignInVisit extends PageVisit {
  readonly interaction: Interaction;
}

type VisitHandler = (visit: SignInVisit) => Promise<void> | void;

/** Handles a page of a sign-in. One that has expired, or belongs to another browser, gets the page that says so. */
export const duringSignIn =
  (handle: VisitHandler): PageHandler =>
  async (visit) => {
    const interaction = await findInteraction(visit);
    if (!interaction) return sendExpired(visit);
    await handle({ ...visit, interaction });
  };

/** The same for a page that mails a member. Staff have no email address. */
export const duringMemberSignIn = (handle: VisitHandler): PageHandler =>
  duringSignIn((visit) => (visit.interaction.realm.staff ? sendExpired(visit) : handle(visit)));

/** The form of a page of this sign-in; undefined when it is malformed or of another sign-in. */
export const formOf = <Form>(
  schema: z.ZodType<Form>,
  { request, context, interaction }: SignInVisit,
): Form | undefined =>
  formIn(schema, request, (csrf) => context.keys.seal.checkMac('login-csrf', interaction.uid, csrf));
