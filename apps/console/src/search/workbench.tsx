import { useBlocker } from '@tanstack/react-router';
import { createContext, use, useState, type ReactNode } from 'react';
import type { ComparisonRequest } from './queries.ts';
import { isChanged, type SettingsDraft } from './settings-draft.ts';

/** A search to compare: who searches for what. */
export type ComparedSearch = Pick<ComparisonRequest, 'member' | 'criteria' | 'sortby' | 'as_subscriber'>;

/** State that the pages of the search team share. */
interface Workbench {
  /** Settings that a page edits. */
  readonly draft: SettingsDraft | undefined;
  /** The same, where they differ from those in force. */
  readonly changed: SettingsDraft | undefined;
  readonly setDraft: (draft: SettingsDraft | undefined) => void;
  /** The search that was compared last. */
  readonly search: ComparedSearch | undefined;
  readonly setSearch: (search: ComparedSearch) => void;
}

const WorkbenchContext = createContext<Workbench | undefined>(undefined);

/** Keeps unpublished settings while a person goes from page to page; asks before the tab loses them. */
export function WorkbenchProvider({ children }: { readonly children: ReactNode }) {
  const [draft, setDraft] = useState<SettingsDraft>();
  const [search, setSearch] = useState<ComparedSearch>();
  const changed = draft && isChanged(draft) ? draft : undefined;
  useBlocker({ shouldBlockFn: () => false, enableBeforeUnload: true, disabled: !changed });
  return (
    <WorkbenchContext value={{ draft, changed, setDraft, search, setSearch }}>{children}</WorkbenchContext>
  );
}

/** Returns the state that the pages of the search team share. */
export function useWorkbench(): Workbench {
  const workbench = use(WorkbenchContext);
  if (!workbench) throw new Error('there is no WorkbenchProvider above');
  return workbench;
}
