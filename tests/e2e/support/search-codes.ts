const age = { from: 28, to: 45 };

/** A call by a member in the United States without a membership, and the codes of its refusal. */
export type RefusedCall = readonly [code: number, path: string, parameters: object];

/** One call for every code of Search v2, Saved searches, Match criteria v1 and Search v1. A search named `taken` exists. */
export const refusedSearchCalls: readonly RefusedCall[] = [
  [20222, '/searches/saved', { age }],
  [20223, '/searches/saved', { name: 'x'.repeat(33), age }],
  [20224, '/searches/saved', { name: 'numbered', id: 7, age }],
  [20225, '/searches/saved', { name: 'taken', age }],
  [30101, '/members/self/matchcriteria', { distance: 25 }],
  [30201, '/members/self/matchcriteria', { agefrom: 30 }],
  [30202, '/members/self/matchcriteria', { agefrom: 'thirty', ageto: 40 }],
  [30203, '/members/self/matchcriteria', { agefrom: 17, ageto: 40 }],
  [30301, '/members/self/matchcriteria', { lookingfor: 'Anyone' }],
  [30401, '/members/self/matchcriteria', { zippostalcode: '123' }],
  [30501, '/members/self/matchcriteria', { country: 'XX' }],
  [31000, '/searches', { age, smoking: 10 }],
  [31003, '/searches', { age, smoking: {} }],
  [31004, '/searches', { age: {} }],
  [31005, '/searches', { age: { from: 17, to: 30 } }],
  [31006, '/searches', { age, location: { within: 25 } }],
  [31007, '/searches', { age, location: { within: 20 } }],
  [31008, '/members/self/criteria', { income: { value: 10 } }],
  [31009, '/searches', { age, smoking: { value: 15 } }],
  [31010, '/searches', { age, country: { value: 'XX' } }],
  [31011, '/searches', { age, zipcode: { value: '123' } }],
  [31012, '/searches', { smoking: { value: 10 } }],
  [31013, '/searches', { age, zipcode: { value: '68508' }, state: { value: 'Nebraska' } }],
  [40101, '/search', { distance: 25 }],
  [40201, '/search', { ageto: 40 }],
  [40202, '/search', { agefrom: 30, ageto: 'forty' }],
  [40203, '/search', { agefrom: 40, ageto: 30 }],
  [40301, '/search', { lookingfor: 'Anyone' }],
];
