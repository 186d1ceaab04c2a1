import { Alert, Badge, Button, Card, Group, Stack, Table, Text, Textarea, Title } from '@mantine/core';
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { dataOf, Refused, useApi } from '../api/api.tsx';
import { useDraft, useDrafts } from '../layout/drafts.tsx';
import { Form } from '../layout/form.tsx';
import { useFormats } from '../layout/formats.ts';
import { Page, Problem } from '../layout/page.tsx';
import { WideTable } from '../layout/wide-table.tsx';
import { memberName } from '../layout/member-link.tsx';
import { useTexts } from '../texts/texts.ts';
import { appealsQuery, type Appeal } from './appeal-queries.ts';
import { AppealView, subjectName } from './appeal-view.tsx';
import type { Why } from './decisions.ts';
import { useKeys } from './keys.ts';
import { KeysSwitch } from './keys-switch.tsx';
import { Listed } from '../layout/listed.tsx';
import classes from './photo.module.css';
import { longestReason, queueKey, type ReasonKind } from './queue-queries.ts';
import { ReasonPanel } from './reason-panel.tsx';
import { useVeil } from './veil.ts';

/** A decision on an appeal; the member receives the text or the saved reason. */
interface Ruling {
  readonly appeal: Appeal;
  readonly outcome: 'grant' | 'refuse';
  readonly why: Why | undefined;
}

type Decide = (ruling: Omit<Ruling, 'appeal'>, onMade: () => void) => void;

const kinds: Readonly<Record<string, ReasonKind>> = {
  reject: 'profile',
  'reject-text': 'text',
  'reject-photo': 'photo',
};

/** The saved reasons that fit as the answer; none to a reporter, because they say what is wrong with a member. */
const kindOf = ({ reported, decision }: Appeal) =>
  reported === undefined ? (kinds[decision.action] ?? 'account') : undefined;

/** Decides on appeals. The result of a decision is shown until the next one. */
function useRulings() {
  const api = useApi();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ appeal: { appeal_id: appealid }, outcome, why }: Ruling) => {
      const body = !why ? {} : 'reason_id' in why ? why : { answer: why.reason };
      return dataOf(
        api.POST(`/staff/appeals/{appealid}/${outcome}`, { params: { path: { appealid } }, body }),
      );
    },
    onSettled: () => queries.invalidateQueries({ queryKey: queueKey }),
  });
}

/** The outcome of the last decision, in words. */
function Outcome({
  rulings: { variables, data, error, isSuccess },
}: {
  readonly rulings: ReturnType<typeof useRulings>;
}) {
  const { text } = useTexts();
  const { appeal, outcome } = variables ?? {};
  const said = () => {
    if (!isSuccess || !appeal) return '';
    const id = memberName(appeal);
    if (outcome === 'refuse') return text('service.appeals.refused', { id });
    return text(data.taken_back ? 'service.appeals.granted' : 'service.appeals.grantedNothing', { id });
  };
  const refusal = () => {
    if (!(error instanceof Refused)) return undefined;
    // The author of the decision has no buttons.
    if (error.isForbidden) return text('service.appeals.everySite');
    return error.status === 409 ? text('service.appeals.decided') : undefined;
  };
  const why = refusal();
  return (
    <>
      <Text role="status">{said()}</Text>
      {error && why === undefined && <Problem error={error} />}
      {why !== undefined && (
        <Alert
          color="red"
          role="alert"
          title={appeal && text('service.appeals.of', { id: memberName(appeal) })}
        >
          {why}
        </Alert>
      )}
    </>
  );
}

/** Asks for the text that the member receives before an appeal is granted. */
function Grant({
  draft,
  consequence,
  onGrant,
  onCancel,
}: {
  readonly draft: string;
  readonly consequence: string;
  readonly onGrant: (why?: Why) => void;
  readonly onCancel: () => void;
}) {
  const { text } = useTexts();
  const [{ answer }, change] = useDraft(draft, { answer: '' });
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => field.current?.focus(), []);
  return (
    <Card withBorder component="section" aria-label={text('service.appeals.grant')}>
      <Form onSubmit={() => onGrant(answer ? { reason: answer } : undefined)}>
        <Stack gap="xs">
          <Text>{consequence}</Text>
          <Textarea
            ref={field}
            label={text('service.appeals.answer')}
            value={answer}
            onChange={(event) => change({ answer: event.currentTarget.value })}
            onKeyDown={(event) => event.key === 'Escape' && onCancel()}
            maxLength={longestReason}
            autosize
            minRows={2}
          />
          <Group>
            <Button type="submit" color="teal.9">
              {text('service.appeals.grant')}
            </Button>
            <Button variant="default" onClick={onCancel}>
              {text('service.cancel')}
            </Button>
          </Group>
        </Stack>
      </Form>
    </Card>
  );
}

const consequenceOf = ({ in_force: isInForce, reported }: Appeal) => {
  if (!isInForce) return 'service.appeals.nothing';
  return reported === undefined ? 'service.appeals.consequence' : 'service.appeals.reopens';
};

/** The appeal at hand, and the decisions on it with their keys. */
function AtHand({
  appeal,
  hasMoved,
  hasKeys,
  isPending,
  onDecide,
  onSkip,
}: {
  readonly appeal: Appeal;
  /** Another one was at hand before: the focus goes on to this one. */
  readonly hasMoved: boolean;
  readonly hasKeys: boolean;
  readonly isPending: boolean;
  readonly onDecide: Decide;
  readonly onSkip: () => void;
}) {
  const { text } = useTexts();
  const { change: changeVeil } = useVeil();
  const [asked, setAsked] = useState<'grant' | 'refuse'>();
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (hasMoved) title.current?.focus();
    // Only when it comes to hand.
  }, []);
  const isOpen = !appeal.own && !isPending;
  const decisions = { a: () => setAsked('grant'), r: () => setAsked('refuse') };
  const keys = { b: changeVeil, ...(!asked && { s: onSkip, ...(isOpen && decisions) }) };
  useKeys(hasKeys ? keys : {});
  const cancel = () => setAsked(undefined);
  const drafts = { grant: `grant ${appeal.appeal_id}`, refuse: `refuse ${appeal.appeal_id}` };
  const { end } = useDrafts();
  const decide = (ruling: Omit<Ruling, 'appeal'>) =>
    onDecide(ruling, () => Object.values(drafts).forEach(end));
  return (
    <Stack component="section" aria-label={text('service.appeals.of', { id: memberName(appeal) })}>
      <Title order={2} size="h4" ref={title} tabIndex={-1}>
        {text('service.appeals.of', { id: memberName(appeal) })}
      </Title>
      {appeal.own && (
        <Alert color="yellow" role="alert">
          {text('service.appeals.own')}
        </Alert>
      )}
      {asked === 'grant' && (
        <Grant
          draft={drafts.grant}
          consequence={text(consequenceOf(appeal))}
          onGrant={(why) => decide({ outcome: 'grant', why })}
          onCancel={cancel}
        />
      )}
      {asked === 'refuse' && (
        <ReasonPanel
          kind={kindOf(appeal)}
          sites={[appeal.siteid]}
          draft={drafts.refuse}
          title={text('service.appeals.why')}
          action={text('service.appeals.refuse')}
          own={text('service.appeals.answer')}
          onChosen={(why) => decide({ outcome: 'refuse', why })}
          onCancel={cancel}
        />
      )}
      {!asked && (
        <Group className={classes.actions}>
          {!appeal.own && (
            <>
              <Button color="teal.9" loading={isPending} onClick={decisions.a}>
                {`${text('service.appeals.grant')} (A)`}
              </Button>
              <Button color="red.9" loading={isPending} onClick={decisions.r}>
                {`${text('service.appeals.refuse')} (R)`}
              </Button>
            </>
          )}
          <Button variant="default" onClick={onSkip}>
            {`${text('service.skip')} (S)`}
          </Button>
        </Group>
      )}
      <AppealView appeal={appeal} />
    </Stack>
  );
}

/** The appeals that wait, oldest first. */
function Waiting({
  appeals,
  onOpen,
}: {
  readonly appeals: readonly Appeal[];
  readonly onOpen: (appeal: Appeal) => void;
}) {
  const { text, valueText } = useTexts();
  const { waited } = useFormats();
  return (
    <WideTable
      minWidth={480}
      head={[
        text('service.queue.waiting'),
        text('service.site'),
        text('service.bans.memberShort'),
        text('service.appeals.decision'),
        text('search.action'),
      ]}
    >
      {appeals.map((appeal) => (
        <Table.Tr key={appeal.appeal_id}>
          <Table.Td>{waited(appeal.filed_at)}</Table.Td>
          <Table.Td>{appeal.siteid}</Table.Td>
          <Table.Td>{memberName(appeal)}</Table.Td>
          <Table.Td>
            {[
              valueText('service.action', appeal.decision.action),
              ...(appeal.reported === undefined ? [] : [subjectName(appeal)]),
            ].join(' · ')}{' '}
            {appeal.own && <Badge variant="default">{text('service.appeals.yours')}</Badge>}
          </Table.Td>
          <Table.Td>
            <Button
              variant="default"
              size="compact-sm"
              aria-label={`${text('service.appeals.open')}: ${text('service.appeals.of', { id: memberName(appeal) })}`}
              onClick={() => onOpen(appeal)}
            >
              {text('service.appeals.open')}
            </Button>
          </Table.Td>
        </Table.Tr>
      ))}
    </WideTable>
  );
}

/** The appeals that wait: one at hand, and the list. */
export function AppealsPage() {
  const { text } = useTexts();
  const query = useInfiniteQuery(appealsQuery(useApi()));
  const rulings = useRulings();
  const [chosen, setChosen] = useState<string>();
  const [hasKeys, setHasKeys] = useState(true);
  return (
    <Page title={text('service.appeals')}>
      <KeysSwitch list={text('service.appeals.keys')} isOn={hasKeys} onChange={setHasKeys} />
      <Outcome rulings={rulings} />
      <Listed query={query}>
        {(appeals) => {
          const free = appeals.filter(({ own }) => !own);
          const atHand = appeals.find(({ appeal_id: id }) => id === chosen) ?? free[0] ?? appeals[0];
          // Skipping goes round those that this account may decide.
          const next = free[(free.findIndex((one) => one === atHand) + 1) % free.length];
          return (
            <Stack>
              {atHand && (
                <AtHand
                  key={atHand.appeal_id}
                  appeal={atHand}
                  hasMoved={chosen !== undefined || !rulings.isIdle}
                  hasKeys={hasKeys}
                  isPending={rulings.isPending}
                  onDecide={(ruling, onSuccess) =>
                    rulings.mutate({ ...ruling, appeal: atHand }, { onSuccess })
                  }
                  onSkip={() => setChosen(next?.appeal_id)}
                />
              )}
              <Card withBorder>
                <Waiting appeals={appeals} onOpen={({ appeal_id: id }) => setChosen(id)} />
              </Card>
            </Stack>
          );
        }}
      </Listed>
    </Page>
  );
}
