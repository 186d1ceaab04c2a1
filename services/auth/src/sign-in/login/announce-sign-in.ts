import type { Account } from '../../accounts/account.ts';
import { mailKey } from '../../accounts/attempts-store.ts';
import { memberPresentation } from '../../accounts/member-presentation.ts';
import { longTimeIn } from '../../localization/dates.ts';
import { notify } from '../../mail/queued-mail.ts';
import { appDevice } from '../../tokens/families/app-device.ts';
import { accountPaths } from '../../tokens/provider/hosted-pages-client.ts';
import { announceChange } from '../methods/announce-change.ts';
import type { SignInContext } from '../sign-in-context.ts';

/** A sign-in on a device that did not know the account. */
interface NewSignIn {
  /** Name of the client application. */
  readonly client: string;
  /** Parameters of the request, which may name the device. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** Mails the member, unless several such mails went out within the window: a storm of sign-ins does not flood the mailbox. */
async function mailSignIn(
  account: Account,
  { client, parameters }: NewSignIn,
  context: SignInContext,
): Promise<void> {
  const { accounts, issuer, clock } = context;
  if (await accounts.attempts.count('mailAccount', mailKey('sign-in', account._id))) return;
  const presentation = await memberPresentation(account, context);
  const { device_name } = appDevice(parameters);
  const app = device_name === undefined ? client : `${client} (${device_name})`;
  await notify(
    account,
    {
      topic: 'mailNewSignIn',
      values: { app, time: longTimeIn(presentation, clock()) },
      link: issuer + accountPaths.start,
      locale: presentation.locale,
    },
    context,
  );
}

/**
 * Tells a member of a sign-in on a new device, by mail, at open sockets and on devices. Resolves when the mail is stored: the sign-in
 * must not succeed without it.
 */
export async function announceSignIn(
  account: Account,
  signIn: NewSignIn,
  context: SignInContext,
): Promise<void> {
  if (account.staff) return;
  await mailSignIn(account, signIn, context);
  announceChange(account, { alert: { type: 'session', data: { client: signIn.client } } }, context);
}
