import type { Gender } from '@covalence/contract/record';

/** First names of people born up to a year, separated by white space. */
export type FirstNames = readonly (Readonly<Record<Gender, string>> & { readonly until: number })[];
