import { Button, Group, NumberInput, Stack, Table, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { dataOf, useApi } from '../../api/api.tsx';
import { Form } from '../../layout/form.tsx';
import { Problem } from '../../layout/page.tsx';
import { WideTable } from '../../layout/wide-table.tsx';
import { useTexts } from '../../texts/texts.ts';
import { CriteriaInput } from '../criteria-input.tsx';
import { exampleCriteria, readJson, type Criteria } from '../criteria-text.ts';
import { judgmentsKey, setQuery, type JudgmentSet } from './judgment-queries.ts';

/** Adds a search to the set. */
function NewSearch({ set }: { readonly set: JudgmentSet }) {
  const { text } = useTexts();
  const api = useApi();
  const queries = useQueryClient();
  const [name, setName] = useState('');
  const [member, setMember] = useState<number | string>('');
  const [json, setJson] = useState(exampleCriteria);
  const { mutate, isPending, error } = useMutation({
    mutationFn: (criteria: Criteria) =>
      dataOf(
        api.POST('/staff/search/judgment-sets/{id}/searches', {
          params: { path: { id: set.id } },
          body: { name, member: Number(member), criteria },
        }),
      ),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: judgmentsKey });
      setName('');
    },
  });
  return (
    <Form
      onSubmit={() => {
        const criteria = readJson(json);
        if (criteria) mutate(criteria);
      }}
    >
      <Stack gap="xs">
        <Group grow align="start">
          <TextInput
            label={text('judgments.search')}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            maxLength={100}
            required
          />
          <NumberInput
            label={text('search.member')}
            value={member}
            onChange={setMember}
            min={1}
            allowDecimal={false}
            required
            hideControls
          />
        </Group>
        <CriteriaInput value={json} onChange={setJson} />
        {error && <Problem error={error} />}
        <Group>
          <Button type="submit" variant="default" loading={isPending}>
            {text('judgments.addSearch')}
          </Button>
        </Group>
      </Stack>
    </Form>
  );
}

/** The searches of a set, to grade their results. */
export function Searches({
  set,
  onRate,
}: {
  readonly set: JudgmentSet;
  readonly onRate: (search: string) => void;
}) {
  const { text } = useTexts();
  const api = useApi();
  const queries = useQueryClient();
  const { mutate, error } = useMutation({
    mutationFn: (searchid: string) =>
      dataOf(
        api.DELETE('/staff/search/judgment-sets/{id}/searches/{searchid}', {
          params: { path: { id: set.id, searchid } },
        }),
      ),
    onSuccess: () => queries.invalidateQueries(setQuery(api, set.id)),
  });
  return (
    <Stack>
      {set.searches.length > 0 && (
        <WideTable
          minWidth={420}
          head={[
            text('judgments.search'),
            text('search.member'),
            text('judgments.graded'),
            text('search.action'),
          ]}
        >
          {set.searches.map(({ id, name, member, results }) => (
            <Table.Tr key={id}>
              <Table.Td>{name}</Table.Td>
              <Table.Td>{member}</Table.Td>
              <Table.Td>{results.length}</Table.Td>
              <Table.Td>
                <Group gap="xs" wrap="nowrap">
                  <Button
                    size="compact-sm"
                    aria-label={text('judgments.rateWhat', { name })}
                    onClick={() => onRate(id)}
                  >
                    {text('judgments.rate')}
                  </Button>
                  <Button
                    size="compact-sm"
                    variant="default"
                    aria-label={text('judgments.deleteWhat', { name })}
                    onClick={() => mutate(id)}
                  >
                    {text('judgments.delete')}
                  </Button>
                </Group>
              </Table.Td>
            </Table.Tr>
          ))}
        </WideTable>
      )}
      {error && <Problem error={error} />}
      <NewSearch set={set} />
    </Stack>
  );
}
