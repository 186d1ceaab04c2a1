import { notFound } from '@covalence/contract/failure';
import * as authApi from '@covalence/contract/peers/auth-api';
import * as decisionsApi from '@covalence/contract/peers/decisions-api';
import { serviceEndpoint } from '@covalence/http/endpoint';
import type { z } from 'zod';
import { longDayIn } from '../localization/dates.ts';
import type { TextName } from '../localization/presentation.ts';
import type { MailContext } from './mail-context.ts';
import { appealLink } from './member-links.ts';
import { notify, type NoticeContent } from './queued-mail.ts';

type Line = NonNullable<NoticeContent['lines']>[number];

const line = (text: TextName, values?: Line['values']): Line => ({ text, values });

/** The lines that apply. */
const linesOf = (...lines: readonly (Line | false | undefined)[]): Line[] => lines.filter((one) => !!one);

/** An endpoint that mails a member a notice in the locale of the call. Unknown members are ignored. */
const notice = <Input extends { readonly member_id: string; readonly locale: string }>(
  contract: { readonly input: z.ZodType<Input>; readonly output: z.ZodType<object> },
  contentOf: (input: Input, context: MailContext) => Omit<NoticeContent, 'locale'>,
) =>
  serviceEndpoint(contract, async (input, context: MailContext) => {
    const account = await context.accounts.find(input.member_id);
    const { locale } = input;
    if (account) await notify(account, { ...contentOf(input, context), locale }, context);
    return {};
  });

/** The address of the page that appeals a decision. */
const appealAddress = (decision: Parameters<typeof appealLink.path>[0], context: MailContext): string =>
  context.issuer + appealLink.path(decision, context);

/** The line that tells what a decision restricts. */
const restricted = {
  reject: 'decisionReject',
  'reject-text': 'decisionRejectText',
  'reject-photo': 'decisionRejectPhoto',
  suspend: 'decisionSuspend',
  delete: 'decisionDelete',
  ban: 'decisionBan',
} as const satisfies Readonly<Record<decisionsApi.RestrictionAction, TextName>>;

/** POST /internal/accounts/notify-decision: mails a member the statement of reasons of a decision. */
export const notifyDecision = notice(decisionsApi.notifyDecision, (input, context) => {
  const { member_id, decision_id, action, clause = '', facts, ban_until, locale } = input;
  const lines = linesOf(
    action !== 'ban' && line(restricted[action]),
    ban_until !== undefined && line('decisionBan', { date: longDayIn(locale, ban_until) }),
    line('decisionReason', { reason: input.text }),
    facts !== undefined && line('decisionFacts', { facts }),
    line(input.basis === 'law' ? 'decisionLaw' : 'decisionTerms', { clause }),
    line(input.reported ? 'decisionReported' : 'decisionOwn'),
    line(input.detected ? 'decisionDetected' : 'decisionByPerson'),
    line('decisionLasts'),
    input.warned && line('decisionStrikes'),
    line('decisionAppeal'),
    action === 'delete' && line('decisionErased'),
    line('decisionCourt'),
  );
  const link = appealAddress({ member_id, decision_id, locale }, context);
  return { topic: 'mailDecision', lines, link };
});

/** POST /internal/accounts/notify-appeal: mails a member how an appeal was decided. */
export const notifyAppeal = notice(decisionsApi.notifyAppeal, (input, context) => {
  const { member_id, outcome, answer, of_report = false, restored = true, later, locale } = input;
  const isGranted = outcome === 'granted';
  const lines = linesOf(
    answer !== undefined && line('decisionReason', { reason: answer }),
    isGranted && restored && line(of_report ? 'appealReopened' : 'appealRestored'),
    isGranted && !restored && !later && !of_report && line('appealNothing'),
    later && line('appealLater', { date: longDayIn(locale, later.at) }),
    later && later.action !== 'ban' && line(restricted[later.action]),
    !isGranted && line('decisionCourt'),
  );
  const link = later && appealAddress({ member_id, decision_id: later.decision_id, locale }, context);
  return {
    topic: isGranted ? 'mailAppealGranted' : 'mailAppealRefused',
    lines,
    isPrivate: of_report,
    ...(link !== undefined && { link }),
  };
});

/** POST /internal/accounts/notify-report: mails a reporter that the report was closed without measures. */
export const notifyReport = notice(
  decisionsApi.notifyReport,
  ({ member_id, decision_id, locale, filed_at }, context) => ({
    topic: 'mailReport',
    values: { date: longDayIn(locale, filed_at) },
    lines: [line('decisionByPerson'), line('decisionAppeal'), line('decisionCourt')],
    link: appealAddress({ member_id, decision_id, locale }, context),
    isPrivate: true,
  }),
);

/** POST /internal/accounts/notify-restored: mails a member that a deletion by staff was taken back. */
export const notifyRestored = notice(decisionsApi.notifyRestored, () => ({ topic: 'mailRestored' }));

/** POST /internal/accounts/notify-fraud: warns a member of somebody banned for fraud. No link leads to a sign-in: scammers imitate this mail. */
export const notifyFraud = notice(
  decisionsApi.notifyFraud,
  ({ locale, username, banned_at, help_url, contact }) => ({
    topic: 'mailFraud',
    values: { banned: username, date: longDayIn(locale, banned_at) },
    lines: [line('fraudMoney'), line('fraudContact', { contact })],
    link: help_url,
    isPrivate: true,
  }),
);

/** POST /internal/accounts/notify-fraud-over: tells a member who was warned that the ban was a mistake. */
export const notifyFraudOver = notice(decisionsApi.notifyFraudOver, ({ locale, username, warned_at }) => ({
  topic: 'mailFraudOver',
  values: { banned: username, date: longDayIn(locale, warned_at) },
  isPrivate: true,
}));

/** POST /internal/accounts/notify-deletion: mails the member, as an access token is enough to delete a profile. */
export const notifyDeletion = serviceEndpoint(
  authApi.notifyDeletion,
  async ({ member_id, days }, context: MailContext) => {
    const account = await context.accounts.find(member_id);
    if (!account) throw notFound();
    await notify(account, { topic: 'mailDeletion', values: { days } }, context);
    return {};
  },
);
