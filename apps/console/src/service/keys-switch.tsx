import { Switch } from '@mantine/core';
import { useTexts } from '../texts/texts.ts';

/** Says which keys do what, and turns them off for those whom they hinder. */
export function KeysSwitch({
  list,
  isOn,
  onChange,
}: {
  readonly list: string;
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
}) {
  const { text } = useTexts();
  return (
    <Switch
      label={text('service.keys')}
      description={list}
      checked={isOn}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  );
}
