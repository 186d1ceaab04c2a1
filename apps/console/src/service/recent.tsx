import { Alert, Button, Group, Stack, Text, VisuallyHidden } from '@mantine/core';
import { Refused } from '../api/api.tsx';
import { memberName } from '../layout/member-link.tsx';
import { useTexts } from '../texts/texts.ts';
import { canUndo, refusedOf, undoMs, type Decisions, type Made } from './decisions.ts';
import { useNow } from './now.ts';

const secondMs = 1_000;
/** Decisions that are shown while they can be undone. */
const mostShown = 5;

/** Texts for the outcome of a decision. */
export function useOutcomeText() {
  const { text } = useTexts();
  const outcome = (status: number, fail: string | undefined) => {
    if (fail === 'Claimed') return text('service.refused.claimed');
    if (status === 409) return text('service.refused.changed');
    if (status === 404) return text('service.refused.gone');
    return [status, fail].filter(Boolean).join(' ');
  };
  return {
    name: ({ units: [first, ...others], why }: Made) => {
      const who = first ? memberName(first.entry) : '';
      const what = others.length ? text('service.decided.several', { count: others.length + 1 }) : who;
      return text(why ? 'service.decided.rejected' : 'service.decided.approved', { what });
    },
    outcome,
    refusal: (error: Error) =>
      error instanceof Refused ? outcome(error.status, error.failure.fail) : error.message,
  };
}

/** A decision that was refused, in whole or in part. */
function Trouble({ made, dismiss }: { readonly made: Made; readonly dismiss: () => void }) {
  const { text } = useTexts();
  const { name, outcome, refusal } = useOutcomeText();
  const { why } = made;
  const typed = [why && 'reason' in why ? why.reason : undefined, why?.facts];
  return (
    <Alert
      color="red"
      role="alert"
      title={text('service.refused', { what: name(made) })}
      withCloseButton
      closeButtonLabel={text('layout.close')}
      onClose={dismiss}
    >
      {made.error && <Text size="sm">{refusal(made.error)}</Text>}
      {refusedOf(made).map(({ unit, outcome: { status, fail } }) => (
        <Text key={unit.key} size="sm">
          {`${memberName(unit.entry)}: ${outcome(status, fail)}`}
        </Text>
      ))}
      {typed.map(
        (one) =>
          one && (
            <Text key={one} size="sm">
              {text('service.quoted', { text: one })}
            </Text>
          ),
      )}
    </Alert>
  );
}

/** The latest decisions: which were refused, and which can be undone for how long. */
export function Recent({ decisions: { log, undo, dismiss } }: { readonly decisions: Decisions }) {
  const { text } = useTexts();
  const { name } = useOutcomeText();
  const now = useNow(secondMs);
  const troubled = log.filter((one) => one.state === 'failed' || refusedOf(one).length > 0);
  const undoable = log.filter((one) => canUndo(one, now)).slice(0, mostShown);
  const [latest] = log;
  return (
    <Stack gap="xs">
      <VisuallyHidden role="status">
        {latest?.state === 'undone' && text('service.undone', { what: name(latest) })}
        {latest?.state === 'made' && name(latest)}
      </VisuallyHidden>
      {troubled.map((one) => (
        <Trouble key={one.id} made={one} dismiss={() => dismiss(one.id)} />
      ))}
      {undoable.map((one) => (
        <Group key={one.id} justify="space-between" wrap="nowrap">
          <Text size="sm">{name(one)}</Text>
          <Button variant="default" size="compact-sm" miw="max-content" onClick={() => undo(one)}>
            {text('service.undo', { seconds: Math.ceil((one.at + undoMs - now) / secondMs) })}
          </Button>
        </Group>
      ))}
    </Stack>
  );
}
