import { invalidArgument, unavailable } from '@covalence/contract/failure';
import type { Site } from '@covalence/contract/sites';
import { endpoint } from '@covalence/http/endpoint';
import { v7 } from 'uuid';
import { z } from 'zod';
import { ownRecordSchema } from '@covalence/contract/member-record';
import { wholeNumber } from '@covalence/contract/parameters';
import type { MemberRecord } from '../record/render-record.ts';
import type { Context } from '../context.ts';
import type { Member } from '../members/member.ts';
import { withCheckedTexts } from '../moderation/check-texts.ts';
import { ownRecord } from '../record/records.ts';
import { textIn } from '../validation/check-fields.ts';
import { orderedCodes } from '../validation/failure-codes.ts';
import { checkRegistration, type CheckedRegistration } from './check-registration.ts';
import { newMember } from './new-member.ts';

const input = z.looseObject({
  client_id: z.string(),
  client_secret: z.string(),
  siteid: wholeNumber,
});

/** The own record and the code that POST /token takes. */
const output: z.ZodType<MemberRecord & { code: string }> = ownRecordSchema.extend({ code: z.string() });

type Parameters = z.output<typeof input>;

/** Which parameter each credential code of the auth service belongs to. */
const credentialOf: Record<number, string> = {
  10101: 'username',
  10102: 'username',
  10201: 'password',
  10301: 'email',
  10302: 'email',
};

const credentialsOf = ({ values }: CheckedRegistration) => ({
  username: textIn(values, 'username'),
  email: textIn(values, 'email'),
  password: textIn(values, 'password'),
});

/** Refuses a registration with every code there is, those of the credentials included (D3). */
async function refuse(context: Context, site: Site, checked: CheckedRegistration): Promise<never> {
  const { failcode } = await context.auth.checkAccount({
    siteid: site.siteid,
    password_minimum: site.password_minimum,
    ...credentialsOf(checked),
  });
  for (const code of failcode) {
    const name = credentialOf[code];
    if (name && !checked.failed.has(name)) checked.failed.set(name, code);
  }
  throw invalidArgument(...orderedCodes(checked.failed, 'register'));
}

/**
 * Account first, then member, then the account's confirmation (design, Registration): whatever step a crash ends it at,
 * the auth service asks afterwards whether the member exists and settles the rest.
 */
async function create(context: Context, site: Site, checked: CheckedRegistration): Promise<Member> {
  const { username = '', email = '', password = '' } = credentialsOf(checked);
  const memberId = v7();
  const [id = 0] = await context.ids.take('member', 1);
  await context.auth.reserveAccount({
    member_id: memberId,
    id,
    siteid: site.siteid,
    username,
    email,
    password,
    password_minimum: site.password_minimum,
  });
  const identity = { id, memberId, site, origin: checked.origin };
  const member = withCheckedTexts(newMember(identity, checked.values, context.clock()));
  // The claim was given away meanwhile: the same registration can simply be sent again.
  if (!(await context.members.insert(member))) throw unavailable(new Error('the claim was settled'));
  await context.auth.confirmAccount({
    member_id: memberId,
    locale: textIn(checked.values, 'locale'),
  });
  return member;
}

/**
 * POST /members: registers a member on a site (spec 4.4). Client credentials and site come first, 403 without code;
 * then every bad parameter is reported at once. Answers the own record and a short-lived authorization code.
 */
export const register = endpoint({
  access: 'public',
  summary: 'Register a member',
  bodyOnly: true,
  input,
  output,
  codes: [
    10000, 10001, 10002, 10011, 10021, 10022, 10031, 10032, 10041, 10051, 10061, 10101, 10102, 10201, 10301,
    10302, 10401, 10402, 10501, 10601, 10701, 20701, 20702, 20703, 20801, 20901,
  ],
  handler: async ({ input }: { input: Parameters }, context: Context) => {
    const { client_id, client_secret, siteid } = input;
    await context.auth.verifyClient({ client_id, client_secret });
    const site = context.sites.get(siteid);
    if (!site) throw invalidArgument();
    const checked = checkRegistration(input, site, {
      affiliates: context.affiliates,
      now: context.clock(),
    });
    if (checked.failed.size) await refuse(context, site, checked);
    const member = await create(context, site, checked);
    const { code } = await context.auth.issueCode({ member_id: member.member_id, client_id });
    const record = await ownRecord(context, member, credentialsOf(checked).email);
    return { ...record, code };
  },
});
