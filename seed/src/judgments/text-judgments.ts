import type { SeedMember } from '../population/population.ts';
import type { Interest } from '../population/traits/interest-clusters.ts';
import type { Preferences } from '../population/traits/preferences.ts';
import { ageOf } from './grade.ts';
import { gradesFor, type Seeded } from './seeded-member.ts';

/** Search words for interests: as written in texts, in another form, or with a typo. */
const interests: Readonly<Partial<Record<Interest, string>>> = {
  board_games: 'board game',
  camping: 'camping',
  cooking: 'cooking',
  dancing: 'dancing',
  football: 'footbal',
  gardening: 'gardening',
  opera: 'operas',
  painting: 'painting',
  philosophy: 'philosophy',
  photography: 'photographs',
  snowboarding: 'snowboards',
  tennis: 'tenis',
};

/** Search words for favorites: without accents, in another form, or with a typo. */
const favorites: Readonly<Record<string, readonly [typed: string, meant: string]>> = {
  f_book: ['pride and prejudices', 'Pride and Prejudice'],
  f_magazine: ['bon appetit', 'Bon Appétit'],
  f_sport: ['swim', 'swimming'],
  f_type_of_food: ['etiopian', 'Ethiopian'],
};

/** Grades by the answer to an interest. */
const grades: Readonly<Record<number, number>> = { 10: 0, 20: 1, 30: 2, 40: 3 };

interface TextSearch {
  readonly typed: string;
  /** Whether a member would search for it. */
  readonly isOf: (searcher: SeedMember) => boolean;
  /** Without `age`, the preferred ages of the searcher apply. */
  readonly criteria: { readonly age?: Preferences['age'] } & Readonly<Record<string, unknown>>;
  /** 0 to 3. */
  readonly gradeOf: (other: SeedMember) => number;
}

const gradeBy =
  (interest: string) =>
  ({ fields }: SeedMember) =>
    grades[Number(fields[`i_${interest}`])] ?? 0;

const searches: readonly TextSearch[] = [
  ...Object.entries(interests).map(([interest, typed]) => ({
    typed,
    isOf: (searcher: SeedMember) => gradeBy(interest)(searcher) === 3,
    criteria: { keywords: { value: typed } },
    gradeOf: gradeBy(interest),
  })),
  ...Object.entries(favorites).map(([field, [typed, meant]]) => ({
    typed,
    isOf: () => true,
    criteria: { age: { from: 18, to: 120 }, [field]: { value: typed } },
    gradeOf: ({ fields }: SeedMember) => (fields[field] === meant ? 3 : 0),
  })),
];

/** The judged search of one member. */
function searchBy(
  searcher: Seeded,
  { typed, criteria, gradeOf }: TextSearch,
  all: readonly Seeded[],
  now: Date,
) {
  const asked = { age: searcher.member.preferences.age, ...criteria };
  const grades = gradesFor(searcher, all, (other) => {
    const years = ageOf(other, now);
    return years >= asked.age.from && years <= asked.age.to ? gradeOf(other) : 0;
  });
  if (!grades) return undefined;
  const { member, projection } = searcher;
  return { name: `${typed}: ${member.username}`, member: projection.id, criteria: asked, grades };
}

/**
 * Searches by words, each by the first member who would search for it and can find enough. Grades depend on answers to
 * the interest or on the favorite, not on texts.
 */
export function textJudgments(all: readonly Seeded[], now: Date) {
  return searches.flatMap((search) => {
    for (const searcher of all) {
      if (!searcher.projection.visible || !search.isOf(searcher.member)) continue;
      const judged = searchBy(searcher, search, all, now);
      if (judged) return [judged];
    }
    return [];
  });
}
