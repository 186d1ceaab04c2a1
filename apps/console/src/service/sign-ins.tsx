import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { dataOf, useApi } from '../api/api.tsx';
import { useFormats } from '../layout/formats.ts';
import { Loaded } from '../layout/page.tsx';
import { Part } from '../layout/part.tsx';
import { usePerson } from '../session/person.ts';
import { useTexts } from '../texts/texts.ts';
import { Confirm } from './confirm.tsx';
import { signInsQuery, type Member, type Recovery, type SignIn } from './queries.ts';

/** Calls about the sign-ins of a member, after which they are read again. */
function useSignInCalls(member: number) {
  const api = useApi();
  const queries = useQueryClient();
  const path = { id: String(member) };
  const renewAfter = async (call: Promise<unknown>) => {
    await call;
    await queries.invalidateQueries({ queryKey: signInsQuery(api, member).queryKey });
  };
  return {
    end: (sessionid: string) => {
      const params = { path: { ...path, sessionid } };
      return renewAfter(dataOf(api.DELETE('/staff/members/{id}/sessions/{sessionid}', { params })));
    },
    endAll: () => renewAfter(dataOf(api.DELETE('/staff/members/{id}/sessions', { params: { path } }))),
    recover: () => renewAfter(dataOf(api.POST('/staff/members/{id}/recovery', { params: { path } }))),
    stopRecovery: () => renewAfter(dataOf(api.DELETE('/staff/members/{id}/recovery', { params: { path } }))),
  };
}

function SignIns({ member, signIns }: { readonly member: number; readonly signIns: readonly SignIn[] }) {
  const { text } = useTexts();
  const { time } = useFormats();
  const { end, endAll } = useSignInCalls(member);
  if (!signIns.length) return <Text c="dimmed">{text('service.signIns.none')}</Text>;
  return (
    <>
      {signIns.map(({ id, client, platform, device_name, browser, since, last_used }) => (
        <Group key={id} justify="space-between">
          <div>
            <Text>{[client, platform, device_name, browser].filter((one) => one !== null).join(' · ')}</Text>
            <Text size="sm" c="dimmed">
              {text('service.signIns.times', { since: time(since), used: time(last_used) })}
            </Text>
          </div>
          <Confirm
            label={text('service.signIns.end')}
            consequence={text('service.signIns.end.consequence')}
            hasReason={false}
            run={() => end(id)}
          />
        </Group>
      ))}
      <Group>
        <Confirm
          label={text('service.signIns.endAll')}
          consequence={text('service.signIns.endAll.consequence')}
          hasReason={false}
          run={endAll}
        />
      </Group>
    </>
  );
}

function AccountRecovery({
  member: { id, siteid },
  recovery,
}: {
  readonly member: Member;
  readonly recovery: Recovery | null;
}) {
  const { text } = useTexts();
  const { time } = useFormats();
  const { recover, stopRecovery } = useSignInCalls(id);
  const maySupport = usePerson().holdsOn(siteid, 'support');
  const begun = recovery?.by_support ? 'service.recovery.bySupport' : 'service.recovery.byMail';
  return (
    <>
      {recovery && (
        <Alert color="yellow" role="status">
          {text(begun, { from: time(recovery.from), until: time(recovery.until) })}
        </Alert>
      )}
      {maySupport && (
        <Group gap="xs">
          <Confirm
            label={text(recovery?.by_support ? 'service.recovery.mailAgain' : 'service.recovery')}
            consequence={text('service.recovery.consequence')}
            hasReason={false}
            run={recover}
          />
          {recovery && (
            <Confirm
              label={text('service.recovery.stop')}
              consequence={text('service.recovery.stop.consequence')}
              hasReason={false}
              run={stopRecovery}
            />
          )}
        </Group>
      )}
    </>
  );
}

/** The sign-ins of a member and the recovery of the account. They are read on request only, because that is recorded. */
export function SignInsPart({ member }: { readonly member: Member }) {
  const { text } = useTexts();
  const [isShown, setIsShown] = useState(false);
  const query = useQuery({ ...signInsQuery(useApi(), member.id), enabled: isShown });
  return (
    <Part
      title={text('service.signIns')}
      aside={
        <Button
          variant="default"
          size="compact-sm"
          onClick={() => {
            if (isShown) void query.refetch();
            setIsShown(true);
          }}
        >
          {text(isShown ? 'operations.renew' : 'service.signIns.show')}
        </Button>
      }
    >
      {isShown ? (
        <Loaded query={query}>
          {({ sessions, recovery }) => (
            <Stack gap="xs">
              <AccountRecovery member={member} recovery={recovery} />
              <SignIns member={member.id} signIns={sessions} />
            </Stack>
          )}
        </Loaded>
      ) : (
        <Text size="sm">{text('service.signIns.recorded')}</Text>
      )}
    </Part>
  );
}
