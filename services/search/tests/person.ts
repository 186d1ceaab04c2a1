import type { SearchProjection } from '@covalence/contract/search-projection';
import { member } from './population.ts';

/** The default position. */
export const lincoln = { lat: 40.81, lon: -96.7 };

/** A visible member of the first site who prefers the other gender. */
export const person = (
  id: number,
  gender: 'Male' | 'Female',
  facts: Partial<SearchProjection> = {},
): SearchProjection =>
  member(id, {
    visible: true,
    siteid: 1,
    group: 'heartland',
    country: 'US',
    gender,
    gender_preference: gender === 'Male' ? 'Female' : 'Male',
    date_of_birth: '1990-01-01',
    position: lincoln,
    ...facts,
  });
