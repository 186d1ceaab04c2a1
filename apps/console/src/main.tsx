import '@mantine/core/styles.css';
import { createClient } from '@covalence/client/client';
import { createDeviceKey } from '@covalence/client/device-key';
import { createSession, type Session } from '@covalence/client/session';
import { memoryStorage } from '@covalence/client/tokens';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { I18nextProvider } from 'react-i18next';
import { createQueries } from './api/api.tsx';
import { Console } from './console.tsx';
import { Theme } from './layout/theme.tsx';
import { createPageRouter } from './routes.tsx';
import { personOf } from './session/person.ts';
import { createSignInPages, paths, type SignInPages } from './session/sign-in.ts';
import type { Phase } from './session/session-pages.tsx';
import { readSettings } from './settings.ts';
import { localeOf, startTexts } from './texts/texts.ts';

const here = () => location.pathname + location.search + location.hash;

/** The first phase of the page; undefined while it leaves for the hosted pages. Only an ordinary address begins a sign-in by itself. */
async function firstPhase(pages: SignInPages): Promise<Phase | undefined> {
  if (location.pathname === paths.signedOut) return 'signed-out';
  if (location.pathname === paths.signedIn)
    return pages.arrive().then(
      () => 'signed-in',
      () => 'failed',
    );
  await pages.leave(here());
  return undefined;
}

async function start(): Promise<void> {
  const settings = await readSettings();
  // The sign-in returns to this origin, where the tab remembers that it was begun.
  if (location.origin !== new URL(settings.base_url).origin) {
    location.replace(new URL(here(), settings.base_url));
    return;
  }
  const texts = await startTexts();
  const { auth_url: authUrl, client_id: clientId, base_url: baseUrl } = settings;
  const storage = memoryStorage();
  const session: Session = createSession({ authUrl, clientId, storage, deviceKey: createDeviceKey() });
  const pages = createSignInPages(settings, session, () => localeOf(texts.language));
  const phase = await firstPhase(pages);
  if (!phase) return;
  const queries = createQueries((maxAge) => void pages.leave(here(), { maxAge }));
  const api = createClient({ baseUrl, session });
  const tokens = await session.tokens();
  const person = tokens && personOf(tokens.access_token, () => pages.signOut());
  const root = document.getElementById('root');
  if (!root) throw new Error('the page has no root');
  createRoot(root).render(
    <StrictMode>
      <I18nextProvider i18n={texts}>
        <Theme>
          <Console
            first={phase}
            router={person && createPageRouter(person)}
            session={session}
            pages={pages}
            queries={queries}
            api={api}
          />
        </Theme>
      </I18nextProvider>
    </StrictMode>,
  );
}

await start();
