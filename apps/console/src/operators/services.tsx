import { Badge, Group, Stack, Table, Text } from '@mantine/core';
import { useFormats } from '../layout/formats.ts';
import { Part } from '../layout/part.tsx';
import { WideTable } from '../layout/wide-table.tsx';
import { useTexts } from '../texts/texts.ts';
import type { Operations, ServiceStatus } from './operations-queries.ts';

/** The stores that a service reaches, and those that it does not. */
function Stores({ checks }: Pick<ServiceStatus, 'checks'>) {
  const { text } = useTexts();
  return (
    <Group gap={4}>
      {checks.map(({ check, up }) => (
        <Badge key={check} variant="default" tt="none" miw="max-content">
          {up ? check : text('operations.down', { store: check })}
        </Badge>
      ))}
    </Group>
  );
}

function ServiceRow({ service, status }: Operations['services'][number]) {
  const { text } = useTexts();
  const { waited } = useFormats();
  if (!status)
    return (
      <Table.Tr>
        <Table.Th scope="row">{service}</Table.Th>
        <Table.Td colSpan={4}>{text('operations.away')}</Table.Td>
      </Table.Tr>
    );
  const { ready, version, checks, warnings, outbox, unknown } = status;
  const toPublish = outbox ? String(outbox.waiting) : '–';
  return (
    <Table.Tr>
      <Table.Th scope="row">{service}</Table.Th>
      <Table.Td>{text(ready ? 'operations.ready' : 'operations.notReady')}</Table.Td>
      <Table.Td>{version}</Table.Td>
      <Table.Td>
        <Stack gap={4}>
          <Stores checks={checks} />
          {warnings.map((warning) => (
            <Text key={warning} size="sm" lang="en">
              {warning}
            </Text>
          ))}
        </Stack>
      </Table.Td>
      <Table.Td>
        {unknown.includes('outbox') ? '?' : toPublish}
        {outbox?.oldest && ` · ${waited(outbox.oldest)}`}
      </Table.Td>
    </Table.Tr>
  );
}

/** Every service with its stores. */
export function Services({ services }: Pick<Operations, 'services'>) {
  const { text } = useTexts();
  return (
    <Part title={text('operations.services')}>
      <WideTable
        minWidth={640}
        head={[
          text('operations.service'),
          text('operations.state'),
          text('search.version'),
          text('operations.stores'),
          text('operations.outbox'),
        ]}
      >
        {services.map((one) => (
          <ServiceRow key={one.service} {...one} />
        ))}
      </WideTable>
    </Part>
  );
}

/** Every queue with its consumers and dead letters. */
export function Queues({ services }: Pick<Operations, 'services'>) {
  const { text } = useTexts();
  const { number } = useFormats();
  return (
    <Part title={text('operations.queues')}>
      <WideTable
        minWidth={480}
        head={[
          text('operations.queue'),
          text('service.queue.waiting'),
          text('operations.consumers'),
          text('operations.letters'),
        ]}
      >
        {services.map(({ service, status }) =>
          status?.unknown.includes('queues') ? (
            <Table.Tr key={service}>
              <Table.Th scope="row">{service}</Table.Th>
              <Table.Td colSpan={3}>?</Table.Td>
            </Table.Tr>
          ) : (
            status?.queues.map(({ queue, ready, consumers, dead }) => (
              <Table.Tr key={queue}>
                <Table.Th scope="row">{queue}</Table.Th>
                <Table.Td>{number(ready, 0)}</Table.Td>
                <Table.Td>{number(consumers, 0)}</Table.Td>
                <Table.Td>{number(dead, 0)}</Table.Td>
              </Table.Tr>
            ))
          ),
        )}
      </WideTable>
    </Part>
  );
}
