import type { Account } from '../../accounts/account.ts';
import { sha256 } from '../../keys/algorithms.ts';
import type { TextName } from '../../localization/presentation.ts';
import { signOutEverywhere } from '../../tokens/sessions/sign-out-everywhere.ts';
import {
  announceChange,
  credentialAlert,
  twoStepOff,
  undoDays,
  undoLinks,
  type Change,
} from '../methods/announce-change.ts';
import { removeApp } from '../methods/change-factors.ts';
import { linkPage } from '../link-page.ts';
import type { Question } from '../pages/account-pages.ts';
import { recordEvent } from '../record-event.ts';
import type { HostedPage, SignInContext } from '../sign-in-context.ts';

/** The removal that a notice's link offers, and the texts of its pages. */
interface Undo {
  readonly question: Question;
  readonly done: readonly [title: TextName, why: TextName];
  readonly alert: Pick<Change, 'alert'>;
  readonly event: 'passkey_removed' | 'second_factor_removed';
  readonly isThere: (account: Account, id: string) => boolean;
  readonly remove: (account: Account, id: string, context: SignInContext) => Promise<boolean>;
}

/**
 * Removes what a notice was about and signs the member out everywhere, before and after, because a passkey may sign in in between. The
 * first use signs out even if it is gone: who added it may have removed it. Idempotent.
 */
const undoPage = (
  what: keyof typeof undoLinks,
  { question, done, alert, event, isThere, remove }: Undo,
): HostedPage =>
  linkPage({
    kind: undoLinks[what],
    read: (link) => link,
    question: () => question,
    async confirm({ account, id }, { token, request, context }) {
      const { sessions } = context.tokens;
      const { _id } = account;
      const mark = { kind: `${what}-undone`, id: sha256(token), payload: '' };
      const isFirst = (await sessions.find(mark.kind, mark.id)) === undefined;
      if (isFirst || isThere(account, id)) {
        if (isThere(account, id)) announceChange(account, alert, context);
        await signOutEverywhere(_id, context);
        if (isThere(account, id)) await remove(account, id, context);
        await context.accounts.setRecovered(_id, context.clock());
        await signOutEverywhere(_id, context);
        await sessions.save([mark], undoDays * 24 * 60 * 60);
        recordEvent({ request, context }, event, { account, reason: 'mail' });
      }
      return done;
    },
  });

/** /passkey/:token: removes a new passkey. */
export const undoPasskeyPage = undoPage('passkey', {
  question: { title: 'undoPasskey', text: 'undoPasskeyWhy', button: 'passkeyRemove' },
  done: ['passkeyUndone', 'passkeyUndoneWhy'],
  alert: { alert: credentialAlert('passkey', 'removed') },
  event: 'passkey_removed',
  isThere: ({ passkeys = [] }, id) => passkeys.some((passkey) => passkey.id === id),
  remove: ({ _id }, id, { accounts, clock }) =>
    accounts.signInMethods.remove(_id, { list: 'passkeys', id }, { at: clock() }),
});

/** /two-step/:token: turns two-step sign-in off. */
export const undoTwoStepPage = undoPage('two-step', {
  question: { title: 'undoTwoStep', text: 'undoTwoStepWhy', button: 'twoStepTurnOff' },
  done: ['twoStepUndone', 'passkeyUndoneWhy'],
  alert: twoStepOff,
  event: 'second_factor_removed',
  isThere: ({ totp }, id) => String(totp?.added_at.getTime()) === id,
  remove: (account, _id, context) => removeApp(account, context),
});
