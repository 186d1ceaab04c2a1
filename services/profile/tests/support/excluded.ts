import type { ServiceUnderTest } from '../harness.ts';

/** The members that a viewer's search leaves out, by kind of exclusion, as the search service reads them from the pairs. */
export async function excludedFrom(
  service: Pick<ServiceUnderTest, 'internal' | 'context'>,
  viewer: number,
  kinds: readonly string[],
): Promise<number[]> {
  const { body } = await service.internal('/internal/viewers', { id: viewer, relations: { since: 0 } });
  const now = service.context.clock().toISOString();
  const left = body.relations.filter(
    (one: Record<string, unknown> & { passed_until: string | null }) =>
      one['blocked_by'] === true ||
      kinds.some((kind) => (kind === 'passes' ? (one.passed_until ?? '') > now : one[kind] === true)),
  );
  return left.map(({ other }: { other: number }) => other);
}
