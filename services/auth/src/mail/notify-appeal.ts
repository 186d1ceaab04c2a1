import { notifyAppeal as contract } from '@covalence/contract/internal/decisions-api';
import { endpoint } from '@covalence/http/endpoint';
import type { LineText } from './compose.ts';
import { notify, type NoticeContext } from './queued-mail.ts';

/** POST /internal/accounts/notify-appeal: mails a member how an appeal was decided. */
export const notifyAppeal = endpoint({
  access: 'service',
  summary: 'Mail the outcome of an appeal',
  ...contract,
  handler: async ({ input: { member_id, outcome, answer, locale } }, context: NoticeContext) => {
    const account = await context.accounts.find(member_id);
    if (!account) return {};
    const lines: { text: LineText; values?: Record<string, string> }[] = [
      ...(answer === undefined ? [] : [{ text: 'decisionReason' as const, values: { reason: answer } }]),
      ...(outcome === 'refused' ? [{ text: 'decisionCourt' as const }] : []),
    ];
    const topic = outcome === 'granted' ? 'mailAppealGranted' : 'mailAppealRefused';
    await notify(account, { topic, lines, locale }, context);
    return {};
  },
});
