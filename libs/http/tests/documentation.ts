/** The documentation that a public endpoint must have, for endpoints that no document describes. */
export const documentation = {
  tag: 'Documents',
  operationId: 'test',
  description: '',
  answer: '',
} as const;
