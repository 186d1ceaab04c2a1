import type { ServiceUnderTest } from '../harness.ts';

const dayMs = 86_400_000;

/** Moves the clock to noon (UTC) of the next day, so that no day ends while a test counts by days. */
export function toNoon(service: ServiceUnderTest): void {
  service.advance(1.5 * dayMs - (service.context.clock().getTime() % dayMs));
}
