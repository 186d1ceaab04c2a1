import { Table, Text } from '@mantine/core';
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { dataOf, useApi } from '../api/api.tsx';
import { useFormats } from '../layout/formats.ts';
import { Listed } from '../layout/listed.tsx';
import { MemberLink } from '../layout/member-link.tsx';
import { Loaded, Page } from '../layout/page.tsx';
import { Part } from '../layout/part.tsx';
import { WideTable } from '../layout/wide-table.tsx';
import { useTexts } from '../texts/texts.ts';
import { Confirm } from './confirm.tsx';
import { memberKey, scamFlagsQuery, scamPrecisionQuery, scamsKey, type RulesPrecision } from './queries.ts';

type Share = Pick<RulesPrecision, 'flagged' | 'decided' | 'fraud' | 'precision'>;

/** The outcomes of flagged members. */
function ShareCells({ flagged, decided, fraud, precision }: Share) {
  const { text } = useTexts();
  const { number } = useFormats();
  return (
    <>
      <Table.Td>{flagged}</Table.Td>
      <Table.Td>{decided}</Table.Td>
      <Table.Td>{fraud ?? '–'}</Table.Td>
      <Table.Td>
        {precision === null ? text('service.scams.few') : `${number(100 * precision, 1)} %`}
      </Table.Td>
    </>
  );
}

/** The rows of a version of the rules: all flags, then those with each signal. */
function VersionRows({ rules }: { readonly rules: RulesPrecision }) {
  const { text } = useTexts();
  const { siteid, version, mode, in_force: isInForce, signals } = rules;
  const inForce = isInForce ? [text('search.inForce')] : [];
  return (
    <>
      <Table.Tr>
        <Table.Td>{siteid}</Table.Td>
        <Table.Td>{[version, text(`service.scams.mode.${mode}`), ...inForce].join(' · ')}</Table.Td>
        <Table.Td fw={700}>{text('service.scams.all')}</Table.Td>
        <ShareCells {...rules} />
      </Table.Tr>
      {signals.map(({ signal, ...share }) => (
        <Table.Tr key={signal}>
          <Table.Td />
          <Table.Td />
          <Table.Td>{text(`service.signal.${signal}`)}</Table.Td>
          <ShareCells {...share} />
        </Table.Tr>
      ))}
    </>
  );
}

function Precision() {
  const { text } = useTexts();
  const query = useQuery(scamPrecisionQuery(useApi()));
  return (
    <Part title={text('service.scams.precision')}>
      <Loaded query={query}>
        {({ versions }) =>
          versions.length ? (
            <WideTable
              minWidth={720}
              head={[
                text('service.site'),
                text('service.scams.rules'),
                text('service.scams.signal'),
                text('service.scams.flagged'),
                text('service.scams.decided'),
                text('service.scams.fraud'),
                text('service.scams.precision'),
              ]}
            >
              {versions.map((rules) => (
                <VersionRows key={`${rules.siteid} ${rules.version} ${rules.mode}`} rules={rules} />
              ))}
            </WideTable>
          ) : (
            <Text c="dimmed">{text('service.scams.none')}</Text>
          )
        }
      </Loaded>
    </Part>
  );
}

function Flagged() {
  const { text } = useTexts();
  const { time } = useFormats();
  const api = useApi();
  const queries = useQueryClient();
  return (
    <Part title={text('service.scams.members')}>
      <Listed query={useInfiniteQuery(scamFlagsQuery(api))}>
        {(entries) => (
          <WideTable
            minWidth={720}
            head={[
              text('service.bans.memberShort'),
              text('service.site'),
              text('service.scams.score'),
              text('service.scams.signal'),
              text('service.scams.mode'),
              text('service.scams.since'),
              text('search.action'),
            ]}
          >
            {entries.map(({ flag_id, id, username, siteid, score, signals, mode, since }) => (
              <Table.Tr key={flag_id}>
                <Table.Td>
                  <MemberLink id={id} username={username} />
                </Table.Td>
                <Table.Td>{siteid}</Table.Td>
                <Table.Td>{score}</Table.Td>
                <Table.Td>{signals.map((signal) => text(`service.signal.${signal}`)).join(', ')}</Table.Td>
                <Table.Td>{text(`service.scams.mode.${mode}`)}</Table.Td>
                <Table.Td>{time(since)}</Table.Td>
                <Table.Td>
                  <Confirm
                    label={text('service.scams.dismiss')}
                    consequence={text('service.scams.dismiss.consequence')}
                    hasReason={false}
                    run={async () => {
                      const params = { path: { id: String(id) } };
                      await dataOf(api.POST('/staff/members/{id}/dismiss-signals', { params }));
                      await queries.invalidateQueries({ queryKey: scamsKey });
                      queries.removeQueries({ queryKey: memberKey(id) });
                    }}
                  />
                </Table.Td>
              </Table.Tr>
            ))}
          </WideTable>
        )}
      </Listed>
    </Part>
  );
}

/** Members flagged as scams, and the precision of the flags. */
export function ScamsPage() {
  const { text } = useTexts();
  return (
    <Page title={text('service.scams')}>
      <Text>{text('service.scams.how')}</Text>
      <Precision />
      <Flagged />
    </Page>
  );
}
