import { notFound } from '@covalence/contract/failure';
import { tellDeletion } from '@covalence/contract/internal/auth-api';
import { endpoint } from '@covalence/http/endpoint';
import type { Context } from '../context.ts';
import { sendWritten, writeNotices } from '../mail/queued-mail.ts';

/**
 * POST /internal/accounts/tell-deletion: an access token is enough to delete a profile, so that its owner hears of
 * it where whoever has the token does not read.
 */
export const tellOfDeletion = endpoint({
  access: 'service',
  summary: 'Write to a member that the profile was deleted',
  ...tellDeletion,
  handler: async ({ input: { member_id, days } }, context: Context) => {
    const { accounts, now, background } = context;
    const account = await accounts.find(member_id);
    if (!account) throw notFound();
    const letters = writeNotices(account, { topic: 'mailDeletion', values: { days } }, context);
    if (!letters.length) return {};
    await accounts.keepLetters(member_id, letters, now());
    background.run(sendWritten(member_id, letters, context));
    return {};
  },
});
