import { Button, Center, Stack, Text, Title } from '@mantine/core';
import { basePath } from '../settings.ts';
import { paths, type SignInPages } from './sign-in.ts';
import { useTexts } from '../texts/texts.ts';

/** The state of the session: signed in, or the reason why not. */
export type Phase = 'signed-in' | 'signed-out' | 'failed' | 'ended';

/** The pages to come back to; the two of a sign-in are none. */
const returnTo = () => {
  const { pathname, search, hash } = location;
  return Object.values(paths).includes(pathname) ? basePath : pathname + search + hash;
};

/** Says why nobody is signed in, and leads to the sign-in. */
export function SessionPage({
  phase,
  pages,
}: {
  readonly phase: Exclude<Phase, 'signed-in'>;
  readonly pages: SignInPages;
}) {
  const { text } = useTexts();
  return (
    <Center component="main" mih="100dvh" p="md">
      <title>{text('console')}</title>
      <Stack maw={420}>
        <Title order={1}>{text('console')}</Title>
        <Text role="status">{text(`session.${phase}`)}</Text>
        <Button onClick={() => void pages.leave(returnTo())}>{text('session.signIn')}</Button>
      </Stack>
    </Center>
  );
}
