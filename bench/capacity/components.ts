import { engineNames, type EngineName } from '@covalence/stack/engines/engine';
import { serviceNames, type ServiceName } from '@covalence/stack/services/service-name';
import { z } from 'zod';

/** A service or an engine: what uses processor time and memory. */
export type Component = ServiceName | EngineName;

/** The services, then the engines. */
export const components: readonly Component[] = [...serviceNames, ...engineNames];

/** A number of each service and engine. */
export const byComponent = z.record(z.enum([...serviceNames, ...engineNames]), z.number().nonnegative());

/** A number of each component. */
export const ofComponents = (value: (component: Component) => number) =>
  Object.fromEntries(components.map((component) => [component, value(component)])) as Readonly<
    Record<Component, number>
  >;

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
