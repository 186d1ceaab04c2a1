import { addressKey } from '@covalence/http/address-key';
import type { Request } from 'express';
import { currentLocale } from '../../accounts/current-locale.ts';
import { presentationOf, remember } from '../../localization/presentation.ts';
import { signOutEverywhere } from '../../tokens/sessions/sign-out-everywhere.ts';
import { messagePage } from '../pages/account-pages.ts';
import { undoPasskeyPage } from '../pages/passkey-pages.ts';
import { sendInvalidLink, sendPage } from '../pages/respond.ts';
import type { PageHandler, SignInContext } from '../sign-in-context.ts';
import { hashOf } from '../mailed-token.ts';
import { openUndoLink, undoDays } from '../webauthn/undo-link.ts';

/** The account and passkey of a link; undefined when it is invalid. */
async function targetOf(request: Request, context: SignInContext) {
  const link = openUndoLink(String(request.params['token']), context);
  const account = link && (await context.accounts.find(link.member_id));
  if (!account) return undefined;
  const locale = await currentLocale(account, context.profile);
  const presentation = presentationOf({ siteid: account.siteid, locale }, context.sites);
  return { account, id: link.id, presentation: remember(request, presentation) };
}

/** GET /passkey/:token: asks for confirmation, because mail scanners open links, but press no buttons. */
export const askUndoPasskey: PageHandler = async (request, response, context) => {
  const found = await targetOf(request, context);
  if (!found) return sendInvalidLink(request, response, context);
  sendPage(response, undoPasskeyPage(found.presentation, { action: request.originalUrl }));
};

/**
 * POST /passkey/:token: removes the passkey and signs the member out everywhere, before and after, because the passkey may
 * sign in in between. The first use signs out even if the passkey is gone: who added it may have removed it. Idempotent.
 */
export const undoPasskey: PageHandler = async (request, response, context) => {
  const found = await targetOf(request, context);
  if (!found) return sendInvalidLink(request, response, context);
  const { account, id, presentation } = found;
  const { sessions } = context.tokens;
  const { _id, passkeys = [] } = account;
  const mark = { kind: 'passkey-undone', id: hashOf(String(request.params['token'])), payload: '' };
  const isFirst = (await sessions.find(mark.kind, mark.id)) === undefined;
  if (isFirst || passkeys.some((passkey) => passkey.id === id)) {
    await signOutEverywhere(_id, context);
    await context.accounts.passkeys.remove(_id, id);
    await signOutEverywhere(_id, context);
    await sessions.save([mark], undoDays * 24 * 60 * 60);
    const address = addressKey(request.ip ?? '');
    context.security.record('passkey_removed', { member: _id, address, reason: 'mail' });
  }
  sendPage(response, messagePage(presentation, 'passkeyUndone', 'passkeyUndoneWhy'));
};
