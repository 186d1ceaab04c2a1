import { v7 } from 'uuid';

let counter = 0;
/** A line of an import, with names of its own. */
export const line = (parameters: object = {}, parts: object = {}) => {
  counter += 1;
  return {
    member_id: v7(),
    parameters: {
      siteid: 1,
      username: `imported${counter}`,
      email: `imported${counter}@example.org`,
      gender: 'Female',
      gender_preference: 'Male',
      date_of_birth: '1991-02-03',
      country: 'US',
      city: 'Austin',
      state: 'Texas',
      zip: '78701',
      latitude: 30.27,
      longitude: -97.74,
      headline: 'Someone imported',
      about_me: 'I like long walks. '.repeat(20).trim(),
      smoking: 10,
      language: [10, 20],
      userstatus: 'approved',
      world_plus: 'opted-in',
      date_registered: '2025-01-02T03:04:05Z',
      last_seen: '2026-01-02T03:04:05+01:00',
      ...parameters,
    } as Record<string, unknown>,
    ...parts,
  };
};

/** One of them. */
export type Line = ReturnType<typeof line>;
