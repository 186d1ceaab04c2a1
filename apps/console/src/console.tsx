import type { CovalenceClient } from '@covalence/client/client';
import type { Session } from '@covalence/client/session';
import { useIdle } from '@mantine/hooks';
import { QueryClientProvider, type QueryClient } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { ApiProvider } from './api/api.tsx';
import type { PageRouter } from './routes.tsx';
import { SessionPage, type Phase } from './session/session-pages.tsx';
import type { SignInPages } from './session/sign-in.ts';

/** What the console runs on. */
interface ConsoleProps {
  readonly first: Phase;
  /** The pages, if somebody is signed in. */
  readonly router: PageRouter | undefined;
  readonly session: Session;
  readonly pages: SignInPages;
  readonly queries: QueryClient;
  readonly api: CovalenceClient;
}

/** As long as a sign-in of staff lives without use. */
const idleMs = 30 * 60_000;

/** The pages of the signed-in person; they are gone, with all they have shown, when the sign-in ends. */
export function Console({ first, router, session, pages, queries, api }: ConsoleProps) {
  const [phase, setPhase] = useState(first);
  const isIdle = useIdle(idleMs, { initialState: false });

  useEffect(
    () =>
      session.onChange((tokens) => {
        if (tokens) return;
        queries.clear();
        setPhase('ended');
      }),
    [session, queries],
  );

  useEffect(() => {
    if (isIdle) void session.signOut();
  }, [isIdle, session]);

  if (phase !== 'signed-in' || !router)
    return <SessionPage phase={phase === 'signed-in' ? 'ended' : phase} pages={pages} />;
  return (
    <QueryClientProvider client={queries}>
      <ApiProvider value={api}>
        <RouterProvider router={router} />
      </ApiProvider>
    </QueryClientProvider>
  );
}
