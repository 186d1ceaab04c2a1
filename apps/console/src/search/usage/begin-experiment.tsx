import { Button, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { dataOf, useApi } from '../../api/api.tsx';
import { Dialog } from '../../layout/dialog.tsx';
import { Form } from '../../layout/form.tsx';
import { Problem } from '../../layout/page.tsx';
import { useTexts } from '../../texts/texts.ts';
import { NoteField } from '../note-field.tsx';
import type { Relevance } from '../queries.ts';
import { experimentsQuery } from './experiment-queries.ts';

/** Settings to try in use. */
interface Tried {
  /** The version that they were made from. */
  readonly after: number;
  readonly relevance: Relevance;
  /** The site whose members take part; undefined for all. */
  readonly site: string | undefined;
}

/** Asks for a name, then starts an experiment and shows it. */
function NewExperiment({ after, relevance, site, onBegun }: Tried & { readonly onBegun: () => void }) {
  const { text } = useTexts();
  const api = useApi();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [name, setName] = useState('');
  const [note, setNote] = useState('');
  const sites = site === undefined ? [] : [Number(site)];
  const { mutate, isPending, error } = useMutation({
    mutationFn: () =>
      dataOf(api.POST('/staff/search/experiments', { body: { name, note, after, sites, relevance } })),
    onSuccess: async () => {
      await queries.invalidateQueries(experimentsQuery(api));
      await navigate({ to: '/search/experiments' });
      onBegun();
    },
  });
  return (
    <Form onSubmit={mutate}>
      <Stack>
        <Text size="sm">{text('experiments.beginWhy')}</Text>
        <TextInput
          label={text('experiments.name')}
          description={text('experiments.nameWhy')}
          pattern="[a-z0-9][a-z0-9\-]{0,39}"
          required
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          data-autofocus
        />
        <NoteField note={note} onChange={setNote} />
        {error && <Problem error={error} />}
        <Button type="submit" loading={isPending}>
          {text('experiments.begin')}
        </Button>
      </Stack>
    </Form>
  );
}

/** Begins an experiment with the settings that are compared; undefined while there are none that differ. */
export function BeginExperiment({
  tried,
  onBegun,
}: {
  readonly tried: Tried | undefined;
  /** Called when the experiment has the settings. */
  readonly onBegun: () => void;
}) {
  const { text } = useTexts();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button variant="default" size="compact-sm" disabled={!tried} onClick={() => setOpen(true)}>
        {text('experiments.try')}
      </Button>
      <Dialog opened={isOpen} onClose={() => setOpen(false)} title={text('experiments.try')}>
        {tried && <NewExperiment {...tried} onBegun={onBegun} />}
      </Dialog>
    </>
  );
}
