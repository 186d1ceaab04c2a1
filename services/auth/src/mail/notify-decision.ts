import {
  notifyDecision as contract,
  type RestrictionAction,
} from '@covalence/contract/internal/decisions-api';
import { serviceEndpoint } from '@covalence/http/endpoint';
import { appealLink } from './member-links.ts';
import type { LineText } from './compose.ts';
import type { MailContext } from './mail-context.ts';
import { notify } from './queued-mail.ts';

/** The line that tells what a decision restricts. */
export const restricted = {
  reject: 'decisionReject',
  'reject-text': 'decisionRejectText',
  'reject-photo': 'decisionRejectPhoto',
  suspend: 'decisionSuspend',
  delete: 'decisionDelete',
  ban: 'decisionBan',
} as const satisfies Readonly<Record<RestrictionAction, LineText>>;

/** A day in the language of a mail. */
export const dateOf = (time: string, locale: string): string =>
  new Intl.DateTimeFormat(locale.replace('_', '-'), { dateStyle: 'long', timeZone: 'UTC' }).format(
    new Date(time),
  );

/** POST /internal/accounts/notify-decision: mails a member the statement of reasons of a decision. */
export const notifyDecision = serviceEndpoint(contract, async (input, context: MailContext) => {
  const {
    member_id,
    decision_id,
    action,
    text,
    basis,
    clause = '',
    facts,
    reported,
    detected,
    ban_until,
    warned,
    locale,
  } = input;
  const account = await context.accounts.find(member_id);
  if (!account) return {};
  const lines: { text: LineText; values?: Record<string, string> }[] = [
    ...(action === 'ban' ? [] : [{ text: restricted[action] }]),
    ...(ban_until === undefined
      ? []
      : [{ text: 'decisionBan' as const, values: { date: dateOf(ban_until, locale) } }]),
    { text: 'decisionReason', values: { reason: text } },
    ...(facts === undefined ? [] : [{ text: 'decisionFacts' as const, values: { facts } }]),
    { text: basis === 'law' ? 'decisionLaw' : 'decisionTerms', values: { clause } },
    { text: reported ? 'decisionReported' : 'decisionOwn' },
    { text: detected ? 'decisionDetected' : 'decisionByPerson' },
    { text: 'decisionLasts' },
    ...(warned ? [{ text: 'decisionStrikes' as const }] : []),
    { text: 'decisionAppeal' },
    ...(action === 'delete' ? [{ text: 'decisionErased' as const }] : []),
    { text: 'decisionCourt' },
  ];
  const link = context.issuer + appealLink.path({ member_id, decision_id, locale }, context);
  await notify(account, { topic: 'mailDecision', lines, link, locale }, context);
  return {};
});
