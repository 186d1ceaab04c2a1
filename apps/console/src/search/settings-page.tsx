import { Card, Table, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useApi } from '../api/api.tsx';
import { Loaded, Page } from '../layout/page.tsx';
import { indexQuery } from './queries.ts';
import { Versions } from './versions.tsx';
import { useTexts } from '../texts/texts.ts';

/** The state of the index: what is searched, and what is to be done. */
function IndexState() {
  const { text } = useTexts();
  const query = useQuery(indexQuery(useApi()));
  return (
    <Card withBorder>
      <Title order={2} size="h4" mb="xs">
        {text('search.index')}
      </Title>
      <Loaded query={query}>
        {({ live, mapping, mapping_version, documents, visible, waiting_events, building, kept }) => (
          <Table variant="vertical" layout="fixed">
            <Table.Tbody>
              {(
                [
                  ['search.index.live', live],
                  ['search.index.mapping', `${mapping_version}: ${mapping}`],
                  ['search.index.documents', `${documents} (${visible})`],
                  ['search.index.waiting', waiting_events ?? '?'],
                  ['search.index.building', building ?? '–'],
                  ['search.index.kept', kept ?? '–'],
                ] as const
              ).map(([label, value]) => (
                <Table.Tr key={label}>
                  <Table.Th>{text(label)}</Table.Th>
                  <Table.Td>{value}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        )}
      </Loaded>
    </Card>
  );
}

/** The settings in force, and earlier versions. */
export function SettingsPage() {
  const { text } = useTexts();
  return (
    <Page title={text('search.settings')}>
      <IndexState />
      <Versions />
    </Page>
  );
}
