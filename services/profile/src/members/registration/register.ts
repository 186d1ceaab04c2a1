import { Failure, invalidArgument, unavailable } from '@covalence/contract/failure';
import { failCodes } from '@covalence/contract/failure-codes';
import { registerHosted } from '@covalence/contract/peers/profile-api';
import { requiredOf } from '@covalence/contract/registration-fields';
import type { Site } from '@covalence/contract/sites';
import { addressKey } from '@covalence/http/address-key';
import { endpoint, serviceEndpoint } from '@covalence/http/endpoint';
import { v7 } from 'uuid';
import { z } from 'zod';
import { ownRecordSchema } from '@covalence/contract/member-record';
import { deviceName, documented, platform, unchecked, wholeNumber } from '@covalence/contract/parameters';
import type { MemberRecord, MembersContext } from '../members.ts';
import type { Member } from '../document/member.ts';
import { memberSuspicionOf } from '../document/suspicion.ts';
import { withCheckedTexts } from '../checks/check-texts.ts';
import { textIn, fieldCodes, orderedCodes } from '../checks/check-fields.ts';
import { checkRegistration, type CheckedRegistration, newMember } from './new-member.ts';
import { countLostNames, countTakenNames, takenNamesIn } from '../taken-names.ts';

const input = z
  .looseObject({
    client_id: z.string().meta({ description: 'The id of your app.' }),
    client_secret: z.string().meta({ description: 'The secret of your app.' }),
    platform,
    device_name: deviceName,
    siteid: wholeNumber.meta({
      ...documented.siteid,
      description: 'The site to register on; an unknown one is 403 without code.',
    }),
    affiliateid: unchecked({
      type: 'string',
      maxLength: 100,
      description: 'The affiliate that sent the member; a suspended one is 10701.',
    }),
    subid: unchecked({ type: 'string', maxLength: 100, description: 'The affiliate’s own reference.' }),
  })
  .meta({ 'x-fields': 'register' });

/** The own record, and the authorization code for POST /token. */
const output: z.ZodType<MemberRecord & { code: string }> = ownRecordSchema
  .extend({ code: z.string().meta({ examples: ['eyJhbGciOiJFUzI1NiJ9.eyJqdGkiOiIxIn0.c2lnbmF0dXJl'] }) })
  .meta({ id: 'RegisteredMember' });

const credentialsOf = ({ values }: CheckedRegistration) => ({
  username: textIn(values, 'username'),
  email: textIn(values, 'email'),
  password: textIn(values, 'password'),
});

/** A parameter that refuses no registration: anything but a text counts as not given. */
const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

const codesOfNames = new Map([
  [failCodes.usernameTaken, 'username'],
  [failCodes.emailTaken, 'email'],
]);

/** The names were released before the member was written, because the registration took too long. */
class AbandonedClaim extends Error {}

/** A registration on its way. */
interface Registration {
  readonly site: Site;
  readonly checked: CheckedRegistration;
  readonly memberId: string;
  readonly client: string;
  /** The client's address, from `addressKey`. */
  readonly address: string;
  /** A provider has proven the email address. */
  readonly emailConfirmed?: boolean;
}

/** Lets auth check the password, and with `lookUpNames` whether the names are taken. Throws every failure code. */
async function checkCredentials(
  { auth }: MembersContext,
  { site, checked, memberId }: Registration,
  lookUpNames: boolean,
): Promise<void> {
  const { failcode } = await auth.checkAccount({
    siteid: site.siteid,
    password_minimum: site.password_minimum,
    ...credentialsOf(checked),
    member_id: memberId,
    look_up_names: lookUpNames,
  });
  if (failcode.includes(failCodes.passwordInvalid)) checked.failed.set('password', failCodes.passwordInvalid);
  for (const code of failcode) {
    const name = codesOfNames.get(code);
    if (name !== undefined) checked.failed.set(name, code);
  }
  if (checked.failed.size) throw invalidArgument(...orderedCodes(checked.failed, 'register'));
}

/** Lets the member's account sign in. Idempotent. */
const confirm = ({ auth }: MembersContext, { memberId, checked }: Registration) =>
  auth.confirmAccount({ member_id: memberId, locale: textIn(checked.values, 'locale') });

/** Creates the account, then the member, then confirms the account. After a crash, the auth service settles the account. */
async function create(context: MembersContext, registration: Registration): Promise<Member> {
  const { site, checked, memberId, address, emailConfirmed = false } = registration;
  const { username = '', email = '', password = '' } = credentialsOf(checked);
  // Before the password is hashed, so that the address waits only for the look-up.
  await countTakenNames(context, address, codesOfNames.size, () =>
    checkCredentials(context, registration, true),
  );
  const taken = await context.members.ids.takeOne('member');
  const reserved = await countLostNames(context, address, () =>
    context.auth.reserveAccount({
      member_id: memberId,
      id: taken,
      siteid: site.siteid,
      username,
      email,
      password,
      password_minimum: site.password_minimum,
      address,
      email_confirmed: emailConfirmed,
    }),
  );
  const identity = { id: reserved.id, memberId, site, referral: checked.referral };
  const matches = await context.members.bans.ofEmail(email, site.siteid);
  const member = {
    ...withCheckedTexts(newMember(identity, checked.values, context.clock())),
    ...memberSuspicionOf('email', matches),
  };
  const isNew = await context.members.store.insert(member);
  const stored = isNew ? member : await context.members.store.byId(identity.id);
  // The client can repeat the registration.
  if (!stored) throw unavailable(new AbandonedClaim());
  await confirm(context, registration);
  return stored;
}

/** `create` within the hourly limit of the client address: 429 with Retry-After beyond it. A failed one does not count. */
async function createWithinLimit(context: MembersContext, registration: Registration): Promise<Member> {
  const { registrations } = context.members.limits;
  await registrations.count(registration.address);
  try {
    return await create(context, registration);
  } catch (error) {
    await registrations.giveBack(registration.address);
    throw error;
  }
}

/** The reason of a refused registration, for metrics and the security log. */
const refusalOf = (error: unknown): 'taken' | 'limited' | 'failed' => {
  if (takenNamesIn(error)) return 'taken';
  return error instanceof Failure && error.status === 429 ? 'limited' : 'failed';
};

/**
 * Registers a member within the limits of the address. Counts the outcome by client and records it as a security event. Throws
 * every failure code.
 */
async function registerMember(context: MembersContext, registration: Registration): Promise<Member> {
  const { metrics, security } = context;
  const { client, address, checked } = registration;
  // Without looking up names: a request that creates nothing must not reveal who is registered.
  if (checked.failed.size) await checkCredentials(context, registration, false);
  try {
    const member = await createWithinLimit(context, registration);
    metrics.registrations.inc({ client, outcome: 'done' });
    security.record('registered', { member: member.member_id, client, address });
    return member;
  } catch (error) {
    const reason = refusalOf(error);
    metrics.registrations.inc({ client, outcome: reason });
    if (reason !== 'failed') security.record('registration_refused', { client, address, reason });
    throw error;
  }
}

/** POST /members */
export const register = endpoint({
  access: 'public',
  tag: 'Members',
  operationId: 'registerMember',
  summary: 'Register a member',
  description:
    'Client credentials and site are checked first (403 without code), then every bad parameter is reported at once; 10101 and 10302 come only where every other parameter is valid. Too many registrations or taken names from one address in an hour are 429. Send either `latitude` and `longitude`, or `country` with at least one of `city`, `state` and `zip`. Any other field of the catalogue is accepted too; `null` counts as not sent. Names ignore case, and `-` and `_` are the same.',
  answer: 'The member’s own record with a `code` for POST /token, valid for 10 seconds.',
  example: {
    request: {
      client_id: '3f0e8a52-6f5d-4b6c-9f5e-0f4b7f3f6f10',
      client_secret: 'c2VjcmV0LXNlY3JldC1zZWNyZXQ',
      siteid: 1,
      gender: 'Male',
      gender_preference: 'Female',
      date_of_birth: '09/02/1988',
      username: 'tomh',
      password: 'queues-and-lakes-9',
      email: 'tom@mail.example',
      country: 'US',
      city: 'Lincoln',
      state: 'Nebraska',
      zip: '68502',
    },
  },
  bodyOnly: true,
  input,
  output,
  codes: fieldCodes(
    'register',
    failCodes.usernameTaken,
    failCodes.emailTaken,
    failCodes.ageBelowMinimum,
    failCodes.affiliateSuspended,
  ),
  handler: async ({ input, address: caller }, context: MembersContext) => {
    const { client_id, client_secret, siteid } = input;
    await context.auth.verifyClient({ client_id, client_secret });
    const site = context.sites.get(siteid);
    if (!site) throw invalidArgument();
    const facts = { affiliates: context.affiliates.known, now: context.clock() };
    const checked = checkRegistration(input, site, facts);
    const member = await registerMember(context, {
      site,
      checked,
      memberId: v7(),
      client: client_id,
      address: addressKey(caller),
    });
    const { code } = await context.auth.issueCode({
      member_id: member.member_id,
      client_id,
      platform: textOf(input.platform),
      device_name: textOf(input.device_name),
    });
    const record = await context.members.ownRecord(member, { email: credentialsOf(checked).email ?? '' });
    return { ...record, code };
  },
});

/** The failed parameters of a refused registration; undefined for another error. */
function failedOf(error: unknown, { failed }: CheckedRegistration): Record<string, number> | undefined {
  if (!(error instanceof Failure && error.failcode)) return undefined;
  if (failed.size) return Object.fromEntries(failed);
  // Names that were free a moment ago.
  return Object.fromEntries(error.failcode.map((code) => [codesOfNames.get(code) ?? 'username', code]));
}

/**
 * POST /internal/members/register: registers a member on the hosted page, which also asks for what the site requires of a
 * complete profile. Repeated with the same id, it finds the member of the first time.
 */
export const registerOnPage = serviceEndpoint(registerHosted, async (input, context: MembersContext) => {
  const { member_id: memberId, siteid, client_id: client, address, parameters, email_confirmed } = input;
  const site = context.sites.get(siteid);
  if (!site) throw invalidArgument();
  const facts = { affiliates: context.affiliates.known, now: context.clock() };
  const checked = checkRegistration(parameters, site, facts, requiredOf(site));
  const registration = { site, checked, memberId, client, address, emailConfirmed: email_confirmed };
  const present = await context.members.store.byUuid(memberId);
  try {
    if (present) await confirm(context, registration);
    else await registerMember(context, registration);
    return { failed: {}, abandoned: false };
  } catch (error) {
    const abandoned = error instanceof Failure && error.cause instanceof AbandonedClaim;
    const failed = failedOf(error, checked);
    if (!failed && !abandoned) throw error;
    return { failed: failed ?? {}, abandoned };
  }
});
