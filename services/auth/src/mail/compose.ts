import { markup } from '../localization/html.ts';
import type { PageSetting } from '../localization/presentation.ts';
import type { Texts } from '../localization/en-us.ts';
import type { Mail } from './mail-adapter.ts';

/** What a message may be about; each topic has a subject and a text in every language. */
export const topics = [
  'mailReset',
  'mailDevice',
  'mailConfirm',
  'mailPasswordChanged',
  'mailEmailChange',
  'mailEmailChanged',
  'mailDeletion',
] as const;

type Topic = (typeof topics)[number];

/** What the button of a message says that is no request to its reader; nobody is told to ignore such a message. */
const actions: Partial<Record<Topic, keyof Texts>> = {
  mailEmailChange: 'revertEmailAction',
  mailEmailChanged: 'revertEmailAction',
};

/** What a message says. */
export interface Content {
  readonly topic: Topic;
  readonly to: string;
  readonly username: string;
  /** Values of the text. */
  readonly values?: Readonly<Record<string, string | number>> | undefined;
  /** Address of the page that the message leads to. */
  readonly link?: string | undefined;
}

/** Writes a message in the language and under the name of a setting; as text, and the same as HTML. */
export function compose(setting: PageSetting, { topic, to, username, values, link }: Content): Mail {
  const { text, title, language } = setting;
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
