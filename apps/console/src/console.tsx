import type { CovalenceClient } from '@covalence/client/client';
import type { Session } from '@covalence/client/session';
import { Button, Group, Stack, Text } from '@mantine/core';
import { useIdle } from '@mantine/hooks';
import { QueryClientProvider, type QueryClient } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { ApiProvider } from './api/api.tsx';
import { Dialog } from './layout/dialog.tsx';
import type { PageRouter } from './routes.tsx';
import { SessionPage, type Phase } from './session/session-pages.tsx';
import type { SignInPages } from './session/sign-in.ts';
import { useTexts } from './texts/texts.ts';

/** Dependencies of the console. */
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

/** Time without use after which the page warns. */
const warnedMs = idleMs - 2 * 60_000;

/** Well within that time: who types for long without a call stays signed in. */
const refreshMs = 10 * 60_000;

/** Refreshes the tokens, if a person is signed in. After a temporary failure, the next call tries again. */
async function keepAlive(session: Session): Promise<void> {
  const tokens = await session.tokens();
  if (tokens) await session.refresh(tokens.access_token).catch(() => undefined);
}

/** Warns before the page signs out. Any input keeps the person signed in, and hides the warning. */
function IdleWarning({ isShown }: { readonly isShown: boolean }) {
  const { text } = useTexts();
  return (
    <Dialog opened={isShown} onClose={() => undefined} title={text('layout.idle')}>
      <Stack>
        <Text role="alert">{text('layout.idle.why')}</Text>
        <Group justify="end">
          <Button data-autofocus>{text('layout.unsaved.stay')}</Button>
        </Group>
      </Stack>
    </Dialog>
  );
}

/** The pages of the signed-in person; they are gone, with all they have shown, when the sign-in ends. */
export function Console({ first, router, session, pages, queries, api }: ConsoleProps) {
  const [phase, setPhase] = useState(first);
  const isIdle = useIdle(idleMs, { initialState: false });
  const isWarned = useIdle(warnedMs, { initialState: false });

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
    if (isIdle) return void session.signOut();
    const timer = setInterval(() => void keepAlive(session), refreshMs);
    return () => clearInterval(timer);
  }, [isIdle, session]);

  useEffect(() => pages.onSignOutElsewhere(() => void session.signOut()), [pages, session]);

  if (phase !== 'signed-in' || !router)
    return <SessionPage phase={phase === 'signed-in' ? 'ended' : phase} pages={pages} />;
  return (
    <QueryClientProvider client={queries}>
      <ApiProvider value={api}>
        <RouterProvider router={router} />
        <IdleWarning isShown={isWarned} />
      </ApiProvider>
    </QueryClientProvider>
  );
}
