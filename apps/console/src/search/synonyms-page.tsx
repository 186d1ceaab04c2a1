import { Button, Card, Group, Select, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useIsMutating, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useApi, type PartProblem } from '../api/api.tsx';
import { Form } from '../layout/form.tsx';
import { Loaded, Page } from '../layout/page.tsx';
import { useTexts } from '../texts/texts.ts';
import { PublishDraft } from './publish-draft.tsx';
import { publishKey } from './publish.tsx';
import { settingsQuery, type SearchSettings } from './queries.ts';
import { draftOn, languagesIn, withTexts, type SettingsDraft } from './settings-draft.ts';
import { areLanguages } from './settings-shape.ts';
import { lineOf, rulesIn, stemmers, textOf, type LanguageText } from './synonym-text.ts';
import { Versions } from './versions.tsx';
import { useWorkbench } from './workbench.tsx';

/** Adds a language that has nothing yet. */
function NewLanguage({ onAdd }: { readonly onAdd: (language: string) => void }) {
  const { text } = useTexts();
  const [name, setName] = useState('');
  return (
    <Form
      onSubmit={() => {
        onAdd(name);
        setName('');
      }}
    >
      <Group align="end">
        <TextInput
          label={text('search.newLanguage')}
          placeholder="en"
          pattern="[a-z]{2,3}"
          required
          w={150}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Button type="submit" variant="default">
          {text('search.add')}
        </Button>
      </Group>
    </Form>
  );
}

/** Edits one language. */
function LanguageFields({
  value,
  onChange,
  isReadOnly,
}: {
  readonly value: LanguageText;
  readonly onChange: (value: LanguageText) => void;
  readonly isReadOnly: boolean;
}) {
  const { text } = useTexts();
  const { rules, stemmer, words } = value;
  return (
    <>
      <Textarea
        label={text('search.rules')}
        description={text('search.rulesWhy')}
        value={rules}
        onChange={(event) => onChange({ ...value, rules: event.currentTarget.value })}
        autosize
        minRows={8}
        maxRows={24}
        spellCheck={false}
        readOnly={isReadOnly}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
      />
      <Text size="sm" c="dimmed">
        {text('search.ruleCount', { count: rulesIn(rules).length })}
      </Text>
      <Group align="end" grow preventGrowOverflow={false}>
        <Select
          label={text('search.stemmer')}
          description={text('search.stemmerWhy')}
          placeholder={text('search.stemmerNone')}
          data={stemmers}
          value={stemmer ?? null}
          onChange={(chosen) => onChange({ ...value, stemmer: stemmers.find((one) => one === chosen) })}
          clearable
          clearButtonProps={{ 'aria-label': text('search.stemmerNone') }}
          readOnly={isReadOnly}
        />
        <TextInput
          label={text('search.protected')}
          description={text('search.protectedWhy')}
          value={words}
          onChange={(event) => onChange({ ...value, words: event.currentTarget.value })}
          spellCheck={false}
          readOnly={isReadOnly}
        />
      </Group>
    </>
  );
}

/** Edits one language after another. */
function LanguageEditor({ draft }: { readonly draft: SettingsDraft }) {
  const { text, language: shown } = useTexts();
  const { setDraft } = useWorkbench();
  const [wanted, setWanted] = useState<string>();
  const isPublishing = useIsMutating({ mutationKey: publishKey }) > 0;
  const languages = languagesIn(draft);
  const known = Object.keys({ ...languages, ...draft.texts }).toSorted();
  // A rollback may have removed it.
  const [changed = known[0]] = Object.keys(draft.texts ?? {});
  const chosen = wanted !== undefined && known.includes(wanted) ? wanted : changed;
  const names = new Intl.DisplayNames(shown, { type: 'language' });
  const textIn = (language: string) => draft.texts?.[language] ?? textOf(languages[language]);
  return (
    <>
      <Group align="end">
        <Select
          label={text('search.language')}
          data={known.map((value) => ({ value, label: `${names.of(value) ?? value} (${value})` }))}
          value={chosen ?? null}
          onChange={(value) => value && setWanted(value)}
          allowDeselect={false}
          disabled={!known.length}
        />
        <NewLanguage
          onAdd={(language) => {
            setDraft(withTexts(draft, { [language]: textIn(language) }));
            setWanted(language);
          }}
        />
      </Group>
      {chosen !== undefined && (
        <LanguageFields
          value={textIn(chosen)}
          onChange={(value) => setDraft(withTexts(draft, { [chosen]: value }))}
          isReadOnly={isPublishing}
        />
      )}
    </>
  );
}

/** Edits synonyms; what was changed stays until it is published or discarded. */
function SynonymEditor({ settings }: { readonly settings: SearchSettings }) {
  const { text } = useTexts();
  const { draft: edited, setDraft } = useWorkbench();
  const draft = draftOn(settings, edited);
  const describe = (problem: PartProblem) => {
    const line = lineOf(problem);
    return line
      ? text('search.problemAt', { language: line.language, line: line.line, problem: problem.problem })
      : `${problem.path} ${problem.problem}`;
  };
  return (
    <Stack>
      {areLanguages(languagesIn(draft)) ? (
        <LanguageEditor draft={draft} />
      ) : (
        <Text>{text('search.otherShape')}</Text>
      )}
      <PublishDraft settings={settings} draft={draft} describe={describe} onLeave={() => setDraft(undefined)}>
        <Button variant="default" size="compact-sm" component={Link} to="/search/compare">
          {text('search.tryChange')}
        </Button>
      </PublishDraft>
    </Stack>
  );
}

/** Synonyms, stemmers and protected words by language, from an idea to a published version and back. */
export function SynonymsPage() {
  const { text } = useTexts();
  const query = useQuery(settingsQuery(useApi()));
  return (
    <Page title={text('search.synonyms')}>
      <Card withBorder>
        <Loaded query={query}>{(settings) => <SynonymEditor settings={settings} />}</Loaded>
      </Card>
      <Versions />
    </Page>
  );
}
