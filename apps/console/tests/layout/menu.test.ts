import { describe, expect, it } from '@jest/globals';
import { mayOpen, menu, type MenuEntry } from '../../src/layout/menu.ts';
import { personOf } from '../../src/session/person.ts';

const tokenWith = (roles: object) =>
  ['e30', Buffer.from(JSON.stringify({ sub: 'x', roles })).toString('base64url'), ''].join('.');

/** The pages in the menu of an account with these roles. */
const pagesOf = (roles: object): string[] => {
  const person = personOf(tokenWith(roles), () => Promise.resolve());
  return menu
    .flatMap<MenuEntry>(({ entries }) => entries)
    .filter((entry) => mayOpen(entry, person))
    .map(({ to }) => to);
};

describe('the menu', () => {
  it('leaves out pages whose calls need the role on every site', () => {
    expect(pagesOf({ '2': ['search', 'operator'] })).toEqual([
      '/search/judgments',
      '/operators/transparency',
    ]);
    expect(pagesOf({ '*': ['search'] })).toContain('/search/settings');
    expect(pagesOf({ '*': ['operator'] })).toContain('/operators/audit');
    expect(pagesOf({ '2': ['support'] })).not.toContain('/service/queue');
    expect(pagesOf({ '*': ['admin'] })).toHaveLength(menu.flatMap(({ entries }) => [...entries]).length);
  });
});
