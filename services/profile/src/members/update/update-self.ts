import { invalidArgument } from '@covalence/contract/failure';
import { failCodes } from '@covalence/contract/failure-codes';
import { z } from 'zod';
import { type MembersContext, siteOf } from '../members.ts';
import { membershipPatch } from '../member-state.ts';
import type { Member } from '../document/member.ts';
import { memberSuspicionOf } from '../document/suspicion.ts';
import { type CheckedValues, fieldCodes, orderedCodes, textIn } from '../checks/check-fields.ts';
import { memberEndpoint } from '../member-endpoint.ts';
import { checkUpdate, updatePatch } from './update-patch.ts';
import { dropRepeated } from './drop-repeated.ts';
import { flagAdmission } from '../flag-admission.ts';
import { applyUsername, checkCredentials, claimCredentials } from './update-credentials.ts';

/** Forwards `auto_renew` to billing, 503 while it is down. Resolves with the patch that copies the new membership. */
async function forwardRenewal({ billing }: MembersContext, { _id: member }: Member, values: CheckedValues) {
  const autorenew = values['auto_renew'];
  const renewed = typeof autorenew === 'boolean' && (await billing.switchRenewal({ member, autorenew }));
  const membership = renewed ? renewed.membership : undefined;
  return (current: Member) => membership && membershipPatch(current, membership, membership.version);
}

/**
 * Marks the member where the new email address is banned. Before the auth service has the address, so that no failure leaves
 * it unmarked. Reads the member whether it is or not.
 */
async function markBanned({ members }: MembersContext, { _id, siteid }: Member, values: CheckedValues) {
  const email = textIn(values, 'email');
  if (email === undefined) return;
  const matches = await members.bans.ofEmail(email, siteid);
  await members.store.change(_id, (current) => memberSuspicionOf('email', matches, current));
}

/** POST /members/self */
export const updateSelf = memberEndpoint({
  tag: 'Members',
  operationId: 'updateMember',
  summary: 'Update your own profile',
  description:
    'Applies all changes or none. On sites that review, `headline`, `about_me`, `city` and `username` wait for review; the record shows them as `…_moderated`. `null` or an empty text clears a trait, a favorite, an answer, or both default ages. The whole own record can be sent back: its read-only parts are ignored, and what it repeats is no change. `deactivated` true takes effect at once: every later call is 403 `Deactivated` until the member signs in again. 10101 and 20502 come only where every other parameter is valid. More than 10 changes of email address or username in an hour are 429.',
  answer: 'The changes are stored.',
  example: { request: { headline: 'Better in person', online: true, world_plus: 'opted-in' } },
  input: z.looseObject({}).meta({ 'x-fields': 'update' }),
  output: z.object({}),
  codes: fieldCodes(
    'update',
    failCodes.usernameTaken,
    failCodes.genderChangesExceeded,
    failCodes.birthDateChangesExceeded,
    failCodes.updatedAgeBelowMinimum,
    failCodes.updatedEmailTaken,
  ),
  handler: async ({ input, caller, member, address }, context: MembersContext) => {
    const site = siteOf(context, member.siteid);
    const now = context.clock();
    const sent = await dropRepeated(context, member, input);
    const checked = checkUpdate(sent, member, site, now);
    if (checked.failed.size) throw invalidArgument(...orderedCodes(checked.failed, 'update'));
    await checkCredentials(context, member, checked, address);
    // Before the claims: billing may be down, and a new email cannot be reverted.
    const renewal = await forwardRenewal(context, member, checked.values);
    await markBanned(context, member, checked.values);
    await claimCredentials(context, member, checked, caller);
    const after = await context.members.store.change(member._id, (current) => {
      const patch = {
        ...updatePatch(current, checked.values, site, now),
        ...renewal(current),
      };
      return Object.keys(patch).length ? patch : undefined;
    });
    if ('username' in checked.values && site.review === 'automatic' && !after?.pending.username) {
      await applyUsername(context, member);
    }
    if (after?.deactivated) await flagAdmission(context, after);
    return {};
  },
});
