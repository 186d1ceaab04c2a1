import { describe, expect, it } from '@jest/globals';
import { holds, rolesOf } from '../../src/session/roles.ts';

const tokenOf = (claims: object) => `header.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.mac`;

describe('the roles of a token', () => {
  it('are those of all sites', () => {
    const roles = rolesOf(tokenOf({ roles: { '*': ['support'], '2': ['search', 'support'] } }));
    expect([...roles].toSorted()).toEqual(['search', 'support']);
    expect(holds(roles, ['search', 'moderator'])).toBe(true);
    expect(holds(roles, ['moderator'])).toBe(false);
  });

  it('are all with admin, and none without the claim or with another token', () => {
    expect(holds(rolesOf(tokenOf({ roles: { '1': ['admin'] } })), ['operator'])).toBe(true);
    for (const token of [tokenOf({}), 'opaque', '']) expect(rolesOf(token).size).toBe(0);
  });
});
