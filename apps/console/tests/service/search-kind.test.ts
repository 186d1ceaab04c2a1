import { expect, it } from '@jest/globals';
import { kindsOfValue } from '../../src/service/search-kind.ts';

it.each([
  ['ann@mail.example', ['email']],
  ['4711', ['id', 'username']],
  ['019A3f20-0b1c-7d41-9d0f-5b1f5c1e8a77', ['id']],
  ['ann', ['username']],
  ['ann4711', ['username']],
  ['019a3f20-0b1c', ['username']],
])('a search for %s is one by %j', (value, kinds) => expect(kindsOfValue(value)).toEqual(kinds));
