import { notFound } from '@covalence/contract/failure';
import { tellDeletion } from '@covalence/contract/internal/auth-api';
import { endpoint } from '@covalence/http/endpoint';
import type { Context } from '../context.ts';
import { noticeMs, sendLetter, writeLetter } from '../mail/letters.ts';

/**
 * POST /internal/accounts/tell-deletion: an access token is enough to delete a profile (P110), so that its owner hears of
 * it where whoever has the token does not read.
 */
export const tellOfDeletion = endpoint({
  access: 'service',
  summary: 'Write to a member that the profile was deleted',
  ...tellDeletion,
  handler: async ({ input: { member_id, days } }, context: Context) => {
    const { accounts, seal, now, background } = context;
    const account = await accounts.find(member_id);
    if (!account) throw notFound();
    const { email: to, username } = account;
    if (!to) return {};
    const until = new Date(now().getTime() + noticeMs);
    const letter = writeLetter({ topic: 'mailDeletion', to, username, values: { days } }, until, seal);
    await accounts.keepLetter(member_id, letter, now());
    background.run(sendLetter(member_id, letter, context));
    return {};
  },
});
