import { Failure } from '@covalence/contract/failure';
import type { Field } from '@covalence/contract/catalogue/field';
import { registrationFields } from '@covalence/contract/registration-fields';
import type { Site } from '@covalence/contract/sites';
import { addressKey } from '@covalence/http/address-key';
import { isUnavailableError } from '@covalence/runtime/unavailable-error';
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { isSameEmail } from '../../accounts/addresses.ts';
import type { ProvenIdentity } from '../../accounts/identities/provider-connection.ts';
import { presentationOf, remember, type Presentation } from '../../localization/presentation.ts';
import { admit } from '../login/admit.ts';
import { duringSignIn, formOf, type SignInVisit } from '../during-sign-in.ts';
import {
  registrationPage,
  registrationSitePage,
  type Entries,
  type RegistrationForm,
} from '../pages/registration-page.ts';
import { explain, redirect, type Problem } from '../pages/respond.ts';
import { openProof, sealedProof } from '../login/proof.ts';
import { sendLoginPage } from '../login/visitor.ts';
import { memberIdOf } from './member-id.ts';

const entry = z.string().max(10_000);

/** The form: the fields of the site and nothing else. */
const formSchema = (fields: readonly Field[]) =>
  z.strictObject({
    attempt: z.uuid(),
    proof: sealedProof.optional(),
    ...Object.fromEntries(
      fields.map(({ name, kind }) => [
        name,
        kind === 'choices' ? z.union([entry, z.array(entry).max(100)]).optional() : entry.optional(),
      ]),
    ),
  });

/** Somebody who registers on a site. */
interface Registering extends SignInVisit {
  readonly presentation: Presentation;
  readonly site: Site;
  readonly fields: readonly Field[];
}

/** The form of the site in this interaction; without a site, asks for one. Undefined when a page has been sent. */
function registering(visit: SignInVisit): Registering | undefined {
  const { request, response, context, interaction } = visit;
  const { realm, action, register, details } = interaction;
  if (register === undefined) {
    redirect(response, action);
    return undefined;
  }
  const [only, ...others] = context.sites.keys();
  const chosen = realm.siteid ?? (others.length ? Number(request.query['site']) : only);
  const site = context.sites.get(chosen ?? 0);
  if (!site) {
    const sites = [...context.sites.values()].map(({ siteid, title }) => ({
      title,
      path: `${register}?site=${siteid}`,
    }));
    sendLoginPage(visit, registrationSitePage(interaction.presentation, sites));
    return undefined;
  }
  const presentation = remember(
    request,
    presentationOf(
      { ...details.params, siteid: String(site.siteid) },
      context.sites,
      request.acceptsLanguages(),
    ),
  );
  return { ...visit, presentation, site, fields: registrationFields(site) };
}

type Shown = Partial<Pick<RegistrationForm, 'attempt' | 'entries' | 'failed' | 'proof'>>;

function show(visit: Registering, shown: Shown, wrong: Problem = {}): void {
  const { response, interaction, presentation, site, fields } = visit;
  const { problem, status } = explain(response, presentation, wrong);
  const form: RegistrationForm = {
    action: `${interaction.action}/register?site=${site.siteid}`,
    csrf: interaction.csrf,
    attempt: randomUUID(),
    proof: undefined,
    signIn: interaction.action,
    fields,
    minimumAge: site.minimum_age,
    passwordMinimum: site.password_minimum,
    entries: {},
    failed: {},
    ...shown,
  };
  sendLoginPage(visit, registrationPage(presentation, { ...form, problem }), status);
}

/** The account at a provider that somebody has proven, which is linked with the new member. */
const identityIn = (sealed: string, { interaction, context }: Registering) =>
  openProof(sealed, interaction, context)?.identity;

/** GET /login/:uid/register: the form that registers a member. The proof of an account at a provider goes along. */
export const showRegistration = duringSignIn((visitor) => {
  const visit = registering(visitor);
  if (!visit) return;
  const { proof: sealed } = visit.request.query;
  const { login } = visit.interaction;
  const identity = typeof sealed === 'string' ? identityIn(sealed, visit) : undefined;
  const email = identity?.email ?? (login?.includes('@') ? login : undefined);
  show(visit, {
    ...(identity && typeof sealed === 'string' && { proof: sealed }),
    ...(email !== undefined && { entries: { email } }),
  });
});

/** Browsers send dates as year, month and day; the interface has month, day and year. */
const asDate = (text: string): string => text.replace(/^(\d{4})-(\d{2})-(\d{2})$/, '$2/$3/$1');

/** The parameters of a registration; what is empty counts as not given. */
function parametersOf(entries: RegistrationForm['entries'], { fields, presentation }: Registering) {
  const given = fields.flatMap(({ name, kind }) => {
    const value = entries[name];
    if (!value?.length) return [];
    return [[name, kind === 'date' && typeof value === 'string' ? asDate(value) : value] as const];
  });
  return { locale: presentation.locale, ...Object.fromEntries(given) };
}

/** Whether the provider has proven the address that the member enters, which needs no mail then. */
const isProvenBy = (identity: ProvenIdentity | undefined, entered: Entries[string]): boolean =>
  identity?.email_proven === true &&
  typeof entered === 'string' &&
  isSameEmail(entered, identity.email ?? '');

/** Registers with profile; true when the member exists. Otherwise shows the form again. */
async function registerAt(
  visit: Registering,
  memberId: string,
  identity: ProvenIdentity | undefined,
  shown: Shown & Pick<RegistrationForm, 'entries'>,
): Promise<boolean> {
  const { request, context, interaction, site } = visit;
  try {
    const { failed, abandoned } = await context.profile.registerHosted({
      member_id: memberId,
      client_id: interaction.clientId,
      siteid: site.siteid,
      address: addressKey(request.ip ?? ''),
      email_confirmed: isProvenBy(identity, shown.entries['email']),
      parameters: parametersOf(shown.entries, visit),
    });
    const isRefused = Object.keys(failed).length > 0;
    // Another attempt: this one is over.
    if (isRefused) show(visit, { ...shown, attempt: randomUUID(), failed });
    else if (abandoned)
      show(visit, { ...shown, attempt: randomUUID() }, { status: 503, problem: 'errorAway' });
    return !isRefused && !abandoned;
  } catch (error) {
    const seconds = error instanceof Failure ? Number(error.headers['Retry-After']) : undefined;
    if (error instanceof Failure && error.status === 429 && seconds) {
      show(visit, shown, { seconds });
      return false;
    }
    if (!isUnavailableError(error)) throw error;
    // The same attempt again: the member may exist by now.
    show(visit, shown, { status: 503, problem: 'errorAway' });
    return false;
  }
}

/** POST /login/:uid/register: registers a member like POST /members, and ends like a sign-in. */
export const submitRegistration = duringSignIn(async (visitor) => {
  const visit = registering(visitor);
  if (!visit) return;
  const { context, interaction, fields } = visit;
  const form = formOf(formSchema(fields), visit);
  if (!form) return show(visit, {}, { status: 403, problem: 'staleForm' });
  const { attempt, proof: sealed, ...entries } = form;
  const memberId = memberIdOf([interaction.uid, attempt, visit.site.siteid, entries], context.keys.seal);
  const identity = sealed === undefined ? undefined : identityIn(sealed, visit);
  if (!(await registerAt(visit, memberId, identity, { attempt, entries, proof: sealed }))) return;
  const account = await context.accounts.find(memberId);
  if (!account) throw new Error('a registered member has no account');
  const authenticatedAt = context.clock();
  await admit({ ...visitor, identity, method: 'pwd', authenticatedAt, isRegistration: true }, account);
});
