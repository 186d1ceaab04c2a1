import { Button, Group, Stack, Text } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import { Dialog } from './dialog.tsx';
import { useTexts } from '../texts/texts.ts';

/** Asks before another page, or a reload, loses what was typed. */
export function Unsaved({ isUnsaved }: { readonly isUnsaved: boolean }) {
  const { text } = useTexts();
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => isUnsaved && current.pathname !== next.pathname,
    enableBeforeUnload: isUnsaved,
    disabled: !isUnsaved,
    withResolver: true,
  });
  return (
    <Dialog opened={status === 'blocked'} onClose={() => reset?.()} title={text('layout.unsaved')}>
      <Stack>
        <Text>{text('layout.unsaved.why')}</Text>
        <Group justify="end">
          <Button variant="default" onClick={() => proceed?.()}>
            {text('layout.unsaved.leave')}
          </Button>
          <Button onClick={() => reset?.()} data-autofocus>
            {text('layout.unsaved.stay')}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
