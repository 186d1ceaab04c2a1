import { Button, Group, Stack, Textarea, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useApi } from '../api/api.tsx';
import { useDraft } from '../layout/drafts.tsx';
import { Form } from '../layout/form.tsx';
import { Loaded } from '../layout/page.tsx';
import { Part } from '../layout/part.tsx';
import { useTexts } from '../texts/texts.ts';
import type { Why } from './decisions.ts';
import { useKeys } from './keys.ts';
import { longestReason, reasonsQuery, type ReasonKind, type SavedReason } from './queue-queries.ts';
import { fits, reasonText } from './saved-reasons.ts';

/** Reasons that have a key of their own. */
const mostKeys = 9;

interface ReasonPanelProps {
  /** The saved reasons to choose from; without it none fits. */
  readonly kind: ReasonKind | undefined;
  /** The sites of the decisions: some reasons are for some sites only. */
  readonly sites: readonly number[];
  readonly title?: string;
  /** Labels of the button and of an own reason; by default those of a rejection. */
  readonly action?: string;
  readonly own?: string;
  /** Whether the member receives facts, too. */
  readonly hasFacts?: boolean;
  /** The key under which the page keeps what is typed; whoever decides ends this draft. */
  readonly draft: string;
  readonly onChosen: (why: Why) => void;
  readonly onCancel: () => void;
}

function Choices({
  reasons,
  action,
  own: ownLabel,
  hasFacts = false,
  draft,
  onChosen: onReason,
  onCancel,
}: ReasonPanelProps & { readonly reasons: readonly SavedReason[] }) {
  const { text, language } = useTexts();
  const [{ own, facts }, change] = useDraft(draft, { own: '', facts: '' });
  const onChosen = (why: Why) => onReason({ ...why, ...(facts && { facts }) });
  const first = useRef<HTMLButtonElement>(null);
  const written = useRef<HTMLInputElement>(null);
  useEffect(() => (first.current ?? written.current)?.focus(), []);
  useKeys({
    ...Object.fromEntries(
      reasons.slice(0, mostKeys).map(({ id }, at) => [String(at + 1), () => onChosen({ reason_id: id })]),
    ),
    Escape: onCancel,
  });
  return (
    <Stack gap="xs">
      {reasons.map((one, at) => (
        <Button
          key={one.id}
          ref={at === 0 ? first : undefined}
          variant="default"
          justify="start"
          h="auto"
          py={6}
          styles={{ label: { whiteSpace: 'normal', textAlign: 'start' } }}
          onClick={() => onChosen({ reason_id: one.id })}
        >
          {`${at < mostKeys ? `${at + 1}  ` : ''}${reasonText(one, language)}`}
        </Button>
      ))}
      {hasFacts && (
        <Textarea
          label={text('service.facts')}
          value={facts}
          onChange={(event) => change({ facts: event.currentTarget.value })}
          onKeyDown={(event) => event.key === 'Escape' && onCancel()}
          maxLength={longestReason}
          autosize
        />
      )}
      <Form onSubmit={() => onChosen({ reason: own })}>
        <Group align="end">
          <TextInput
            ref={written}
            label={ownLabel ?? text('service.reason.own')}
            value={own}
            onChange={(event) => change({ own: event.currentTarget.value })}
            onKeyDown={(event) => event.key === 'Escape' && onCancel()}
            maxLength={longestReason}
            required
            flex={1}
            miw={240}
          />
          <Button type="submit" color="red.9">
            {action ?? text('service.reject')}
          </Button>
          <Button variant="default" onClick={onCancel}>
            {text('service.cancel')}
          </Button>
        </Group>
      </Form>
    </Stack>
  );
}

/** Chooses why something is rejected. The member gets a saved reason in their language. */
export function ReasonPanel(props: ReasonPanelProps) {
  const { text } = useTexts();
  const query = useQuery(reasonsQuery(useApi()));
  const { kind, sites, title = text('service.reason') } = props;
  return (
    <Part title={title}>
      <Loaded query={query}>
        {({ reasons }) => (
          <Choices {...props} reasons={kind ? reasons.filter((one) => fits(one, kind, sites)) : []} />
        )}
      </Loaded>
    </Part>
  );
}

/** The text of a saved reason by its id, in the language of the person; another text stays as it is. */
export function useSavedText(): (reason: string) => string {
  const { language } = useTexts();
  const { data } = useQuery(reasonsQuery(useApi()));
  return (reason) => {
    const saved = data?.reasons.find(({ id }) => id === reason);
    return saved ? reasonText(saved, language) : reason;
  };
}
