import { JsonInput } from '@mantine/core';
import { Details } from '../layout/details.tsx';
import { useTexts } from '../texts/texts.ts';
import { settingsText, withJson, type SettingsDraft } from './settings-draft.ts';

interface SettingsFileProps {
  readonly draft: SettingsDraft;
  readonly onChange: (draft: SettingsDraft) => void;
}

function SettingsInput({ draft, onChange }: SettingsFileProps) {
  const { text } = useTexts();
  return (
    <JsonInput
      label={text('search.file')}
      description={text('search.fileWhy')}
      validationError={text('search.notJson')}
      value={settingsText(draft)}
      onChange={(next) => onChange(withJson(draft, next))}
      autosize
      minRows={8}
      maxRows={24}
      spellCheck={false}
      styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
    />
  );
}

/** Edits all settings as the file that `covalence search-settings` takes. */
export function SettingsFile(props: SettingsFileProps) {
  const { text } = useTexts();
  return (
    <Details summary={text('search.allSettings')}>
      <SettingsInput {...props} />
    </Details>
  );
}
