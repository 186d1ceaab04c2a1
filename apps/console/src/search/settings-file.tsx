import { Button, Group, JsonInput, Stack } from '@mantine/core';
import { Unsaved } from '../layout/unsaved.tsx';
import { useTexts } from '../texts/texts.ts';
import type { SearchSettings } from './queries.ts';
import { settingsText, type SettingsDraft } from './settings-draft.ts';

/** Edits all settings as the file that `covalence search-settings` takes. */
export function SettingsFile({
  settings,
  draft,
  onChange,
}: {
  readonly settings: SearchSettings;
  readonly draft: SettingsDraft | undefined;
  readonly onChange: (draft: SettingsDraft | undefined) => void;
}) {
  const { text } = useTexts();
  const { base, json } = draft ?? { base: settings, json: settingsText(settings) };
  return (
    <details>
      <summary>{text('search.allSettings')}</summary>
      <Unsaved isUnsaved={draft !== undefined} />
      <Stack gap="xs">
        <JsonInput
          label={text('search.file')}
          description={text('search.fileWhy')}
          validationError={text('search.notJson')}
          value={json}
          onChange={(next) => onChange(next === settingsText(base) ? undefined : { base, json: next })}
          autosize
          minRows={8}
          maxRows={24}
          spellCheck={false}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        />
        <Group>
          <Button variant="default" size="compact-sm" disabled={!draft} onClick={() => onChange(undefined)}>
            {text('search.discard')}
          </Button>
        </Group>
      </Stack>
    </details>
  );
}
