import { Button, Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { dataOf, useApi } from '../api/api.tsx';
import { Ask } from '../layout/ask.tsx';
import { Dialog } from '../layout/dialog.tsx';
import { useFormats } from '../layout/formats.ts';
import { Rows } from '../layout/rows.tsx';
import { useTexts } from '../texts/texts.ts';
import type { DeadLetter } from './operations-queries.ts';

/** Letters that the API does not delete, because they say what somebody paid for. */
const kept = 'profile.memberships';

/** Everything known of a dead letter, except its content. */
function Facts({ letter }: { readonly letter: DeadLetter }) {
  const { text } = useTexts();
  const { time } = useFormats();
  const at = (moment: string | null) => (moment === null ? '–' : time(moment));
  const rows = [
    ['operations.queue', letter.queue],
    ['operations.letter.id', letter.id],
    ['operations.letter.type', letter.type],
    ['operations.letter.member', letter.member ?? '–'],
    ['operations.letter.sent', at(letter.sent)],
    ['operations.letter.died', at(letter.died)],
    ['operations.letter.error', letter.error ?? letter.reason],
    ['operations.letter.tries', letter.tries ?? '–'],
    ['operations.letter.replays', letter.replays],
    ['operations.letter.request', letter.request_id ?? '–'],
    ['operations.letter.shape', letter.shape],
  ] as const;
  return <Rows rows={rows.map(([label, value]) => [text(label), value])} />;
}

/** A dead letter to read, and to delete. */
export function Letter({
  letter,
  onDeleted,
  close,
}: {
  readonly letter: DeadLetter | undefined;
  readonly onDeleted: () => Promise<unknown>;
  readonly close: () => void;
}) {
  const { text } = useTexts();
  const api = useApi();
  const [isAsking, { open, close: stopAsking }] = useDisclosure(false);
  const remove = async ({ queue, id: letterid }: DeadLetter) => {
    const params = { path: { queue, letterid } };
    await dataOf(api.DELETE('/staff/operations/dead-letters/{queue}/{letterid}', { params }));
    close();
    await onDeleted();
  };
  return (
    <>
      <Dialog
        opened={letter !== undefined && !isAsking}
        onClose={close}
        size="lg"
        title={text('operations.letter')}
      >
        {letter && (
          <Stack>
            <Facts letter={letter} />
            {letter.queue === kept ? (
              <Text>{text('operations.delete.kept')}</Text>
            ) : (
              <Group justify="end">
                <Button variant="default" onClick={open}>
                  {`${text('operations.delete')} …`}
                </Button>
              </Group>
            )}
          </Stack>
        )}
      </Dialog>
      {letter && (
        <Ask
          isOpen={isAsking}
          label={text('operations.delete')}
          consequence={text('operations.delete.consequence')}
          run={() => remove(letter)}
          close={stopAsking}
        />
      )}
    </>
  );
}
