import {
  Alert,
  Button,
  Group,
  NativeSelect,
  NumberInput,
  Stack,
  Table,
  Textarea,
  TextInput,
} from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { dataOf, Refused, useApi } from '../api/api.tsx';
import { Dialog } from '../layout/dialog.tsx';
import { Form } from '../layout/form.tsx';
import { useFormats } from '../layout/formats.ts';
import { Problem } from '../layout/page.tsx';
import { useTexts } from '../texts/texts.ts';
import { membershipQuery, type Correction, type CorrectionPreview, type Membership } from './queries.ts';
import { isAskedBefore, isWaiting, WaitsNote } from './second-person.tsx';

const longestReason = 1_000;

/** A payment that can be refunded. */
interface Payment {
  readonly payment: string;
  readonly amount: string;
}

/** The entries of the form. */
interface Entered {
  readonly end: string;
  readonly renewal: string;
  readonly rate: number | string;
  readonly refund: string;
  readonly reason: string;
}

const nothing: Entered = { end: '', renewal: '', rate: '', refund: '', reason: '' };

const correctionOf = ({ end, renewal, rate, refund, reason }: Entered): Correction => ({
  reason,
  // The end of that day, in the time of the person.
  ...(end !== '' && { expires_at: new Date(`${end}T23:59:59`).toISOString() }),
  ...(renewal !== '' && { autorenew: renewal === 'on' }),
  ...(rate !== '' && { rate_id: Number(rate) }),
  ...(refund !== '' && { refund }),
});

/** Choices of a list. */
const choices = (names: readonly (readonly [string, string])[]) =>
  names.map(([value, label]) => ({ value, label }));

/** The membership now and after a correction, what is refunded, or why it is refused. */
function Preview({ before, preview }: { readonly before: Membership; readonly preview: CorrectionPreview }) {
  const { text, valueText } = useTexts();
  const { time, money } = useFormats();
  const { after, refund, refusal, second_person } = preview;
  if (refusal || !after)
    return (
      <Alert color="red" role="alert">
        {valueText('service.refund.refused', refusal?.fail ?? '')}
      </Alert>
    );
  const columns = [before, after];
  const rows = [
    [
      text('service.correct.state'),
      columns.map((one) => text(`service.membership.status.${one.membership_status}`)),
    ],
    [text('service.correct.end'), columns.map(({ expirationdate: end }) => (end === null ? '–' : time(end)))],
    [
      text('service.correct.renewal'),
      columns.map((one) => text(one.autorenew ? 'service.correct.on' : 'service.correct.off')),
    ],
    [text('service.correct.rate'), columns.map(({ rate_id }) => rate_id ?? '–')],
  ] as const;
  return (
    <Stack gap="xs">
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Td />
            <Table.Th>{text('service.correct.before')}</Table.Th>
            <Table.Th>{text('service.correct.after')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map(([name, [one, other]]) => (
            <Table.Tr key={name}>
              <Table.Th scope="row">{name}</Table.Th>
              <Table.Td>{one}</Table.Td>
              <Table.Td fw={one === other ? 400 : 700}>{other}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {refund && (
        <div>{text('service.refund.consequence', { amount: money(refund.amount, refund.currency) })}</div>
      )}
      {second_person && <div>{text('service.correct.secondPerson')}</div>}
    </Stack>
  );
}

function CorrectionForm({
  membership,
  payments,
  done,
}: {
  readonly membership: Membership;
  readonly payments: readonly Payment[];
  readonly done: (waits: boolean) => void;
}) {
  const { text, valueText } = useTexts();
  const api = useApi();
  const queries = useQueryClient();
  const [entered, setEntered] = useState(nothing);
  const { member } = membership;
  const params = { path: { member } };
  const preview = useMutation({
    mutationFn: (wanted: Entered) => {
      const body = { ...correctionOf(wanted), preview: true };
      return dataOf(api.POST('/staff/memberships/{member}/correct', { params, body }));
    },
  });
  const correct = useMutation({
    mutationFn: () =>
      dataOf(api.POST('/staff/memberships/{member}/correct', { params, body: correctionOf(entered) })),
    onSuccess: (answer) => {
      if ('ledger' in answer) queries.setQueryData(membershipQuery(api, member).queryKey, answer);
      done(isWaiting(answer));
    },
  });
  const enter = (change: Partial<Entered>) => {
    setEntered({ ...entered, ...change });
    preview.reset();
    correct.reset();
  };
  const error = preview.error ?? correct.error;
  const fail = error instanceof Refused ? error.failure.fail : undefined;
  const refused = fail && valueText('service.refund.refused', fail);
  const why = isAskedBefore(error) ? text('service.approvals.other') : refused;
  const seen = preview.data && 'preview' in preview.data ? preview.data.preview : undefined;
  return (
    <Form
      onSubmit={() => {
        if (seen?.after) correct.mutate();
        else preview.mutate(entered);
      }}
    >
      <Stack>
        <TextInput
          type="date"
          label={text('service.correct.end')}
          value={entered.end}
          onChange={({ currentTarget: { value: end } }) => enter({ end })}
          data-autofocus
        />
        <NativeSelect
          label={text('service.correct.renewal')}
          value={entered.renewal}
          onChange={({ currentTarget: { value: renewal } }) => enter({ renewal })}
          data={choices([
            ['', text('service.correct.unchanged')],
            ['on', text('service.correct.on')],
            ['off', text('service.correct.off')],
          ])}
        />
        <NumberInput
          label={text('service.correct.rate')}
          value={entered.rate}
          onChange={(rate) => enter({ rate })}
          min={1}
          allowDecimal={false}
          hideControls
        />
        {payments.length > 0 && (
          <NativeSelect
            label={text('service.correct.refund')}
            value={entered.refund}
            onChange={({ currentTarget: { value: refund } }) => enter({ refund })}
            data={choices([
              ['', text('service.correct.none')],
              ...payments.map(({ payment, amount }) => [payment, amount] as const),
            ])}
          />
        )}
        <Textarea
          label={text('service.confirm.reason')}
          value={entered.reason}
          onChange={({ currentTarget: { value: reason } }) => enter({ reason })}
          required
          maxLength={longestReason}
          autosize
        />
        {seen && <Preview before={membership} preview={seen} />}
        {error && <Problem error={why ? new Error(why) : error} />}
        <Group justify="end">
          <Button
            type="submit"
            color={seen?.after ? 'red.9' : undefined}
            loading={preview.isPending || correct.isPending}
          >
            {text(seen?.after ? 'service.correct' : 'service.correct.preview')}
          </Button>
        </Group>
      </Stack>
    </Form>
  );
}

/** Corrects a membership, after a look at what follows. */
export function Correct({
  membership,
  payments,
}: {
  readonly membership: Membership;
  readonly payments: readonly Payment[];
}) {
  const { text } = useTexts();
  const [isOpen, { open, close }] = useDisclosure(false);
  const [waits, setWaits] = useState(false);
  return (
    <>
      <Group>
        <Button variant="default" size="compact-sm" onClick={open}>
          {`${text('service.correct')} …`}
        </Button>
      </Group>
      {waits && <WaitsNote />}
      <Dialog opened={isOpen} onClose={close} title={text('service.correct')}>
        {isOpen && (
          <CorrectionForm
            membership={membership}
            payments={payments}
            done={(isWaitingNow) => {
              setWaits(isWaitingNow);
              close();
            }}
          />
        )}
      </Dialog>
    </>
  );
}
