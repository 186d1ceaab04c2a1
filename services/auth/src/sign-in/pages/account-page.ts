import { dayIn, timeIn } from '../../localization/dates.ts';
import { markup, type Html } from '../../localization/html.ts';
import type { Presentation, TextName } from '../../localization/presentation.ts';
import type { MemberSession } from '../../tokens/sessions/member-sessions.ts';
import { hidden, homeLink, page } from './layout.ts';
import { outcome, type MemberPage } from './member-page.ts';

/** An app that the member is signed in with. */
interface SignIn extends MemberSession {
  /** Whether it came from this browser. */
  readonly isHere: boolean;
}

/** A recovery by mail that waits. */
export interface WaitingRecovery {
  /** From when on it opens the account. */
  readonly time: string;
  readonly isBySupport: boolean;
  /** Whether the visitor may stop it. */
  readonly canStop: boolean;
}

/** Says that a recovery waits, and how to stop it. */
const recoveryWarning = ({ text }: Presentation, { time, isBySupport, canStop }: WaitingRecovery) =>
  markup`<p class="problem">${text(isBySupport ? 'recoveryBySupport' : 'recoveryBegun', { time })}</p>
${!isBySupport && !canStop && markup`<p class="note small">${text('recoveryNeedsPasskey')}</p>`}`;

/** The page after a sign-in that says that a recovery waits. */
interface RecoveryNotice {
  readonly form: Readonly<Record<'action' | 'csrf' | 'proof' | 'recovery', string>>;
  readonly warning: WaitingRecovery;
  /** Path that goes on and leaves it. */
  readonly next: string;
}

/** Says that a recovery waits; a button stops it. */
export function recoveryNoticePage(
  presentation: Presentation,
  { form, warning, next }: RecoveryNotice,
): string {
  const { text } = presentation;
  const content = markup`${recoveryWarning(presentation, warning)}
${
  warning.canStop &&
  markup`<form method="post" action="${form.action}">
${hidden('csrf', form.csrf)}${hidden('proof', form.proof)}${hidden('recovery', form.recovery)}
<button type="submit">${text('cancelRecovery')}</button>
</form>`
}
<a class="button plain" href="${next}">${text(warning.canStop ? 'recoveryMine' : 'proceed')}</a>`;
  return page(presentation, text('mailRecoveryBegun'), content);
}

/** The page of a member's account. */
export interface AccountPage extends MemberPage {
  readonly username: string;
  readonly email: string;
  /** The pages that change one thing each. */
  readonly pages: readonly { readonly path: string; readonly name: TextName }[];
  /** Accounts at providers that sign in here. */
  readonly identities: readonly { readonly provider: string; readonly name: string; readonly since: Date }[];
  readonly signIns: readonly SignIn[];
  readonly recovery: WaitingRecovery | undefined;
  /** Address of the page that signs out in this browser. */
  readonly signOut: string;
}

/** One thing of a list, with a button that ends it. */
function item(
  { action, csrf }: AccountPage,
  {
    id,
    title,
    note,
    field,
    button,
  }: Readonly<Record<'title' | 'note' | 'button' | 'id', string>> & {
    readonly field: { readonly action: string; readonly name: string; readonly value: string };
  },
): Html {
  return markup`<form method="post" action="${action}">
<h3 id="${id}">${title}</h3>
<p class="note small">${note}</p>
${hidden('csrf', csrf)}${hidden(field.name, field.value)}
<button class="plain" type="submit" name="action" value="${field.action}" aria-describedby="${id}">${button}</button>
</form>`;
}

/** Shows how a member signs in, and where. */
export function accountPage(presentation: Presentation, shown: AccountPage): string {
  const { text } = presentation;
  const identities = shown.identities.map(({ provider, name, since }) =>
    item(shown, {
      id: `provider-${provider}`,
      title: name,
      note: text('passkeyAdded', { date: dayIn(presentation, since) }),
      field: { action: 'unlink', name: 'provider', value: provider },
      button: text('providerRemove'),
    }),
  );
  const signIns = shown.signIns.map(
    ({ id, client, platform, device_name, browser, last_used, isHere }, index) =>
      item(shown, {
        id: `sign-in-${index}`,
        title: [isHere && text('thisBrowser'), device_name ?? browser, client ?? platform]
          .filter(Boolean)
          .join(' · '),
        note: text('passkeyUsed', { date: timeIn(presentation, new Date(last_used)) }),
        field: { action: 'end', name: 'id', value: id },
        button: text('sessionEnd'),
      }),
  );
  const content = markup`${outcome(presentation, shown, false)}
<p>${shown.username}<br>${shown.email}</p>
${
  shown.recovery !== undefined &&
  markup`<form method="post" action="${shown.action}">
${recoveryWarning(presentation, shown.recovery)}
${hidden('csrf', shown.csrf)}
${shown.recovery.canStop && markup`<button type="submit" name="action" value="keep">${text('cancelRecovery')}</button>`}
</form>`
}
${shown.pages.map(({ path, name }) => markup`<a class="button plain" href="${path}">${text(name)}</a>`)}
${identities.length > 0 && markup`<section><h2>${text('otherProviders')}</h2>${identities}</section>`}
<section><h2>${text('sessions')}</h2>
${signIns.length ? signIns : markup`<p class="note">${text('sessionsNone')}</p>`}
</section>
<section><a class="button plain" href="${shown.signOut}">${text('signOut')}</a>
<form method="post" action="${shown.action}">
${hidden('csrf', shown.csrf)}
<button class="plain" type="submit" name="action" value="everywhere">${text('signOutEverywhere')}</button>
<p class="note small">${text('signOutEverywhereWhy')}</p>
</form></section>
${homeLink(presentation)}`;
  return page(presentation, text('account'), content);
}
