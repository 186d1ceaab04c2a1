import { Button, Group, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Dialog } from './dialog.tsx';
import { Problem } from './page.tsx';
import { useTexts } from '../texts/texts.ts';

interface AskProps {
  /** By default the label. */
  readonly title?: string;
  /** The action, as the button that does it. */
  readonly label: string;
  /** The consequence, in a sentence. */
  readonly consequence?: string;
  readonly color?: string;
  readonly run: () => Promise<unknown>;
  readonly close: () => void;
}

function Question({ label, consequence, color, run, close }: AskProps) {
  const { text } = useTexts();
  const { mutate, isPending, error } = useMutation({ mutationFn: run, onSuccess: close });
  return (
    <Stack>
      {consequence !== undefined && <Text>{consequence}</Text>}
      {error && <Problem error={error} />}
      <Group justify="end">
        <Button variant="default" onClick={close} data-autofocus>
          {text('service.cancel')}
        </Button>
        <Button color={color} loading={isPending} onClick={() => mutate()}>
          {label}
        </Button>
      </Group>
    </Stack>
  );
}

/** Asks before an action runs. */
export function Ask({ isOpen, ...props }: AskProps & { readonly isOpen: boolean }) {
  return (
    <Dialog opened={isOpen} onClose={props.close} title={props.title ?? props.label}>
      {isOpen && <Question {...props} />}
    </Dialog>
  );
}
