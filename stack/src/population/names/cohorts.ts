/** A gender as the catalogue writes it. */
export type Gender = 'Female' | 'Male';

/** First names of people born up to a year, separated by white space. */
export type FirstNames = readonly (Readonly<Record<Gender, string>> & { readonly until: number })[];
