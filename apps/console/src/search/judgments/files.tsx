import { Alert, Button, FileButton, Group, Select } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { dataOf, useApi } from '../../api/api.tsx';
import { download } from '../../layout/download.ts';
import { Problem } from '../../layout/page.tsx';
import { Part } from '../../layout/part.tsx';
import { useTexts } from '../../texts/texts.ts';
import { setQuery, type JudgmentSet } from './judgment-queries.ts';

/** Formats of other tools, and the names of their files. */
const formats = {
  quepid: { label: 'Quepid (CSV)', file: 'judgments.csv' },
  trec: { label: 'TREC (qrels)', file: 'judgments.qrels' },
} as const;

type Format = keyof typeof formats;

/** Grades as files of other tools. */
export function Files({ set: { id } }: { readonly set: JudgmentSet }) {
  const { text } = useTexts();
  const api = useApi();
  const queries = useQueryClient();
  const [format, setFormat] = useState<Format>('quepid');
  const path = { path: { id } };
  const exported = useMutation({
    mutationFn: () =>
      dataOf(api.GET('/staff/search/judgment-sets/{id}/export', { params: { ...path, query: { format } } })),
    onSuccess: ({ content }) => download(content, formats[format].file),
  });
  const imported = useMutation({
    mutationFn: async (file: File) =>
      dataOf(
        api.POST('/staff/search/judgment-sets/{id}/import', {
          params: path,
          body: { format, content: await file.text() },
        }),
      ),
    onSuccess: () => queries.invalidateQueries(setQuery(api, id)),
  });
  return (
    <Part title={text('judgments.files')}>
      <Group align="end">
        <Select
          label={text('judgments.format')}
          data={Object.entries(formats).map(([value, { label }]) => ({ value, label }))}
          value={format}
          onChange={(value) => setFormat(value === 'trec' ? 'trec' : 'quepid')}
          allowDeselect={false}
        />
        <Button variant="default" loading={exported.isPending} onClick={() => exported.mutate()}>
          {text('judgments.export')}
        </Button>
        <FileButton onChange={(file) => file && imported.mutate(file)}>
          {(props) => (
            <Button variant="default" loading={imported.isPending} {...props}>
              {text('judgments.import')}
            </Button>
          )}
        </FileButton>
      </Group>
      {imported.error && <Problem error={imported.error} />}
      {exported.error && <Problem error={exported.error} />}
      {imported.data && (
        <Alert mt="sm" color="green" role="status">
          {text('judgments.imported', { stored: imported.data.stored, left: imported.data.left_out })}
        </Alert>
      )}
    </Part>
  );
}
