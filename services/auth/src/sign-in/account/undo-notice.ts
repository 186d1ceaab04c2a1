import { addressKey } from '@covalence/http/address-key';
import type { Request } from 'express';
import type { Account } from '../../accounts/account.ts';
import { currentLocale } from '../../accounts/current-locale.ts';
import { presentationOf, remember, type TextName } from '../../localization/presentation.ts';
import { signOutEverywhere } from '../../tokens/sessions/sign-out-everywhere.ts';
import { messagePage, questionPage, type Question } from '../pages/account-pages.ts';
import { sendInvalidLink, sendPage } from '../pages/respond.ts';
import type { PageHandler, SignInContext } from '../sign-in-context.ts';
import { hashOf } from '../mailed-token.ts';
import { removeApp } from '../change-factors.ts';
import { openUndoLink, undoDays, type Undoable } from '../undo-link.ts';

/** How a link removes what its notice was about, and what its pages say. */
interface Undo {
  readonly question: Question;
  readonly done: { readonly title: TextName; readonly why: TextName };
  readonly event: 'passkey_removed' | 'second_factor_removed';
  isThere(account: Account, id: string): boolean;
  remove(account: Account, id: string, context: SignInContext): Promise<boolean>;
}

const undos: Readonly<Record<Undoable, Undo>> = {
  passkey: {
    question: { title: 'undoPasskey', text: 'undoPasskeyWhy', button: 'passkeyRemove' },
    done: { title: 'passkeyUndone', why: 'passkeyUndoneWhy' },
    event: 'passkey_removed',
    isThere: ({ passkeys = [] }, id) => passkeys.some((passkey) => passkey.id === id),
    remove: ({ _id }, id, { accounts, now }) =>
      accounts.waysIn.remove(_id, { list: 'passkeys', id }, { at: now() }),
  },
  'two-step': {
    question: { title: 'undoTwoStep', text: 'undoTwoStepWhy', button: 'twoStepTurnOff' },
    done: { title: 'twoStepUndone', why: 'passkeyUndoneWhy' },
    event: 'second_factor_removed',
    isThere: ({ totp }, id) => String(totp?.added_at.getTime()) === id,
    remove: (account, _id, context) => removeApp(account, context),
  },
};

/** The account and content of a link; undefined when it is invalid. */
async function targetOf(what: Undoable, request: Request, context: SignInContext) {
  const link = openUndoLink(what, String(request.params['token']), context);
  const account = link && (await context.accounts.find(link.member_id));
  if (!account) return undefined;
  const locale = await currentLocale(account, context.profile);
  const presentation = presentationOf({ siteid: account.siteid, locale }, context.sites);
  return { account, id: link.id, presentation: remember(request, presentation) };
}

/** GET of the link of a notice: asks for confirmation, because mail scanners open links, but press no buttons. */
export const askUndo =
  (what: Undoable): PageHandler =>
  async (request, response, context) => {
    const found = await targetOf(what, request, context);
    if (!found) return sendInvalidLink(request, response, context);
    const page = questionPage(undos[what].question)(found.presentation, { action: request.originalUrl });
    sendPage(response, page);
  };

/**
 * POST of the link of a notice: removes what it was about and signs the member out everywhere, before and after, because a passkey may
 * sign in in between. The first use signs out even if it is gone: who added it may have removed it. Idempotent.
 */
export const undo =
  (what: Undoable): PageHandler =>
  async (request, response, context) => {
    const found = await targetOf(what, request, context);
    if (!found) return sendInvalidLink(request, response, context);
    const { account, id, presentation } = found;
    const { event, done } = undos[what];
    const { sessions } = context.tokens;
    const { _id } = account;
    const mark = { kind: `${what}-undone`, id: hashOf(String(request.params['token'])), payload: '' };
    const isFirst = (await sessions.find(mark.kind, mark.id)) === undefined;
    const isThere = undos[what].isThere(account, id);
    if (isFirst || isThere) {
      await signOutEverywhere(_id, context);
      if (isThere) await undos[what].remove(account, id, context);
      await context.accounts.setRecovered(_id, context.now());
      await signOutEverywhere(_id, context);
      await sessions.save([mark], undoDays * 24 * 60 * 60);
      context.security.record(event, { member: _id, address: addressKey(request.ip ?? ''), reason: 'mail' });
    }
    sendPage(response, messagePage(presentation, done.title, done.why));
  };
