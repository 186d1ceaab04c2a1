import { notFound } from '@covalence/contract/failure';
import { endpoint } from '@covalence/http/endpoint';
import { z } from 'zod';
import type { Account, Recovery } from '../accounts/account.ts';
import { sendResetLink } from '../sign-in/password/forgotten-password.ts';
import { beginRecovery, recoveryOf, stopRecovery } from '../sign-in/methods/recovery.ts';
import { maxListed, sampleId, sessionSchema } from '../tokens/sessions/manage-sessions.ts';
import { endSession, sessionsOf } from '../tokens/sessions/member-sessions.ts';
import { signOutEverywhere } from '../tokens/sessions/sign-out-everywhere.ts';
import { accountById, type StaffContext } from './find-staff.ts';

const memberId = z
  .string()
  .max(40)
  .meta({ description: 'Number or UUID of the member.', examples: ['1002'] });

const input = z.object({ id: memberId });
const example = { request: { id: '1002' } };

/** The active account of a member, by number or UUID; undefined for anything else, staff too. */
async function find(id: string, context: StaffContext): Promise<Account | undefined> {
  const account = await accountById(id, context);
  return account?.status === 'active' && !account.staff ? account : undefined;
}

async function memberOf(id: string, context: StaffContext): Promise<Account> {
  const account = await find(id, context);
  if (!account) throw notFound();
  return account;
}

const siteOfMember = async ({ id }: { readonly id: string }, context: StaffContext) =>
  (await find(id, context))?.siteid;

/** Roles that may see and end the sign-ins of a member. */
const forSessions = { roles: ['moderator', 'support'], site: siteOfMember } as const;

const time = z.iso.datetime();

const recoverySchema = z
  .object({
    from: time.meta({ description: 'When the mailed link opens the account.' }),
    until: time,
    by_support: z.boolean().meta({
      description: 'Begun by customer service; otherwise by somebody who asked for a mail.',
      examples: [true],
    }),
  })
  .meta({ id: 'StaffRecovery' });

const recoveryView = ({ from, until, by_support = false }: Recovery) => ({
  from: from.toISOString(),
  until: until.toISOString(),
  by_support,
});

/** GET /staff/members/:id/sessions: where a member is signed in, and whether the account is being recovered. */
export const listMemberSessions = endpoint({
  access: 'staff',
  staff: forSessions,
  operationId: 'listStaffSessions',
  summary: 'List the sign-ins of a member',
  description:
    'As GET /sessions shows them to the member: no address and no place. At most 100. With the recovery of the account, if one has begun. Counts as GET /staff/members/{id} does (429).',
  answer: 'The sign-ins, last used first.',
  example,
  statuses: [404],
  input,
  output: z
    .object({
      sessions: z.array(sessionSchema.meta({ id: 'StaffSession' })),
      recovery: recoverySchema.nullable(),
    })
    .meta({ id: 'StaffSessions' }),
  handler: async ({ input: { id }, caller }, context: StaffContext) => {
    const account = await memberOf(id, context);
    const { _id: member, id: number } = account;
    await context.profile.countStaffView({ staff: caller.memberId, member: number });
    context.security.record('staff_decision', { staff: caller.memberId, member, reason: 'sessions_listed' });
    const recovery = recoveryOf(account, context.clock());
    return {
      sessions: await sessionsOf(member, maxListed, context),
      recovery: recovery ? recoveryView(recovery) : null,
    };
  },
});

/** DELETE /staff/members/:id/sessions/:sessionid: ends one sign-in of a member. */
export const endMemberSession = endpoint({
  access: 'staff',
  staff: forSessions,
  operationId: 'endStaffSession',
  summary: 'End a sign-in of a member',
  description: 'Ends it as DELETE /sessions/{id} does. The call is recorded.',
  answer: 'The sign-in has ended.',
  example: { request: { id: '1002', sessionid: sampleId } },
  statuses: [404],
  input: input.extend({
    sessionid: z.string().max(64).meta({ description: '`id` of the list.' }),
  }),
  output: z.object({}),
  handler: async ({ input: { id, sessionid }, caller }, context: StaffContext) => {
    const { _id: member } = await memberOf(id, context);
    await endSession(sessionid, member, context);
    context.security.record('staff_decision', { staff: caller.memberId, member, reason: 'session_ended' });
    return {};
  },
});

/** DELETE /staff/members/:id/sessions: ends every sign-in of a member. */
export const endAllMemberSessions = endpoint({
  access: 'staff',
  staff: forSessions,
  operationId: 'endStaffSessions',
  summary: 'End every sign-in of a member',
  description: 'Ends every sign-in of apps and browsers. The call is recorded, and may be repeated.',
  answer: 'Every sign-in has ended.',
  example,
  statuses: [404],
  input,
  output: z.object({}),
  handler: async ({ input: { id }, caller }, context: StaffContext) => {
    const { _id: member } = await memberOf(id, context);
    await signOutEverywhere(member, context);
    context.security.record('staff_decision', { staff: caller.memberId, member, reason: 'sessions_ended' });
    return {};
  },
});

/** POST /staff/members/:id/recovery: gives an account back to a member who has lost the way into it. */
export const recoverMember = endpoint({
  access: 'staff',
  staff: { roles: ['support'], site: siteOfMember },
  operationId: 'recoverStaffMember',
  summary: 'Recover the account of a member',
  description:
    'For a member who has lost every sign-in method, or whose recovery somebody keeps stopping. Verify the person first. Mails a link that opens the account after the delay of the operator; it then removes passkeys, links with providers and two-step sign-in. Every address of the member gets a notice with a link that stops it; no sign-in does. A repeated call mails the link again.',
  answer: 'When the link works.',
  example,
  statuses: [404],
  input,
  output: recoverySchema,
  handler: async ({ input: { id }, caller }, context: StaffContext) => {
    const account = await memberOf(id, context);
    const recovery = await beginRecovery(account, context, { by_support: true });
    if (!recovery) throw notFound();
    const { _id: member } = account;
    context.security.record('staff_decision', { staff: caller.memberId, member, reason: 'recovery_begun' });
    context.afterResponse.run(sendResetLink(account, recovery, undefined, context));
    return recoveryView(recovery);
  },
});

/** DELETE /staff/members/:id/recovery: stops a recovery of a member. */
export const stopMemberRecovery = endpoint({
  access: 'staff',
  staff: { roles: ['support'], site: siteOfMember },
  operationId: 'stopStaffRecovery',
  summary: 'Stop the recovery of a member',
  description: 'The mailed links no longer work, and the member gets a notice. Without a recovery it is 404.',
  answer: 'The recovery has ended.',
  example,
  statuses: [404],
  input,
  output: z.object({}),
  handler: async ({ input: { id }, caller, address }, context: StaffContext) => {
    const account = await memberOf(id, context);
    const recovery = recoveryOf(account, context.clock());
    if (!recovery || !(await stopRecovery(account, recovery.id, address, context))) throw notFound();
    const { _id: member } = account;
    context.security.record('staff_decision', { staff: caller.memberId, member, reason: 'recovery_stopped' });
    return {};
  },
});
