import { notifyAppeal as contract } from '@covalence/contract/internal/decisions-api';
import { serviceEndpoint } from '@covalence/http/endpoint';
import { appealLink } from './member-links.ts';
import type { LineText } from './compose.ts';
import { dateOf, restricted } from './notify-decision.ts';
import type { MailContext } from './mail-context.ts';
import { notify } from './queued-mail.ts';

/** POST /internal/accounts/notify-appeal: mails a member how an appeal was decided. */
export const notifyAppeal = serviceEndpoint(
  contract,
  async (
    { member_id, outcome, answer, of_report = false, restored = true, later, locale },
    context: MailContext,
  ) => {
    const account = await context.accounts.find(member_id);
    if (!account) return {};
    const isGranted = outcome === 'granted';
    const takenBack = of_report ? ('appealReopened' as const) : ('appealRestored' as const);
    const lines: { text: LineText; values?: Record<string, string> }[] = [
      ...(answer === undefined ? [] : [{ text: 'decisionReason' as const, values: { reason: answer } }]),
      ...(isGranted && restored ? [{ text: takenBack }] : []),
      ...(isGranted && !restored && !later && !of_report ? [{ text: 'appealNothing' as const }] : []),
      ...(later
        ? [
            { text: 'appealLater' as const, values: { date: dateOf(later.at, locale) } },
            ...(later.action === 'ban' ? [] : [{ text: restricted[later.action] }]),
          ]
        : []),
      ...(isGranted ? [] : [{ text: 'decisionCourt' as const }]),
    ];
    const link =
      later &&
      context.issuer + appealLink.path({ member_id, decision_id: later.decision_id, locale }, context);
    const topic = isGranted ? 'mailAppealGranted' : 'mailAppealRefused';
    const content = {
      topic,
      lines,
      locale,
      isPrivate: of_report,
      ...(link !== undefined && { link }),
    } as const;
    await notify(account, content, context);
    return {};
  },
);
