import { Alert, Button, Group, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useApi } from '../api/api.tsx';
import { download } from '../layout/download.ts';
import { useFormats } from '../layout/formats.ts';
import { Problem } from '../layout/page.tsx';
import { useTexts } from '../texts/texts.ts';
import { formats, type AuditFormat } from './audit-file.ts';
import type { AuditFilter } from './audit-filter.ts';
import { readAudit, type AuditEntry } from './audit-queries.ts';

/** Entries of a file; the command line makes longer archives. */
const mostEntries = 10_000;

const pageLength = 100;

/** Saves what the filter selects as a file that the page makes from the pages of the API. */
export function ExportAudit({ filter }: { readonly filter: AuditFilter }) {
  const { text } = useTexts();
  const { number } = useFormats();
  const api = useApi();
  const [count, setCount] = useState(0);
  const stop = useRef<AbortController>(undefined);
  useEffect(() => () => stop.current?.abort(), []);
  const { mutate, isPending, error, data } = useMutation({
    mutationFn: async (format: AuditFormat) => {
      const { signal } = (stop.current = new AbortController());
      const entries: AuditEntry[] = [];
      let cursor: string | undefined;
      do {
        const page = await readAudit(api, filter, { cursor, pagesize: pageLength }, signal);
        entries.push(...page.entries);
        setCount(entries.length);
        cursor = page.next ?? undefined;
      } while (cursor !== undefined && entries.length < mostEntries);
      download(formats[format].of(entries), formats[format].name);
      return { isCut: cursor !== undefined };
    },
    onMutate: () => setCount(0),
  });
  const isStopped = error instanceof DOMException && error.name === 'AbortError';
  return (
    <>
      <Group>
        <Button variant="default" disabled={isPending} onClick={() => mutate('csv')}>
          {text('operators.audit.csv')}
        </Button>
        <Button variant="default" disabled={isPending} onClick={() => mutate('jsonl')}>
          {text('operators.audit.jsonl')}
        </Button>
        {isPending && (
          <Button variant="default" onClick={() => stop.current?.abort()}>
            {text('service.cancel')}
          </Button>
        )}
        <Text role="status">
          {(isPending || data) && text('operators.audit.read', { count: number(count, 0) })}
        </Text>
      </Group>
      {data?.isCut && (
        <Alert color="yellow" role="alert">
          {text('operators.audit.cut', { most: number(mostEntries, 0) })}
        </Alert>
      )}
      {error && !isStopped && <Problem error={error} />}
    </>
  );
}
