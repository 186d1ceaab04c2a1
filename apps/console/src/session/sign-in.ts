import type { Session } from '@covalence/client/session';
import { beginSignIn, finishSignIn, SignInFailed, signOutUrl, type SignIn } from '@covalence/client/sign-in';
import { basePath, type Settings } from '../settings.ts';

/** A sign-in that has left the page: what its answer must match, and the page to come back to. */
interface Pending {
  readonly begun: SignIn;
  readonly returnTo: string;
}

/** The name in this tab's storage. It holds no token. */
const pendingName = 'covalence-sign-in';

/** Paths that the hosted pages return to. */
export const paths = { signedIn: `${basePath}/signed-in`, signedOut: `${basePath}/signed-out` };

const addressOf = (path: string, { base_url }: Settings) => new URL(path, base_url).href;

/** The pending sign-in; it is taken once. */
function takePending(): Pending {
  const kept = sessionStorage.getItem(pendingName);
  sessionStorage.removeItem(pendingName);
  if (kept === null) throw new SignInFailed('no sign-in was begun in this tab');
  return JSON.parse(kept) as Pending;
}

/** Sign-in and sign-out of the page by the hosted pages. */
export type SignInPages = ReturnType<typeof createSignInPages>;

/** Creates them. `locale` is the language of the pages, language_COUNTRY. */
export function createSignInPages(settings: Settings, session: Session, locale: () => string) {
  const client = { authUrl: settings.auth_url, clientId: settings.client_id };
  const otherTabs = new BroadcastChannel('covalence-sign-out');
  return {
    /**
     * Leaves for the hosted pages, which return at once if this browser is signed in. The page to come back to stays in this tab, so no
     * address can name another.
     */
    async leave(returnTo: string, options: { readonly maxAge?: number } = {}): Promise<void> {
      const redirectUri = addressOf(paths.signedIn, settings);
      const signIn = { ...client, ...options, redirectUri, locale: locale(), platform: 'web' } as const;
      const pending: Pending = { begun: await beginSignIn(signIn), returnTo };
      sessionStorage.setItem(pendingName, JSON.stringify(pending));
      location.assign(pending.begun.url);
    },
    /** Exchanges the code in the address, and shows the address of the page that was left. Throws if the sign-in failed. */
    async arrive(): Promise<void> {
      const cameBackTo = location.href;
      history.replaceState(null, '', basePath);
      const { begun, returnTo } = takePending();
      await finishSignIn(session, begun, cameBackTo);
      history.replaceState(null, '', returnTo);
    },
    /** Ends this sign-in and those of other tabs, then asks on the hosted pages whether to sign the browser out. */
    async signOut(): Promise<void> {
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel is of one origin
      otherTabs.postMessage(undefined);
      await session.signOut();
      location.assign(signOutUrl({ ...client, postLogoutRedirectUri: addressOf(paths.signedOut, settings) }));
    },
    /** Calls the listener when the person signs out in another tab. Returns the function that unsubscribes. */
    onSignOutElsewhere(listener: () => void): () => void {
      otherTabs.addEventListener('message', listener);
      return () => otherTabs.removeEventListener('message', listener);
    },
  };
}
