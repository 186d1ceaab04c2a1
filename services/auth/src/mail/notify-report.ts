import { notifyReport as contract } from '@covalence/contract/internal/decisions-api';
import { serviceEndpoint } from '@covalence/http/endpoint';
import { appealLink } from './member-links.ts';
import { dateOf } from './notify-decision.ts';
import type { MailContext } from './mail-context.ts';
import { notify } from './queued-mail.ts';

/** POST /internal/accounts/notify-report: mails a reporter that the report was closed without measures. */
export const notifyReport = serviceEndpoint(
  contract,
  async ({ member_id, decision_id, locale, filed_at }, context: MailContext) => {
    const account = await context.accounts.find(member_id);
    if (!account) return {};
    const link = context.issuer + appealLink.path({ member_id, decision_id, locale }, context);
    const values = { date: dateOf(filed_at, locale) };
    const lines = [
      { text: 'decisionByPerson' as const },
      { text: 'decisionAppeal' as const },
      { text: 'decisionCourt' as const },
    ];
    const content = { topic: 'mailReport', values, lines, link, locale, isPrivate: true } as const;
    await notify(account, content, context);
    return {};
  },
);
