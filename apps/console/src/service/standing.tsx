import { Badge, Group } from '@mantine/core';
import { useFieldText } from './field-text.ts';
import { useTexts } from '../texts/texts.ts';
import type { FoundMembers, Member } from './queries.ts';

type Standing = Pick<FoundMembers['members'][number], 'siteid' | 'userstatus' | 'suspended' | 'deactivated'> &
  Partial<Pick<Member, 'deleted' | 'flags'>>;

const colors = { new: 'blue.9', approved: 'teal.9', rejected: 'red.9' } as const;

/** The states of a member, and findings in their texts. */
export function StandingBadges({ member }: { readonly member: Standing }) {
  const { text, valueText } = useTexts();
  const { userstatus, suspended, deactivated, deleted = false, flags = {} } = member;
  const label = useFieldText(member.siteid, Object.keys(flags));
  return (
    <Group gap="xs">
      <Badge color={colors[userstatus]}>{text(`service.status.${userstatus}`)}</Badge>
      {suspended && <Badge color="red.9">{text('service.status.suspended')}</Badge>}
      {deleted && <Badge color="red.9">{text('service.status.deleted')}</Badge>}
      {deactivated && <Badge variant="default">{text('service.status.deactivated')}</Badge>}
      {Object.entries(flags).map(([field, kinds]) => (
        <Badge key={field} color="yellow.4" tt="none">
          {`${label(field).replace(/(?<![?;])$/, ':')} ${kinds.map((kind) => valueText('service.flag', kind)).join(', ')}`}
        </Badge>
      ))}
    </Group>
  );
}
