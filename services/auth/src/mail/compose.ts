import { markup } from '../localization/html.ts';
import type { Presentation, TextName } from '../localization/presentation.ts';
import type { Mail } from './mail-adapter.ts';

/** Topics of mails; each has a subject and a text in every language. */
export const topics = [
  'mailReset',
  'mailRecovery',
  'mailRecoveryBegun',
  'mailDevice',
  'mailConfirm',
  'mailPasswordChanged',
  'mailPasskeyAdded',
  'mailTwoStepOn',
  'mailTwoStepOff',
  'mailRecoveryCodes',
  'mailWrongCodes',
  'mailEmailChange',
  'mailEmailChanged',
  'mailDeletion',
  'mailLinkIdentity',
  'mailIdentityLinked',
  'mailNewSignIn',
] as const;

type Topic = (typeof topics)[number];

/** Button texts of notices, which the reader must not ignore. */
const actions: Partial<Record<Topic, TextName>> = {
  mailRecoveryBegun: 'revertEmailAction',
  mailPasskeyAdded: 'revertEmailAction',
  mailTwoStepOn: 'revertEmailAction',
  mailEmailChange: 'revertEmailAction',
  mailEmailChanged: 'revertEmailAction',
  mailNewSignIn: 'mailNewSignInAction',
};

/** Content of a mail. */
export interface Content {
  readonly topic: Topic;
  readonly to: string;
  readonly username: string;
  /** Values in the text. */
  readonly values?: Readonly<Record<string, string | number>> | undefined;
  /** URL of the button. */
  readonly link?: string | undefined;
}

/** Composes a mail, as text and as HTML. */
export function compose(presentation: Presentation, { topic, to, username, values, link }: Content): Mail {
  const { text, title, language } = presentation;
  const subject = text(topic);
  const hello = text('mailHello', { username });
  const why = text(`${topic}Why`, { site: title, ...values });
  const action = actions[topic];
  const ignore = link === undefined || action ? undefined : text('mailIgnore');
  const lines = [hello, why, link, ignore, title].filter((line) => line !== undefined);
  const button =
    link !== undefined &&
    markup`<p><a href="${link}" style="display:inline-block;padding:12px 20px;border-radius:8px;background:#1f5f8b;color:#ffffff;text-decoration:none;font-weight:bold">${text(action ?? topic)}</a></p>
<p style="word-break:break-all">${link}</p>
${ignore !== undefined && markup`<p>${ignore}</p>`}`;
  const html = markup`<!doctype html>
<html lang="${language}">
<head><meta charset="utf-8"><title>${subject}</title></head>
<body style="font-family:sans-serif;line-height:1.5;max-width:36em">
<p>${hello}</p>
<p>${why}</p>
${button}
<p>${title}</p>
</body>
</html>
`.text;
  return { from: title, to, subject, text: `${lines.join('\n\n')}\n`, html };
}
