import { sendDigest } from '@covalence/contract/peers/auth-api';
import { hourMs } from '@covalence/contract/time';
import { serviceEndpoint } from '@covalence/http/endpoint';
import { z } from 'zod';
import type { Account } from '../accounts/account.ts';
import { sealedLink } from './links.ts';
import type { MailContext } from './mail-context.ts';
import { queuedMail, sendNow } from './queued-mail.ts';

/** Counts of yesterday are not worth a mail. */
const digestMs = 12 * hourMs;

/** Links that turn the digest of a member off. They work for ever, and do nothing else. */
export const stopDigestLink = sealedLink({
  purpose: 'digest-stop',
  route: '/digest/:token',
  schema: z.object({ member_id: z.string() }),
  format: { stringify: ({ member_id }) => member_id, parse: (member_id) => ({ member_id }) },
});

/** Whether an address belongs to its member for certain, who can sign in. */
const isReachable = ({ status, staff, email_confirmed_at, disabled }: Account): boolean =>
  status === 'active' && !staff && !disabled && email_confirmed_at !== undefined;

/** POST /internal/accounts/send-digest: queues the digest that was due at a time, unless it was queued before. */
export const sendDigestOf = serviceEndpoint(
  sendDigest,
  async ({ member_id, due, locale, counts }, context: MailContext) => {
    const { accounts, afterResponse, issuer, keys, mail, clock, sites } = context;
    const account = await accounts.find(member_id);
    if (!account || !isReachable(account)) return {};
    const { email: to, username, siteid } = account;
    const link = sites.get(siteid)?.url;
    const stop = issuer + stopDigestLink.path({ member_id }, context);
    const content = { topic: 'mailDigest' as const, to, username, counts, locale, link, stop };
    const digest = queuedMail(content, new Date(clock().getTime() + digestMs), keys.seal);
    if (await mail.queue.addDigest(member_id, digest, new Date(due), clock()))
      afterResponse.run(sendNow(member_id, [digest], context));
    return {};
  },
);
