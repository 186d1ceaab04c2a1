import { Button, Checkbox, Group, NativeSelect, Radio, Stack, Textarea } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useApi } from '../api/api.tsx';
import { Dialog } from '../layout/dialog.tsx';
import { Form } from '../layout/form.tsx';
import { Problem } from '../layout/page.tsx';
import { useTexts } from '../texts/texts.ts';
import { longestReason, reasonsQuery, type ReasonKind } from './queue-queries.ts';
import { fits, reasonText } from './saved-reasons.ts';

/** A choice beside the reason. */
interface Option {
  readonly name: string;
  readonly label: ReactNode;
  /** Chosen at first. */
  readonly isDefault?: boolean;
  /** Without one of these options it means nothing, and is not shown. */
  readonly needs?: readonly string[];
}

/** One of several values. */
interface Selection {
  readonly label: string;
  /** The values with what they mean; the first is chosen at first. */
  readonly values: Readonly<Record<string, string>>;
}

/** The entries before an action. */
export interface Confirmed {
  /** The reasons, as the call takes them: a saved one or an own text, and the facts. */
  readonly why: { readonly reason_id?: string; readonly reason?: string; readonly facts?: string };
  /** The names of the chosen options. */
  readonly chosen: ReadonlySet<string>;
  /** The value of the selection. */
  readonly selected: string;
}

interface ConfirmProps {
  readonly label: string;
  /** The consequence, in a sentence. */
  readonly consequence: string;
  readonly options?: readonly Option[];
  readonly selection?: Selection;
  readonly needsReason?: boolean;
  /** The saved reasons to choose from: the action restricts the member, who is notified of it. */
  readonly saved?: { readonly kind: ReasonKind; readonly site: number };
  /** Whether the call takes a reason at all. */
  readonly hasReason?: boolean;
  readonly color?: string;
  readonly run: (confirmed: Confirmed) => Promise<unknown>;
  /** Why the call was refused, in the language of the person; by default what the API says. */
  readonly refusal?: (error: Error) => string | undefined;
}

/** Why, as it is typed or chosen. */
const nothingTyped = { reason: '', reasonId: '', facts: '' };

interface Typing {
  readonly typed: typeof nothingTyped;
  readonly onType: (change: Partial<typeof nothingTyped>) => void;
}

/** Chooses a saved reason, which the member receives in their language. */
function Ground({
  kind,
  site,
  value,
  onChange,
}: {
  readonly kind: ReasonKind;
  readonly site: number;
  readonly value: string;
  readonly onChange: (id: string) => void;
}) {
  const { text, language } = useTexts();
  const { data } = useQuery(reasonsQuery(useApi()));
  const fitting = (data?.reasons ?? []).filter((one) => fits(one, kind, [site]));
  return (
    <NativeSelect
      label={text('service.ground')}
      data={[
        { value: '', label: text('service.reason.own') },
        ...fitting.map((one) => ({ value: one.id, label: reasonText(one, language) })),
      ]}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

function ConfirmForm({
  label,
  options = [],
  selection,
  needsReason = false,
  saved,
  hasReason = true,
  color = 'red.9',
  run,
  refusal,
  typed: { reason, reasonId, facts },
  onType,
  close,
}: ConfirmProps & Typing & { readonly close: () => void }) {
  const { text } = useTexts();
  const why = {
    ...(reasonId ? { reason_id: reasonId } : { ...(reason && { reason }) }),
    ...(facts && { facts }),
  };
  const standard = options.filter(({ isDefault }) => isDefault).map(({ name }) => name);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set(standard));
  const [selected, setSelected] = useState(Object.keys(selection?.values ?? {})[0] ?? '');
  const shown = options.filter(({ needs }) => needs?.some((name) => chosen.has(name)) !== false);
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => run({ why, chosen, selected }),
    onSuccess: () => {
      onType(nothingTyped);
      close();
    },
  });
  const refused = error ? refusal?.(error) : undefined;
  return (
    <Form onSubmit={mutate}>
      <Stack>
        {saved && <Ground {...saved} value={reasonId} onChange={(id) => onType({ reasonId: id })} />}
        {hasReason && !reasonId && (
          <Textarea
            label={text('service.confirm.reason')}
            value={reason}
            onChange={(event) => onType({ reason: event.currentTarget.value })}
            required={needsReason}
            maxLength={longestReason}
            autosize
            minRows={2}
            data-autofocus
          />
        )}
        {saved && (
          <Textarea
            label={text('service.facts')}
            value={facts}
            onChange={(event) => onType({ facts: event.currentTarget.value })}
            maxLength={longestReason}
            autosize
            minRows={2}
          />
        )}
        {selection && (
          <Radio.Group label={selection.label} value={selected} onChange={setSelected}>
            <Stack gap="xs" mt="xs">
              {Object.entries(selection.values).map(([value, label]) => (
                <Radio key={value} value={value} label={label} />
              ))}
            </Stack>
          </Radio.Group>
        )}
        {shown.map((option) => (
          <Checkbox
            key={option.name}
            label={option.label}
            checked={chosen.has(option.name)}
            onChange={({ currentTarget: { checked } }) => {
              const others = [...chosen].filter((name) => name !== option.name);
              setChosen(new Set(checked ? [...others, option.name] : others));
            }}
          />
        ))}
        {error && <Problem error={refused === undefined ? error : new Error(refused)} />}
        <Group justify="end">
          <Button variant="default" onClick={close}>
            {text('service.cancel')}
          </Button>
          <Button type="submit" color={color} loading={isPending}>
            {label}
          </Button>
        </Group>
      </Stack>
    </Form>
  );
}

/** A button that asks before it acts, and for what reason. */
export function Confirm(props: ConfirmProps) {
  const [isOpen, { open, close }] = useDisclosure(false);
  // Kept here, so that the text is there again when the dialog is opened again.
  const [typed, setTyped] = useState(nothingTyped);
  const { label, consequence } = props;
  return (
    <>
      <Button variant="default" size="compact-sm" onClick={open}>
        {`${label} …`}
      </Button>
      <Dialog opened={isOpen} onClose={close} title={label}>
        <Stack>
          <div>{consequence}</div>
          {isOpen && (
            <ConfirmForm
              {...props}
              typed={typed}
              onType={(change) => setTyped((before) => ({ ...before, ...change }))}
              close={close}
            />
          )}
        </Stack>
      </Dialog>
    </>
  );
}
