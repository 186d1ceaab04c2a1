import { Button, Card, Group, NumberInput, Table, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { dataOf, useApi } from '../../api/api.tsx';
import { Form } from '../../layout/form.tsx';
import { Loaded, Page, Problem } from '../../layout/page.tsx';
import { WideTable } from '../../layout/wide-table.tsx';
import { useTexts } from '../../texts/texts.ts';
import { judgmentsKey, setsQuery } from './judgment-queries.ts';

/** Creates a set and opens it. */
function NewSet() {
  const { text } = useTexts();
  const api = useApi();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [name, setName] = useState('');
  const [siteid, setSiteid] = useState<number | string>(1);
  const { mutate, isPending, error } = useMutation({
    mutationFn: () =>
      dataOf(api.POST('/staff/search/judgment-sets', { body: { siteid: Number(siteid), name } })),
    onSuccess: async ({ id }) => {
      await queries.invalidateQueries({ queryKey: judgmentsKey });
      await navigate({ to: '/search/judgments/$set', params: { set: id } });
    },
  });
  return (
    <Form onSubmit={mutate}>
      <Group align="end">
        <TextInput
          label={text('judgments.name')}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          maxLength={100}
          required
          flex={1}
        />
        <NumberInput
          label={text('judgments.site')}
          value={siteid}
          onChange={setSiteid}
          min={1}
          allowDecimal={false}
          required
          w={100}
        />
        <Button type="submit" loading={isPending}>
          {text('judgments.create')}
        </Button>
      </Group>
      {error && <Problem error={error} />}
    </Form>
  );
}

/** The sets of searches whose results are graded. */
export function JudgmentsPage() {
  const { text } = useTexts();
  const query = useQuery(setsQuery(useApi()));
  return (
    <Page title={text('judgments')}>
      <Card withBorder>
        <NewSet />
      </Card>
      <Loaded query={query}>
        {({ sets }) =>
          sets.length ? (
            <WideTable head={[text('judgments.name'), text('judgments.site')]}>
              {sets.map(({ id, name, siteid }) => (
                <Table.Tr key={id}>
                  <Table.Td>
                    <Link to="/search/judgments/$set" params={{ set: id }}>
                      {name}
                    </Link>
                  </Table.Td>
                  <Table.Td>{siteid}</Table.Td>
                </Table.Tr>
              ))}
            </WideTable>
          ) : (
            <Text>{text('judgments.none')}</Text>
          )
        }
      </Loaded>
    </Page>
  );
}
