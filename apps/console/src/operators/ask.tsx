import { Button, Group, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Dialog } from '../layout/dialog.tsx';
import { Problem } from '../layout/page.tsx';
import { useTexts } from '../texts/texts.ts';

interface AskProps {
  /** The action, as the button that does it. */
  readonly label: string;
  /** The consequence, in a sentence. */
  readonly consequence: string;
  readonly run: () => Promise<unknown>;
  readonly close: () => void;
}

function Form({ label, consequence, run, close }: AskProps) {
  const { text } = useTexts();
  const { mutate, isPending, error } = useMutation({ mutationFn: run, onSuccess: close });
  return (
    <Stack>
      <Text>{consequence}</Text>
      {error && <Problem error={error} />}
      <Group justify="end">
        <Button variant="default" onClick={close} data-autofocus>
          {text('service.cancel')}
        </Button>
        <Button loading={isPending} onClick={() => mutate()}>
          {label}
        </Button>
      </Group>
    </Stack>
  );
}

/** Asks before an action runs. */
export function Ask({ isOpen, ...props }: AskProps & { readonly isOpen: boolean }) {
  return (
    <Dialog opened={isOpen} onClose={props.close} title={props.label}>
      {isOpen && <Form {...props} />}
    </Dialog>
  );
}
