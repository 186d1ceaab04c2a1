import { Alert, Button, Group, NativeSelect, NumberInput, Table, Text } from '@mantine/core';
import type { CovalenceClient } from '@covalence/client/client';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { dataOf, Refused, useApi } from '../api/api.tsx';
import { download } from '../layout/download.ts';
import { Form } from '../layout/form.tsx';
import { useFormats } from '../layout/formats.ts';
import { Loaded, Page } from '../layout/page.tsx';
import { Part } from '../layout/part.tsx';
import { WideTable } from '../layout/wide-table.tsx';
import { useTexts } from '../texts/texts.ts';
import {
  filesOf,
  lastMonths,
  partsOf,
  textsOf,
  type TransparencyReport,
  type TransparencyRow,
} from './transparency-report.ts';

/** The period and the site of a report. */
interface Period {
  readonly from: string;
  readonly to: string;
  readonly siteid?: number;
}

/** The report of a period, with its file: a closed month never changes. */
const transparencyQuery = (api: CovalenceClient, period: Period) =>
  queryOptions({
    queryKey: ['operators', 'transparency', period],
    staleTime: Infinity,
    queryFn: ({ signal }) => {
      const query = { ...period, format: 'csv' } as const;
      return dataOf(api.GET('/staff/transparency', { params: { query }, signal }));
    },
  });

/** Months to choose from, and months of a report by default: what the law asks for. */
const [chosenFrom, usual] = [36, 6];

/** Categories of each measure. */
const common: readonly string[] = ['total', 'withheld'];

/** The name of a category. Reasons are data of the operator, so they keep their ids. */
function useCategoryText() {
  const { valueText } = useTexts();
  const { month } = useFormats();
  return ({ measure, category }: TransparencyRow): string => {
    if (measure === 'decisions_by_reason' && !common.includes(category)) return category;
    if (/^\d{4}-\d{2}$/.test(category)) return month(category);
    const named = (part: string) =>
      textsOf(measure)
        .map((of) => valueText(of, part))
        .find((one) => one !== part) ?? part;
    return partsOf(category).map(named).join(' · ');
  };
}

/** Chooses a period and a site. */
function Choice({ onChoose }: { readonly onChoose: (period: Period) => void }) {
  const { text } = useTexts();
  const { month } = useFormats();
  const months = lastMonths(chosenFrom, new Date());
  const [from, setFrom] = useState(months[usual - 1] ?? '');
  const [last, setLast] = useState(months[0] ?? '');
  const [site, setSite] = useState<number | string>('');
  const to = last < from ? from : last;
  const data = months.map((value) => ({ value, label: month(value) }));
  return (
    <Form onSubmit={() => onChoose({ from, to, ...(site !== '' && { siteid: Number(site) }) })}>
      <Group align="end">
        <NativeSelect
          label={text('transparency.from')}
          data={data}
          value={from}
          onChange={(event) => setFrom(event.currentTarget.value)}
        />
        <NativeSelect
          label={text('transparency.to')}
          data={data.filter(({ value }) => value >= from)}
          value={to}
          onChange={(event) => setLast(event.currentTarget.value)}
        />
        <NumberInput
          label={text('transparency.site')}
          value={site}
          onChange={setSite}
          min={1}
          allowDecimal={false}
          hideControls
          w={160}
        />
        <Button type="submit">{text('operators.audit.show')}</Button>
      </Group>
    </Form>
  );
}

/** The counts of a report, and its files. */
function Counts({ report }: { readonly report: TransparencyReport }) {
  const { text, valueText } = useTexts();
  const { month, number } = useFormats();
  const categoryText = useCategoryText();
  const { from, to, siteids, rows } = report;
  const files = filesOf(report);
  const name = `transparency-${from}-${to}`;
  const title = text('transparency.title', { from: month(from), to: month(to), sites: siteids.join(', ') });
  return (
    <Part
      title={title}
      aside={
        <Group gap="xs">
          <Button variant="default" onClick={() => download(files.csv, `${name}.csv`)}>
            {text('operators.audit.csv')}
          </Button>
          <Button variant="default" onClick={() => download(files.json, `${name}.json`)}>
            {text('transparency.json')}
          </Button>
        </Group>
      }
    >
      <WideTable
        minWidth={600}
        head={[
          text('transparency.measure'),
          text('service.category'),
          text('transparency.count'),
          text('transparency.median'),
        ]}
      >
        {rows.map((row, at) => {
          const { measure, category, count, median_hours: median } = row;
          const isFirst = rows[at - 1]?.measure !== measure;
          return (
            <Table.Tr key={`${measure} ${category}`}>
              <Table.Td fw={700}>{isFirst && valueText('transparency.measure', measure)}</Table.Td>
              <Table.Td>{categoryText(row)}</Table.Td>
              <Table.Td>{count === null ? '–' : number(count, 0)}</Table.Td>
              <Table.Td>{median === null ? '–' : number(median, 1)}</Table.Td>
            </Table.Tr>
          );
        })}
      </WideTable>
    </Part>
  );
}

function Report({ period }: { readonly period: Period }) {
  const { text } = useTexts();
  const query = useQuery(transparencyQuery(useApi(), period));
  if (query.error instanceof Refused && query.error.status === 404)
    return (
      <Alert color="yellow" role="alert">
        {text('transparency.notCounted')}
      </Alert>
    );
  return <Loaded query={query}>{(report) => <Counts report={report} />}</Loaded>;
}

/** The counts for the transparency reports of the Digital Services Act. */
export function TransparencyPage() {
  const { text } = useTexts();
  const [period, setPeriod] = useState<Period>();
  return (
    <Page title={text('transparency')}>
      <Text>{text('transparency.how')}</Text>
      <Choice onChoose={setPeriod} />
      {period && <Report period={period} />}
    </Page>
  );
}
