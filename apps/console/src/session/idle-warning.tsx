import { Button, Group, Stack, Text } from '@mantine/core';
import { Dialog } from '../layout/dialog.tsx';
import { useTexts } from '../texts/texts.ts';

/** Warns before the page signs out. Any input keeps the person signed in, and hides the warning. */
export function IdleWarning({ isShown }: { readonly isShown: boolean }) {
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
