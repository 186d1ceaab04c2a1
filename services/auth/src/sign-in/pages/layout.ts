import { markup, Html } from '../../localization/html.ts';
import type { Presentation } from '../../localization/presentation.ts';
import { script, style } from './style.ts';

const styleElement = new Html(`<style>${style}</style>`);
/** A module: it runs when the page is parsed, and defines no global names. */
const scriptElement = new Html(`<script type="module">${script}</script>`);

/** Links to the documents of the site; they open beside the form. */
function documentLinks({ documents, text }: Presentation): Html | false {
  const names = (['terms', 'privacy'] as const).filter((name) => documents[name] !== undefined);
  const links = names.map(
    (name) => markup`<a href="${documents[name]}" target="_blank" rel="noopener">${text(name)}</a>`,
  );
  return links.length > 0 && markup`<footer>${links}</footer>`;
}

/** A complete page. */
export function page(presentation: Presentation, heading: string, content: Html): string {
  const { language, title, hue } = presentation;
  return markup`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${heading} · ${title}</title>
${styleElement}
</head>
<body class="hue-${hue}">
<header class="bar">${title}</header>
<main>
<h1>${heading}</h1>
${content}
</main>
${documentLinks(presentation)}
${scriptElement}
</body>
</html>
`.text;
}

/** Id of the error message, for its fields. */
const problemId = 'problem';

/** Error message, announced by screen readers. It has the focus when no field of its own does. */
export const problemBox = (problem: string | undefined, isFocused = false) =>
  problem !== undefined &&
  markup`<p class="problem" id="${problemId}" role="alert"${isFocused && markup` tabindex="-1" autofocus`}>${problem}</p>`;

/** Says what was done, announced by screen readers; it has the focus. */
export const statusBox = (text: string) =>
  markup`<p class="done" role="status" tabindex="-1" autofocus>${text}</p>`;

/** Leads to the site of the member. */
export const homeLink = ({ text, title, home }: Presentation) =>
  home !== undefined && markup`<p class="aside"><a href="${home}">${text('goTo', { site: title })}</a></p>`;

/** A hidden field; none without a value. */
export const hidden = (name: string, value: string | undefined) =>
  value !== undefined && markup`<input type="hidden" name="${name}" value="${value}">`;

/** The control that shows the passwords of its form; the script of the page reveals it. */
export const showPassword = ({ text }: Presentation) =>
  markup`<label class="box" hidden><input type="checkbox" data-show>${text('showPassword')}</label>`;

/** Further attributes of a control with an error. */
interface ErrorDetails {
  /** Whether it has the focus. */
  readonly isFirst?: boolean;
  /** Ids of its hints. */
  readonly notes?: readonly string[];
  /** Id of the message; by default that of the page. */
  readonly problem?: string;
}

/** The attributes of a control that say whether its entry is wrong, and why. */
export const inError = (
  isWrong: boolean,
  { isFirst = true, notes = [], problem = problemId }: ErrorDetails = {},
): Html => {
  const ids = [...(isWrong ? [problem] : []), ...notes].join(' ');
  return markup`${ids !== '' && markup` aria-describedby="${ids}"`}${isWrong && markup` aria-invalid="true"`}${isWrong && isFirst && markup` autofocus`}`;
};
