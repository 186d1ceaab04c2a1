import { engineNames, type EngineName } from '@covalence/stack/engines/engine';
import { serviceNames, type ServiceName } from '@covalence/stack/services/service-name';
import { z } from 'zod';

/** A service or an engine: what uses processor time and memory. */
export type Part = ServiceName | EngineName;

/** The services, then the engines. */
export const parts: readonly Part[] = [...serviceNames, ...engineNames];

/** A number of each service and engine. */
export const byPart = z.record(z.enum([...serviceNames, ...engineNames]), z.number().nonnegative());

/** A number of each part. */
export const ofParts = (value: (part: Part) => number) =>
  Object.fromEntries(parts.map((part) => [part, value(part)])) as Readonly<Record<Part, number>>;

/** The kinds of calls that the sizing counts. */
export const callKinds = [
  'GET /users/self',
  'GET /users/{id}',
  'GET /questions',
  'POST /searches',
  'GET /discover',
  'GET /members/self/activity',
  'GET /members/self/activity/likedme',
  'POST /messages',
  'GET /messages/{id}',
  'POST /like',
  'GET /photos/{file}',
  'POST /photo',
  'POST /token',
  'sign-in',
  'POST /members',
] as const;

/** A kind of call. */
export type CallKind = (typeof callKinds)[number];

/** A number of each kind of call. */
export const byCall = z.record(z.enum(callKinds), z.number().nonnegative());
