import { createContext, use, useCallback, useMemo, useState, type ReactNode } from 'react';
import { Unsaved } from './unsaved.tsx';

/** Fields of a form; with a text that is not empty it is worth asking for. */
type Draft = Readonly<Record<string, unknown>>;

interface Kept {
  readonly drafts: ReadonlyMap<string, Draft>;
  /** Keeps a draft under a key; undefined ends it. */
  readonly keep: (key: string, draft: Draft | undefined) => void;
}

const DraftsContext = createContext<Kept>({ drafts: new Map(), keep: () => undefined });

const isTyped = (draft: Draft) =>
  Object.values(draft).some((each) => typeof each === 'string' && each !== '');

/** Keeps what is typed on the page, also while the page shows something else, and asks before leaving loses it. */
export function Drafts({ children }: { readonly children: ReactNode }) {
  const [drafts, setDrafts] = useState<Kept['drafts']>(new Map());
  const keep = useCallback(
    (key: string, draft: Draft | undefined) =>
      setDrafts((all) => {
        const others = [...all].filter(([each]) => each !== key);
        return new Map(draft ? [...others, [key, draft]] : others);
      }),
    [],
  );
  return (
    <DraftsContext value={useMemo(() => ({ drafts, keep }), [drafts, keep])}>
      <Unsaved isUnsaved={[...drafts.values()].some(isTyped)} />
      {children}
    </DraftsContext>
  );
}

/** The draft of a key, with the empty fields at first, and a function that changes it; undefined ends it. */
export function useDraft<Fields extends Draft>(key: string, empty: Fields) {
  const { drafts, keep } = use(DraftsContext);
  const draft: Fields = { ...empty, ...drafts.get(key) };
  const change = (to: Partial<Fields> | undefined) => keep(key, to && { ...draft, ...to });
  return [draft, change] as const;
}

/** The drafts with a text by key, and a function that ends a draft. */
export function useDrafts() {
  const { drafts, keep } = use(DraftsContext);
  const typed = [...drafts].filter(([, draft]) => isTyped(draft));
  return { typed, end: useCallback((key: string) => keep(key, undefined), [keep]) };
}
