import { z } from 'zod';
import { byCall } from './components.ts';

const share = z.number().min(0).max(1);
const positive = z.number().positive();

/** Calls of an active member in a day. */
const callsOfADay = {
  'GET /users/self': 6,
  'GET /users/{id}': 25,
  'GET /questions': 1,
  'POST /searches': 3,
  'GET /discover': 4,
  'GET /members/self/activity': 8,
  'GET /members/self/activity/likedme': 2,
  'POST /messages': 4,
  'GET /messages/{id}': 8,
  'POST /like': 10,
  'GET /photos/{file}': 80,
  'POST /photo': 0.03,
  'POST /token': 4,
  'sign-in': 0.05,
  'POST /members': 0.01,
};

/**
 * Assumptions of the sizing on members, their habits and the nodes. The defaults are judgments; replace them
 * with your own measurements.
 */
export const inputsSchema = z.strictObject({
  members: z.number().int().positive().default(1_000_000).describe('members that are not deleted'),
  active: share.default(0.15).describe('share of members who are active on a day'),
  recent: share.default(0.4).describe('share who were there in 60 days, whom the daily matching reads'),
  online: share.default(0.1).describe('share of the daily active members who have a socket at the peak'),
  peak: z.number().min(1).default(2.5).describe('calls per second at the peak, × the mean of the day'),
  market: share
    .default(0.2)
    .describe('share of members in the largest market: a group of sites, one country'),
  alerts: share.default(0.02).describe('share of members with a saved search that notifies'),
  updates: z.number().nonnegative().default(0.3).describe('changes of a profile by a member of a day'),
  utilization: share.default(0.7).describe('processor time that the peak may use, as the autoscalers'),
  calls: byCall.default(callsOfADay).describe('calls of a member on a day on which they are there'),
  kept: z
    .strictObject({
      pairs: positive,
      views: positive,
      messages: positive,
      signIns: positive,
      photos: positive,
    })
    .default({ pairs: 50, views: 60, messages: 80, signIns: 1.5, photos: 4 })
    .describe('what is stored of a member on average'),
  node: z
    .strictObject({ cores: positive, memory: positive, disk: positive })
    .default({ cores: 16, memory: 64, disk: 2_000 })
    .describe('a node of an engine: cores, GiB of memory, GB of disk'),
  shard: positive.default(30).describe('largest shard of the index, GB (Elastic advises 10 to 50)'),
  searchMs: positive.default(200).describe('longest time of a search on one shard, ms'),
});

/** The assumptions of the sizing. */
export type Inputs = z.output<typeof inputsSchema>;

/** The inputs with their defaults where none is given. */
export const readInputs = (given: z.input<typeof inputsSchema> = {}): Inputs => inputsSchema.parse(given);
