import { Button, Checkbox, Group, Stack, Text, Textarea } from '@mantine/core';
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { dataOf, useApi } from '../api/api.tsx';
import { Form } from '../layout/form.tsx';
import { Problem } from '../layout/page.tsx';
import { useDraft, useDrafts } from '../layout/drafts.tsx';
import { StaffName } from '../layout/staff-name.tsx';
import { memberName } from '../layout/member-link.tsx';
import { useTexts } from '../texts/texts.ts';
import { useFormats } from '../layout/formats.ts';
import { Listed } from '../layout/listed.tsx';
import { Part } from '../layout/part.tsx';
import { notesQuery, type Member } from './queries.ts';

const longestNote = 2_000;

/** The member whom a note is about. */
type About = Pick<Member, 'id' | 'username'>;

const noteKey = 'note ';

/** A note as typed, with its member: the name may change meanwhile. */
interface NoteDraft extends Readonly<Record<string, unknown>> {
  readonly text: string;
  readonly isAboutOthers: boolean;
  readonly member: About;
}

function AddNote({ member, label }: { readonly member: About; readonly label: string }) {
  const { text } = useTexts();
  const api = useApi();
  const queries = useQueryClient();
  const [note, change] = useDraft<NoteDraft>(noteKey + member.id, { text: '', isAboutOthers: false, member });
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => {
      const params = { path: { id: String(member.id) } };
      const body = { text: note.text, about_others: note.isAboutOthers };
      return dataOf(api.POST('/staff/members/{id}/notes', { params, body }));
    },
    onSuccess: async () => {
      change(undefined);
      await queries.invalidateQueries({ queryKey: notesQuery(api, member.id).queryKey });
    },
  });
  return (
    <Form onSubmit={mutate}>
      <Stack gap="xs">
        <Textarea
          label={label}
          description={text('service.notes.why')}
          value={note.text}
          onChange={(event) => change({ text: event.currentTarget.value })}
          maxLength={longestNote}
          readOnly={isPending}
          required
          autosize
          minRows={2}
        />
        <Group justify="space-between">
          <Checkbox
            label={text('service.notes.aboutOthers')}
            checked={note.isAboutOthers}
            onChange={(event) => change({ isAboutOthers: event.currentTarget.checked })}
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

/** The notes of the page that are not saved yet, without that on the member shown. */
export function UnsavedNotes({ shown }: { readonly shown?: number | undefined }) {
  const { text } = useTexts();
  const members = useDrafts()
    .typed.flatMap(([key, draft]) => (key.startsWith(noteKey) ? [(draft as NoteDraft).member] : []))
    .filter(({ id }) => id !== shown);
  if (!members.length) return null;
  return (
    <Part title={text('service.notes.unsaved')}>
      <Stack>
        {members.map((member) => (
          <AddNote
            key={member.id}
            member={member}
            label={text('service.notes.about', { who: memberName(member) })}
          />
        ))}
      </Stack>
    </Part>
  );
}

/** The notes on a member, and a form for another one. */
export function Notes({ member }: { readonly member: About }) {
  const { text } = useTexts();
  const { time } = useFormats();
  return (
    <Stack>
      <AddNote key={member.id} member={member} label={text('service.notes.new')} />
      <Listed query={useInfiniteQuery(notesQuery(useApi(), member.id))}>
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
