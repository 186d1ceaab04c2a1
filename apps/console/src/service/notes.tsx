import { Button, Checkbox, Group, Stack, Text, Textarea } from '@mantine/core';
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { dataOf, useApi } from '../api/api.tsx';
import { Form } from '../layout/form.tsx';
import { Problem } from '../layout/page.tsx';
import { Unsaved } from '../layout/unsaved.tsx';
import { StaffName } from '../layout/staff-name.tsx';
import { useTexts } from '../texts/texts.ts';
import { useFormats } from '../layout/formats.ts';
import { Listed } from '../layout/listed.tsx';
import { notesQuery } from './queries.ts';

const longestNote = 2_000;

function AddNote({ member }: { readonly member: number }) {
  const { text } = useTexts();
  const api = useApi();
  const queries = useQueryClient();
  const [note, setNote] = useState('');
  const [isAboutOthers, setIsAboutOthers] = useState(false);
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => {
      const params = { path: { id: String(member) } };
      const body = { text: note, about_others: isAboutOthers };
      return dataOf(api.POST('/staff/members/{id}/notes', { params, body }));
    },
    onSuccess: async () => {
      setNote('');
      setIsAboutOthers(false);
      await queries.invalidateQueries({ queryKey: notesQuery(api, member).queryKey });
    },
  });
  return (
    <Form onSubmit={mutate}>
      <Unsaved isUnsaved={note !== ''} />
      <Stack gap="xs">
        <Textarea
          label={text('service.notes.new')}
          description={text('service.notes.why')}
          value={note}
          onChange={(event) => setNote(event.currentTarget.value)}
          maxLength={longestNote}
          required
          autosize
          minRows={2}
        />
        <Group justify="space-between">
          <Checkbox
            label={text('service.notes.aboutOthers')}
            checked={isAboutOthers}
            onChange={(event) => setIsAboutOthers(event.currentTarget.checked)}
          />
          <Button type="submit" variant="default" loading={isPending}>
            {text('service.notes.add')}
          </Button>
        </Group>
        {error && <Problem error={error} />}
      </Stack>
    </Form>
  );
}

/** The notes on a member, and a form for another one. */
export function Notes({ member }: { readonly member: number }) {
  const { text } = useTexts();
  const { time } = useFormats();
  return (
    <Stack>
      <AddNote member={member} />
      <Listed query={useInfiniteQuery(notesQuery(useApi(), member))}>
        {(notes) =>
          notes.map((note) => (
            <div key={note.id}>
              <Text size="sm" c="dimmed">
                {time(note.at)} · <StaffName id={note.staff_id} />
                {note.about_others && ` · ${text('service.notes.others')}`}
              </Text>
              <Text style={{ whiteSpace: 'pre-wrap' }}>{note.text}</Text>
            </div>
          ))
        }
      </Listed>
    </Stack>
  );
}
