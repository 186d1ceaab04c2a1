import { Table } from '@mantine/core';
import { Fragment, type ReactNode } from 'react';
import { useFormats } from '../layout/formats.ts';
import { MemberLink } from '../layout/member-link.tsx';
import { Part } from '../layout/part.tsx';
import { Rows } from '../layout/rows.tsx';
import { WideTable } from '../layout/wide-table.tsx';
import { useTexts } from '../texts/texts.ts';
import type { Operations, ServiceStatus } from './operations-queries.ts';

const statusOf = ({ services }: Pick<Operations, 'services'>, name: string): ServiceStatus | undefined =>
  services.find(({ service }) => service === name)?.status ?? undefined;

/** Members of the oldest work that hangs. */
function Members({ ids }: { readonly ids: readonly number[] }) {
  const { text } = useTexts();
  return ids.map((id) => (
    <Fragment key={id}>
      {' · '}
      <MemberLink id={id}>{text('service.member', { id })}</MemberLink>
    </Fragment>
  ));
}

/** Work that is due: erasures, payments, the index and migrations. */
export function Work({ services }: Pick<Operations, 'services'>) {
  const { text, valueText } = useTexts();
  const { waited } = useFormats();
  const since = (at: string | null) => (at === null ? '' : ` · ${waited(at)}`);
  const erasures = statusOf({ services }, 'profile')?.erasures;
  const payments = statusOf({ services }, 'billing')?.payments;
  const index = statusOf({ services }, 'search')?.index;
  const migrated = services.flatMap(({ service, status }) =>
    status?.migrations ? [{ service, ...status.migrations }] : [],
  );
  const rows: (readonly [label: string, value: ReactNode])[] = [
    [
      text('operations.erasures'),
      erasures ? (
        <>
          {text('operations.erasures.counts', { due: erasures.due, overdue: erasures.overdue })}
          {since(erasures.oldest)}
          <Members ids={erasures.members} />
        </>
      ) : (
        '?'
      ),
    ],
    [
      text('operations.payments'),
      payments ? (
        <>
          {payments.hanging}
          {since(payments.oldest)}
          <Members ids={payments.members} />
        </>
      ) : (
        '?'
      ),
    ],
    [text('search.index.live'), index?.live ?? '?'],
    [
      text('search.index.mapping'),
      index ? `${index.mapping_version}: ${valueText('search.mapping', index.mapping)}` : '?',
    ],
    [
      text('operations.differing'),
      index
        ? text('operations.differing.counts', { differing: index.differing, compared: index.compared })
        : '?',
    ],
    ...migrated.map(
      ({ service, applied, open }) =>
        [
          text('operations.migrations', { service }),
          text('operations.migrations.counts', { applied, open: open.length }) +
            open.map(({ name, what }) => ` · ${name}: ${what}`).join(''),
        ] as const,
    ),
  ];
  return (
    <Part title={text('operations.work')}>
      <Rows rows={rows} />
    </Part>
  );
}

/** The settings that are in force: those of every site by service, and those of each site. */
export function Settings({ services }: Pick<Operations, 'services'>) {
  const { text } = useTexts();
  const all = services.flatMap(({ service, status }) =>
    (status?.settings ?? []).map((setting) => ({ service, ...setting })),
  );
  const general = all.filter(({ siteid }) => siteid === null);
  const bySite = all.filter(({ siteid }) => siteid !== null);
  const sites = [...new Set(bySite.flatMap(({ siteid }) => siteid ?? []))];
  const names = [...new Set(bySite.map(({ name }) => name))];
  return (
    <Part title={text('operations.settings')}>
      <WideTable
        minWidth={480}
        head={[text('operations.service'), text('operations.setting'), text('operations.value')]}
      >
        {general.map(({ service, name, value }) => (
          <Table.Tr key={`${service} ${name}`}>
            <Table.Td>{service}</Table.Td>
            <Table.Th scope="row">{name}</Table.Th>
            <Table.Td>{value || '–'}</Table.Td>
          </Table.Tr>
        ))}
      </WideTable>
      <WideTable
        minWidth={480}
        head={[text('operations.setting'), ...sites.map((site) => `${text('service.site')} ${site}`)]}
      >
        {names.map((name) => (
          <Table.Tr key={name}>
            <Table.Th scope="row">{name}</Table.Th>
            {sites.map((site) => (
              <Table.Td key={site}>
                {bySite.find((one) => one.name === name && one.siteid === site)?.value ?? '–'}
              </Table.Td>
            ))}
          </Table.Tr>
        ))}
      </WideTable>
    </Part>
  );
}
