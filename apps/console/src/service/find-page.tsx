import { Alert, Button, Card, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { skipToken, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { dataOf, useApi } from '../api/api.tsx';
import { Form } from '../layout/form.tsx';
import { MemberLink } from '../layout/member-link.tsx';
import { Page, Problem } from '../layout/page.tsx';
import { useTexts } from '../texts/texts.ts';
import { useFormats } from '../layout/formats.ts';
import { lastSearchKey, type FoundMembers, type SearchBy } from './queries.ts';
import { kindsOfValue } from './search-kind.ts';
import { StandingBadges } from './standing.tsx';

/** Kinds of values to search by: `any` of the first three, as the value looks, or one of them. */
const kinds = ['any', 'username', 'email', 'id', 'payment', 'device'] as const satisfies readonly (
  | SearchBy
  | 'any'
)[];

type Kind = (typeof kinds)[number];

/** A search and its result. Each search is recorded, so none is made again by itself. */
interface LastSearch {
  readonly by: Kind;
  readonly value: string;
  readonly found: FoundMembers;
}

function Found({ found: { members, more } }: { readonly found: FoundMembers }) {
  const { text } = useTexts();
  const { time } = useFormats();
  if (!members.length) return <Text role="status">{text('service.find.none')}</Text>;
  return (
    <Stack component="section" aria-label={text('service.find.found')} gap="xs">
      {more && (
        <Alert color="yellow" role="status">
          {text('service.find.more')}
        </Alert>
      )}
      {members.map((member) => (
        <Card key={member.id} withBorder p="sm">
          <Group justify="space-between">
            <MemberLink id={member.id} username={member.username} />
            <StandingBadges member={member} />
          </Group>
          <Text size="sm">
            {text('service.siteAndSince', { site: member.siteid, since: time(member.date_registered) })}
          </Text>
        </Card>
      ))}
    </Stack>
  );
}

/** Finds members by what they are known by. The value is in memory and in the body of the call only. */
export function FindPage() {
  const { text } = useTexts();
  const api = useApi();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { data: last } = useQuery<LastSearch>({
    queryKey: lastSearchKey,
    queryFn: skipToken,
    staleTime: Infinity,
  });
  const [by, setBy] = useState<Kind>(last?.by ?? 'any');
  const [value, setValue] = useState(last?.value ?? '');
  const { mutate, isPending, error } = useMutation({
    mutationFn: async (): Promise<FoundMembers> => {
      const typed = value.trim();
      const found = await Promise.all(
        (by === 'any' ? kindsOfValue(typed) : [by]).map((kind) =>
          dataOf(api.POST('/staff/members/search', { body: { by: kind, value: typed } })),
        ),
      );
      const byId = new Map(found.flatMap(({ members }) => members).map((one) => [one.id, one]));
      return { members: [...byId.values()], more: found.some(({ more }) => more) };
    },
    onSuccess: (found) => {
      queries.setQueryData<LastSearch>(lastSearchKey, { by, value, found });
      const [only, other] = found.members;
      if (only && !other) void navigate({ to: '/service/members/$id', params: { id: String(only.id) } });
    },
  });
  return (
    <Page title={text('service.find')}>
      <Card withBorder>
        <Form onSubmit={mutate}>
          <Group align="end">
            <NativeSelect
              label={text('service.find.by')}
              data={kinds.map((kind) => ({ value: kind, label: text(`service.find.by.${kind}`) }))}
              value={by}
              onChange={(event) => setBy(event.currentTarget.value as Kind)}
            />
            <TextInput
              label={text('service.find.value')}
              value={value}
              onChange={(event) => setValue(event.currentTarget.value)}
              required
              maxLength={2_048}
              autoComplete="off"
              spellCheck={false}
              flex={1}
              miw={200}
            />
            <Button type="submit" loading={isPending}>
              {text('service.find.run')}
            </Button>
          </Group>
          <Text size="sm" mt="xs">
            {text('service.find.recorded')}
          </Text>
        </Form>
      </Card>
      {error && <Problem error={error} />}
      {!error && last && <Found found={last.found} />}
    </Page>
  );
}
