import type { Passkey } from '../../accounts/account.ts';
import { dayIn } from '../../localization/dates.ts';
import { markup, type Html } from '../../localization/html.ts';
import type { Presentation } from '../../localization/presentation.ts';
import type { PasskeyData } from '../webauthn/ceremony.ts';
import { hidden, inError, page } from './layout.ts';
import { memberLayout, type MemberPage } from './member-page.ts';

/** Longest name of a passkey. */
export const passkeyNameMaximum = 50;

/** The form of a new passkey; the script of the page shows and fills it where the browser can. */
export const newPasskeyForm = (
  { text }: Presentation,
  { action, fields, added }: { readonly action: string; readonly fields: Html; readonly added: PasskeyData },
): Html =>
  markup`<p class="note" data-without-passkeys>${text('passkeyUnsupported')}</p>
<form method="post" action="${action}" data-passkey="create" data-options="${added.options}" hidden>
${fields}${hidden('challenge', added.challenge)}${hidden('credential', '')}
<p class="problem" role="alert" hidden>${text('passkeyNotAdded')}</p>
<p class="problem" role="alert" data-error="InvalidStateError" hidden>${text('passkeyExists')}</p>
<button type="submit">${text('passkeyAdd')}</button>
</form>`;

/** The offer of a passkey after a sign-in. */
export interface PasskeyOffer {
  readonly action: string;
  readonly csrf: string;
  /** Id of the account that has signed in. */
  readonly account: string;
  readonly added: PasskeyData;
  /** Path that goes on without one. */
  readonly next: string;
}

/** Offers a passkey after a sign-in by password. */
export function passkeyOfferPage(presentation: Presentation, offer: PasskeyOffer): string {
  const { text } = presentation;
  const fields = markup`${hidden('csrf', offer.csrf)}${hidden('account', offer.account)}`;
  const content = markup`<p class="note">${text('passkeysWhy')}</p>
${newPasskeyForm(presentation, { ...offer, fields })}
<p class="aside"><a href="${offer.next}">${text('notNow')}</a></p>`;
  return page(presentation, text('passkeyOffer'), content);
}

/** The page of a member's passkeys. */
export interface PasskeysPage extends MemberPage {
  readonly passkeys: readonly Passkey[];
  /** The passkeys that password managers may keep: JSON for the browser. */
  readonly accepted: string | undefined;
  /** Undefined when there is no room for another one. */
  readonly added: PasskeyData | undefined;
  /** A name in error, and its passkey. */
  readonly wrong?: { readonly id: string; readonly name: string } | undefined;
}

const passkeyItem = (
  presentation: Presentation,
  { action, csrf, wrong }: PasskeysPage,
  { id, name, created_at, last_used_at }: Passkey,
  index: number,
): Html => {
  const { text } = presentation;
  const used = last_used_at
    ? text('passkeyUsed', { date: dayIn(presentation, last_used_at) })
    : text('passkeyUnused');
  const shown = name || text('passkey');
  const isWrong = wrong?.id === id;
  return markup`<section aria-labelledby="passkey-${index}">
<h2 id="passkey-${index}">${shown}</h2>
<p class="note small">${text('passkeyAdded', { date: dayIn(presentation, created_at) })}<br>${used}</p>
<form method="post" action="${action}">
${hidden('csrf', csrf)}${hidden('id', id)}
<label for="name-${index}">${text('passkeyName')}</label>
<input type="text" id="name-${index}" name="name" value="${isWrong ? wrong?.name : shown}" maxlength="${passkeyNameMaximum}" autocomplete="off" required${inError(isWrong)}>
<button class="plain" type="submit" name="action" value="rename" aria-describedby="passkey-${index}">${text('passkeyRename')}</button>
</form>
<details><summary aria-describedby="passkey-${index}">${text('passkeyRemove')}</summary>
<form method="post" action="${action}">
<p class="note">${text('passkeyRemoveWhy')}</p>
${hidden('csrf', csrf)}${hidden('id', id)}
<button class="plain" type="submit" name="action" value="remove" aria-describedby="passkey-${index}">${text('passkeyRemove')}</button>
</form></details>
</section>`;
};

/** Shows the passkeys of a member, and offers another one. */
export function passkeysPage(presentation: Presentation, form: PasskeysPage): string {
  const { text } = presentation;
  const { action, csrf, passkeys, accepted, added } = form;
  const fields = markup`${hidden('csrf', csrf)}${hidden('action', 'add')}`;
  const content = markup`<p class="note"${accepted !== undefined && markup` data-accepted="${accepted}"`}>${text('passkeysWhy')}</p>
${added ? newPasskeyForm(presentation, { action, fields, added }) : markup`<p>${text('passkeysFull')}</p>`}
${passkeys.map((passkey, index) => passkeyItem(presentation, form, passkey, index))}`;
  return memberLayout(presentation, 'passkeys', form, content, form.wrong !== undefined);
}
