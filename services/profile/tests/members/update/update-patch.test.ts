import { fuzzing } from '@covalence/testing/fuzzing';
import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import type { Member } from '../../../src/members/document/member.ts';
import { ruleOnText } from '../../../src/moderation/decisions/decide-text.ts';
import { checkUpdate, updatePatch } from '../../../src/members/update/update-patch.ts';
import { member as newMember, now, siteBy } from '../../support/subjects.ts';

const [automatic, manual] = [1, 2] as const;

/** Somebody of Austin on a site that reviews by itself, or by hand. */
const ada = (siteid: number) => newMember(1, {}, {}, siteid);

/** A member after an update; the very same one where it is refused. */
const updated = (member: Member, sent: object): Member => {
  const site = siteBy(member.siteid);
  const { values, failed } = checkUpdate({ ...sent }, member, site, now);
  return failed.size ? member : { ...member, ...updatePatch(member, values, site, now) };
};

/** A member whose texts were all approved. */
const approved = (member: Member): Member =>
  Object.keys(member.pending).reduce<Member>(
    (before, field) => ({ ...before, ...ruleOnText(before, field, 'approved')?.patch }),
    member,
  );

const place = fc.record(
  {
    country: fc.constantFrom('US', 'DE', 'GR'),
    city: fc.constantFrom('Austin', 'Boston', 'Berlin', 'Athens', 'Springfield', 'Nowhereville'),
    state: fc.constantFrom('Texas', 'Massachusetts', 'Illinois', 'Berlin'),
    zip: fc.constantFrom('78701', '02108', '10115', '62701', '99999'),
  },
  { requiredKeys: [] },
);
const position = fc.constantFrom(
  {},
  {},
  { latitude: 30.27, longitude: -97.74 },
  { latitude: 52.52, longitude: 13.4 },
  { latitude: 0, longitude: -140 },
);
const texts = fc.record(
  {
    headline: fc.constantFrom('A headline of mine', 'Call me at 512-555-0188', 'Another headline'),
    q_nerves: fc.constantFrom('Nothing', 'Write to bob@gmail.com', ''),
    username: fc.constantFrom('user1', 'USER1', 'Berta'),
  },
  { requiredKeys: [] },
);
const update = fc.tuple(place, position, texts).map((parts) => Object.assign({}, ...parts) as object);

describe('whatever is sent to POST /members/self', () => {
  it.each([automatic, manual])('the same again changes nothing, on site %p', (siteid) => {
    fc.assert(
      fc.property(fc.array(update, { minLength: 1, maxLength: 4 }), (updates) => {
        let member = ada(siteid);
        for (const sent of updates) {
          member = updated(member, sent);
          expect(updated(member, sent)).toEqual(member);
        }
      }),
      fuzzing(150),
    );
  });

  it('has the same result with and without a review', () => {
    const harmless = fc.tuple(place, position).map((parts) => Object.assign({}, ...parts) as object);
    fc.assert(
      fc.property(harmless, (sent) => {
        const { fields } = approved(updated(ada(manual), sent));
        expect(fields).toEqual(updated(ada(automatic), sent).fields);
      }),
      fuzzing(300),
    );
  });
});
