import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import type { PartProblem } from '../api/api.tsx';
import { useTexts } from '../texts/texts.ts';
import { Publish } from './publish.tsx';
import { newestOf, type SearchSettings } from './queries.ts';
import { changeIn, draftChanges, isChanged, type SettingsDraft } from './settings-draft.ts';

/** Publishes, saves or discards a draft. */
export function PublishDraft({
  settings,
  draft,
  isReady = true,
  describe,
  onLeave,
  children,
}: {
  readonly settings: SearchSettings;
  readonly draft: SettingsDraft;
  /** Whether what is shown is what would be published. */
  readonly isReady?: boolean;
  readonly describe?: (problem: PartProblem) => string;
  /** Ends the draft. */
  readonly onLeave: () => void;
  readonly children?: ReactNode;
}) {
  const { text } = useTexts();
  return (
    <Publish
      after={newestOf(draft.base.versions)}
      current={newestOf(settings.versions)}
      change={changeIn(draft)}
      changes={draftChanges(draft, text)}
      isReady={isReady}
      {...(describe && { describe })}
      onPublished={onLeave}
    >
      {children}
      <Button variant="default" size="compact-sm" disabled={!isChanged(draft)} onClick={onLeave}>
        {text('search.discard')}
      </Button>
    </Publish>
  );
}
