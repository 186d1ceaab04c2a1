import { useQuery } from '@tanstack/react-query';
import { useApi } from '../api/api.tsx';
import { Loaded, Page } from '../layout/page.tsx';
import { Part } from '../layout/part.tsx';
import { Rows } from '../layout/rows.tsx';
import { indexQuery } from './queries.ts';
import { Versions } from './versions.tsx';
import { useTexts } from '../texts/texts.ts';

/** The state of the index: what is searched, and what is to be done. */
function IndexState() {
  const { text, valueText } = useTexts();
  const query = useQuery(indexQuery(useApi()));
  return (
    <Part title={text('search.index')}>
      <Loaded query={query}>
        {({ live, mapping, mapping_version, documents, visible, waiting_events, building, kept }) => (
          <Rows
            rows={[
              [text('search.index.live'), live],
              [text('search.index.mapping'), `${mapping_version}: ${valueText('search.mapping', mapping)}`],
              [text('search.index.documents'), `${documents} (${visible})`],
              [text('search.index.waiting'), waiting_events ?? '?'],
              [text('search.index.building'), building ?? '–'],
              [text('search.index.kept'), kept ?? '–'],
            ]}
          />
        )}
      </Loaded>
    </Part>
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
