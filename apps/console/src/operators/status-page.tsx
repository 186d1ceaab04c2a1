import { Code, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useApi } from '../api/api.tsx';
import { useFormats } from '../layout/formats.ts';
import { Loaded, Page } from '../layout/page.tsx';
import { useTexts } from '../texts/texts.ts';
import { Problems } from './problems.tsx';
import { operationsQuery } from './operations-queries.ts';
import { Queues, Services } from './services.tsx';
import { Settings, Work } from './work.tsx';

/** The state of the system, which renews itself while the page is visible. */
export function StatusPage() {
  const { text } = useTexts();
  const { clock } = useFormats();
  const query = useQuery(operationsQuery(useApi()));
  return (
    <Page title={text('operations.status')}>
      <Loaded query={query}>
        {({ at, problems, services }) => (
          <>
            <Text>
              {text('operations.asOf', { time: clock(at) })} <Code>pnpm covalence operations</Code>
            </Text>
            <Problems problems={problems} />
            <Services services={services} />
            <Queues services={services} />
            <Work services={services} />
            <Settings services={services} />
          </>
        )}
      </Loaded>
    </Page>
  );
}
