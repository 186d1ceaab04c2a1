import type { Random } from '../random.ts';

/** Five leanings around 0, mostly between -2 and 2, that color tastes, habits and the tone of texts. */
export interface Character {
  readonly sociability: number;
  readonly openness: number;
  /** Order, punctuality, ambition. */
  readonly drive: number;
  readonly warmth: number;
  readonly daring: number;
}

/** Draws a character: daring goes with sociability and openness and fades with age. */
export function drawCharacter(random: Random, age: number): Character {
  const lean = () => random.normal(0, 1);
  const sociability = lean();
  const openness = lean();
  return {
    sociability,
    openness,
    drive: lean(),
    warmth: lean(),
    daring: 0.6 * lean() + 0.35 * sociability + 0.4 * openness - (age - 38) * 0.015,
  };
}

/** Steps 1 to 5 of the catalogue's personality (`p_`) and lifestyle (`ls_`) scales. */
export function scales(
  random: Random,
  who: Character & { readonly devotion: number },
): Record<string, number> {
  const step = (leaning: number) => 3 + leaning * 0.85 + random.normal(0, 0.45);
  return {
    p_adventurousness: step(who.daring),
    p_affectionateness: step(who.warmth),
    p_believability: step(0.5 + who.warmth * 0.4),
    p_confidence: step(who.sociability * 0.5 + who.drive * 0.4),
    p_independence: step(who.drive * 0.3 - who.warmth * 0.2 + 0.4),
    p_mood: step(0.3 + who.sociability * 0.4),
    p_romance: step(who.warmth * 0.8),
    p_sociability: step(who.sociability),
    p_thought_process: step(who.openness * 0.7),
    p_tolerance: step(who.openness * 0.5 + who.warmth * 0.4),
    ls_dress: step(who.drive * 0.4),
    ls_energy: step(who.daring * 0.5 + who.sociability * 0.3),
    ls_happy_hour: step(who.sociability * 0.8 - 0.4),
    ls_neatness: step(who.drive * 0.8),
    ls_punctuality: step(who.drive * 0.9),
    ls_religion: 1 + who.devotion * 4 + random.normal(0, 0.3),
    ls_school: step(who.openness * 0.6),
    ls_spending: step(who.daring * 0.4 - who.drive * 0.3),
    ls_travel: step(who.openness * 0.6 + who.daring * 0.4),
    ls_weekends: step(who.sociability * 0.6),
    ls_what_do_you_do: step(0),
    ls_work_ethic: step(0.5 + who.drive * 0.7),
  };
}
