import { markup, type Html } from '../../localization/html.ts';
import type { Presentation, TextName } from '../../localization/presentation.ts';
import { page, problemBox, statusBox } from './layout.ts';

/** Texts for the success of a signed-in member's form. */
export const doneTexts = [
  'emailKept',
  'passkeyDone',
  'passkeyRenamed',
  'passkeyUndone',
  'providerRemoved',
  'recoveryCanceled',
  'sessionEnded',
  'twoStepUndone',
] as const satisfies readonly TextName[];

/** The text for the success of a signed-in member's form. */
export type DoneText = (typeof doneTexts)[number];

/** A page of a signed-in member. */
export interface MemberPage {
  readonly action: string;
  readonly csrf: string;
  /** Address of the page of the account. */
  readonly back: string;
  /** The success of the previous form. */
  readonly done?: DoneText | undefined;
  readonly problem?: string | undefined;
}

/** The success or the problem. It has the focus, unless a field in error does. */
export const outcome = ({ text }: Presentation, { done, problem }: MemberPage, isFieldWrong: boolean): Html =>
  markup`${problem === undefined && done && statusBox(text(done))}${problemBox(problem, !isFieldWrong)}`;

const backLink = ({ text }: Presentation, back: string) =>
  markup`<p class="aside"><a href="${back}">${text('backToAccount')}</a></p>`;

/** The frame of a page of a signed-in member: the outcome of the form before, the content, and the way back to the account. */
export function memberLayout(
  presentation: Presentation,
  title: TextName,
  form: MemberPage,
  content: Html,
  isFieldWrong = false,
): string {
  return page(
    presentation,
    presentation.text(title),
    markup`${outcome(presentation, form, isFieldWrong)}${content}${backLink(presentation, form.back)}`,
  );
}

/** Tells staff that their accounts have no page; `other` signs in with another account. */
export const staffPage = (presentation: Presentation, other: string): string =>
  page(
    presentation,
    presentation.text('staffAccount'),
    markup`<p>${presentation.text('staffAccountWhy')}</p>
<p class="aside"><a href="${other}">${presentation.text('useAnother')}</a></p>`,
  );

/** A message to a signed-in member. */
export function memberMessage(
  presentation: Presentation,
  title: TextName,
  paragraphs: readonly string[],
  back: string,
): string {
  const content = markup`${paragraphs.map((one) => markup`<p>${one}</p>`)}${backLink(presentation, back)}`;
  return page(presentation, presentation.text(title), content);
}
