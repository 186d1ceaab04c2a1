import { digestKinds, type DigestKind } from '@covalence/contract/notification-kinds';
import { markup } from '../localization/html.ts';
import type { Presentation, TextName } from '../localization/presentation.ts';
import type { Mail } from './mail-adapter.ts';
import type { MailContent, Topic } from './mail-content.ts';

/** Notices that advise a new password, or a look at the account: they lead to its page, or the sign-in before it. */
export const signInTopics: readonly Topic[] = [
  'mailPasswordChanged',
  'mailTwoStepOff',
  'mailRecoveryCodes',
  'mailWrongCodes',
  'mailIdentityLinked',
  'mailDeletion',
];

/** Mails that are removed before they are sent, so that none comes twice. */
export const onceTopics: readonly Topic[] = ['mailDigest'];

/** The line of each number in a digest. */
const countTexts = {
  messages: 'mailDigestMessages',
  likes: 'mailDigestLikes',
  connections: 'mailDigestConnections',
  matches: 'mailDigestMatches',
} as const satisfies Readonly<Record<DigestKind, TextName>>;

/** Button texts of notices, which the reader must not ignore. */
const actions: Partial<Record<Topic, TextName>> = {
  mailRecoveryBegun: 'revertEmailAction',
  mailSupportRecovery: 'revertEmailAction',
  mailPasskeyAdded: 'revertEmailAction',
  mailTwoStepOn: 'revertEmailAction',
  mailEmailChange: 'revertEmailAction',
  mailEmailChanged: 'revertEmailAction',
  mailNewSignIn: 'mailNewSignInAction',
  mailDigest: 'mailDigestAction',
  mailDecision: 'appealAction',
  mailReport: 'appealAction',
  mailAppealGranted: 'appealAction',
  mailFraud: 'mailFraudAction',
  ...Object.fromEntries(signInTopics.map((topic) => [topic, 'mailSignInAction'])),
};

/** Composes a mail, as text and as HTML. */
export function compose(presentation: Presentation, content: Omit<MailContent, 'locale'>): Mail {
  const { topic, to, username, values, also, link, counts = {}, lines = [], stop } = content;
  const { text, title, language } = presentation;
  const subject = text(topic);
  const hello = text('mailHello', { username });
  const why = text(`${topic}Why`, { site: title, ...values });
  const action = actions[topic];
  const ignore = link === undefined || action ? undefined : text('mailIgnore');
  const addition = also && text(also);
  const counted = digestKinds.flatMap((kind) => {
    const number = counts[kind];
    return number === undefined ? [] : [text(countTexts[kind], { number })];
  });
  // A ground without a clause ends in a space.
  const stated = lines.map(({ text: name, values: inLine }) => text(name, inLine).trim());
  const news = [...counted, ...stated];
  const stopWhy = stop && text('mailDigestStop');
  const parts = [hello, why, addition, news.join('\n'), link, ignore, stop && `${stopWhy} ${stop}`, title];
  const paragraphs = parts.filter((part) => part !== undefined && part !== '');
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
${addition && markup`<p>${addition}</p>`}
${news.length > 0 && markup`<ul>${news.map((line) => markup`<li>${line}</li>`)}</ul>`}
${button}
${stop && markup`<p><a href="${stop}">${stopWhy}</a></p>`}
<p>${title}</p>
</body>
</html>
`.text;
  return { from: title, to, subject, text: `${paragraphs.join('\n\n')}\n`, html, stop };
}
