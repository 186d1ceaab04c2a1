import { NativeSelect, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useApi } from '../../api/api.tsx';
import { useTexts } from '../../texts/texts.ts';
import { Changes } from '../changes.tsx';
import { noteLength } from '../note-field.tsx';
import { settingsQuery, type SettingsChange } from '../queries.ts';
import { changeIn, draftChanges, draftNote } from '../settings-draft.ts';
import { useWorkbench } from '../workbench.tsx';

/** The settings of a run, by choice: those in force, the person's draft, or a version by its number. */
export type Choice = 'inForce' | 'draft' | `${number}`;

/** The changes that a choice makes to the settings in force, and a note that says so. */
export function useTried(choice: Choice) {
  const { text } = useTexts();
  const { changed: draft } = useWorkbench();
  const version = choice === 'draft' || choice === 'inForce' ? undefined : Number(choice);
  const query = useQuery({ ...settingsQuery(useApi(), version), enabled: version !== undefined });
  if (choice === 'draft' && draft) {
    const note = draftNote(draft, text('search.changes.default')).slice(0, noteLength);
    return { change: changeIn(draft), note, isReady: changeIn(draft) !== undefined };
  }
  if (version === undefined) return { change: undefined, note: '', isReady: true };
  const { data } = query;
  const change: SettingsChange | undefined = data && { languages: data.languages, relevance: data.relevance };
  return { change, note: text('judgments.ofVersion', { version }), isReady: data !== undefined };
}

/** Chooses the settings to run a set with. Hidden from whom may not read settings. */
export function TriedSettings({
  choice,
  onChange,
}: {
  readonly choice: Choice;
  readonly onChange: (choice: Choice) => void;
}) {
  const { text } = useTexts();
  const { changed: draft } = useWorkbench();
  const { data: settings } = useQuery({ ...settingsQuery(useApi()), retry: false });
  if (!settings) return null;
  const older = settings.versions.filter(({ version }) => version !== settings.version);
  return (
    <Stack gap={4}>
      <NativeSelect
        label={text('judgments.settings')}
        data={[
          { value: 'inForce', label: text('judgments.settings.inForce', { version: settings.version }) },
          ...(draft ? [{ value: 'draft', label: text('judgments.settings.draft') }] : []),
          ...older.map(({ version, note }) => ({
            value: String(version),
            label: `${text('judgments.ofVersion', { version })}${note && ` · ${note}`}`,
          })),
        ]}
        value={choice}
        onChange={({ currentTarget: { value } }) => onChange(value as Choice)}
        maw={360}
      />
      {choice === 'draft' && draft ? (
        <Changes title={text('search.changes')} changes={draftChanges(draft, text)} />
      ) : (
        <Text size="sm">
          {text('judgments.settings.why')} <Link to="/search/compare">{text('search.compare')}</Link>,{' '}
          <Link to="/search/synonyms">{text('search.synonyms')}</Link>
        </Text>
      )}
    </Stack>
  );
}
