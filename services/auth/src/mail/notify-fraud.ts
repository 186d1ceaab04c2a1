import {
  notifyFraud as contract,
  notifyFraudOver as overContract,
} from '@covalence/contract/internal/decisions-api';
import { serviceEndpoint } from '@covalence/http/endpoint';
import { dateOf } from './notify-decision.ts';
import type { MailContext } from './mail-context.ts';
import { notify } from './queued-mail.ts';

/** POST /internal/accounts/notify-fraud: warns a member of somebody banned for fraud. No link leads to a sign-in: scammers imitate this mail. */
export const notifyFraud = serviceEndpoint(contract, async (input, context: MailContext) => {
  const { member_id, locale, username, banned_at, help_url: link, contact } = input;
  const account = await context.accounts.find(member_id);
  if (!account) return {};
  const values = { banned: username, date: dateOf(banned_at, locale) };
  const lines = [{ text: 'fraudMoney' as const }, { text: 'fraudContact' as const, values: { contact } }];
  const content = { topic: 'mailFraud', values, lines, link, locale, isPrivate: true } as const;
  await notify(account, content, context);
  return {};
});

/** POST /internal/accounts/notify-fraud-over: tells a member who was warned that the ban was a mistake. */
export const notifyFraudOver = serviceEndpoint(
  overContract,
  async ({ member_id, locale, username, warned_at }, context: MailContext) => {
    const account = await context.accounts.find(member_id);
    const values = { banned: username, date: dateOf(warned_at, locale) };
    const content = { topic: 'mailFraudOver', values, locale, isPrivate: true } as const;
    if (account) await notify(account, content, context);
    return {};
  },
);
