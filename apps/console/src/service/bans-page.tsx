import { Card, NumberInput, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { Page } from '../layout/page.tsx';
import { useTexts } from '../texts/texts.ts';
import { Bans } from './bans.tsx';

const typedMs = 300;

/** The ban list, of one member or of all. */
export function BansPage() {
  const { text } = useTexts();
  const [member, setMember] = useState<number | string>('');
  const [wanted] = useDebouncedValue(member, typedMs);
  return (
    <Page title={text('service.bans')}>
      <Text>{text('service.bans.how')}</Text>
      <NumberInput
        label={text('service.bans.member')}
        value={member}
        onChange={setMember}
        min={1}
        allowDecimal={false}
        hideControls
        maw={240}
      />
      <Card withBorder>
        <Bans {...(wanted !== '' && { member: Number(wanted) })} />
      </Card>
    </Page>
  );
}
