import { Autocomplete, Button, Card, Group, Stack, Table, Text, TextInput } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState, type ChangeEvent } from 'react';
import { useApi } from '../api/api.tsx';
import { Form } from '../layout/form.tsx';
import { useFormats } from '../layout/formats.ts';
import { Listed } from '../layout/listed.tsx';
import { MemberLink } from '../layout/member-link.tsx';
import { Page } from '../layout/page.tsx';
import { WideTable } from '../layout/wide-table.tsx';
import { usePerson } from '../session/person.ts';
import { holds } from '../session/roles.ts';
import { useTexts } from '../texts/texts.ts';
import { auditFilterIn, type AuditFilter } from './audit-filter.ts';
import { auditQuery, type AuditEntry } from './audit-queries.ts';
import { ExportAudit } from './export-audit.tsx';

const longestId = 100;
const longestCall = 200;

/** Chooses which calls are shown. */
function Filters({
  first,
  calls,
  onFilter,
}: {
  readonly first: AuditFilter;
  /** Calls to choose from. */
  readonly calls: readonly string[];
  readonly onFilter: (filter: AuditFilter) => void;
}) {
  const { text } = useTexts();
  const [filter, setFilter] = useState(first);
  const write = (name: keyof AuditFilter) => (value: string) => setFilter({ ...filter, [name]: value });
  const field = (name: keyof AuditFilter) => ({
    label: text(`operators.audit.${name}`),
    value: filter[name] ?? '',
    autoComplete: 'off',
  });
  const input = (name: keyof AuditFilter) => ({
    ...field(name),
    onChange: (event: ChangeEvent<HTMLInputElement>) => write(name)(event.currentTarget.value),
  });
  return (
    <Form onSubmit={() => onFilter(auditFilterIn({ ...filter }))}>
      <Group align="end">
        <TextInput {...input('username')} maxLength={longestId} />
        <TextInput {...input('about')} maxLength={longestId} />
        <Autocomplete
          {...field('call')}
          data={[...calls]}
          onChange={write('call')}
          maxLength={longestCall}
          w={340}
          maw="100%"
        />
        <TextInput {...input('since')} type="datetime-local" />
        <TextInput {...input('until')} type="datetime-local" />
        <Button type="submit">{text('operators.audit.show')}</Button>
      </Group>
    </Form>
  );
}

/** The subject of a call: a member as a link, other ids as text. */
function About({ entry: { call, about } }: { readonly entry: AuditEntry }) {
  const { roles } = usePerson();
  const [first, ...others] = about;
  const mayOpen = holds(roles, ['moderator', 'support']);
  if (first === undefined || !mayOpen || !/ \/staff\/(members\/:id|memberships\/:member)/.test(call))
    return about.join(' ');
  return (
    <>
      <MemberLink id={first}>{first}</MemberLink>
      {others.map((id) => ` ${id}`)}
    </>
  );
}

function Entries({ entries }: { readonly entries: readonly AuditEntry[] }) {
  const { text } = useTexts();
  const { time } = useFormats();
  const outcomeOf = ({ status }: AuditEntry) => {
    if (status === null) return text('operators.audit.allowed');
    return status === 202 ? text('service.approvals') : text('operators.audit.refused', { status });
  };
  return (
    <WideTable
      minWidth={960}
      head={[
        text('operators.audit.at'),
        text('operators.audit.username'),
        text('operators.audit.call'),
        text('operators.audit.about'),
        text('operators.audit.status'),
        text('operators.audit.request'),
      ]}
    >
      {entries.map((entry) => (
        <Table.Tr key={entry.id}>
          <Table.Td style={{ whiteSpace: 'nowrap' }}>{time(entry.at)}</Table.Td>
          <Table.Td>{entry.username ?? entry.staff_id}</Table.Td>
          <Table.Td ff="monospace">{entry.call}</Table.Td>
          <Table.Td>
            <About entry={entry} />
          </Table.Td>
          <Table.Td>{outcomeOf(entry)}</Table.Td>
          <Table.Td ff="monospace" fz="xs">
            {entry.request_id ?? '–'}
          </Table.Td>
        </Table.Tr>
      ))}
    </WideTable>
  );
}

const path = '/operators/audit';

/** The log of staff's calls: account, time, call and subject; never the content. */
export function AuditPage() {
  const { text } = useTexts();
  const filter = useSearch({ from: path });
  const navigate = useNavigate();
  const query = useInfiniteQuery(auditQuery(useApi(), filter));
  const seen = (query.data?.pages ?? []).flatMap(({ entries }) => entries.map(({ call }) => call));
  return (
    <Page title={text('operators.audit')}>
      <Card withBorder>
        <Stack key={JSON.stringify(filter)}>
          <Filters
            first={filter}
            calls={[...new Set(seen)].toSorted()}
            onFilter={(search) => void navigate({ to: path, search })}
          />
          <Text size="sm">{text('operators.audit.what')}</Text>
          <ExportAudit filter={filter} />
        </Stack>
      </Card>
      <Listed query={query}>{(entries) => <Entries entries={entries} />}</Listed>
    </Page>
  );
}
