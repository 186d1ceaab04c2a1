import { freeTextAnswers } from '@covalence/contract/catalogue/answers';
import type { Sites } from '@covalence/contract/sites';
import type { Migration } from '@covalence/migrations/migration';
import { updateEach } from '@covalence/migrations/update-each';
import { answersToApprove, waitingAnswers } from '../members/document/answers.ts';
import type { Member } from '../members/document/member.ts';
import { waitingOf } from '../members/document/waiting.ts';

/** Answers in own words after the migration: a site that reviews automatically approves those without contact data. */
const approvedIn = (member: Member, sites: Sites): Member['approved_answers'] => {
  const { approved_answers: before = {}, flags = {}, siteid } = member;
  if (sites.get(siteid)?.review !== 'automatic') return before;
  return { ...before, ...answersToApprove(member, Object.keys(flags)) };
};

/** The member's parts with their answers approved or in the queue; undefined where they are so already. */
function reviewedParts(member: Member, sites: Sites, now: Date): Partial<Member> | undefined {
  const approved_answers = approvedIn(member, sites);
  const after: Member = { ...member, ...(approved_answers && { approved_answers }) };
  const [before, left] = [waitingAnswers(member), waitingAnswers(after)];
  const waiting = waitingOf(after, now) ?? {};
  const isQueued = (waiting.text === undefined) === (member.waiting?.text === undefined);
  if (before.length === left.length && isQueued) return undefined;
  return { ...(approved_answers && { approved_answers }), waiting };
}

/**
 * Versions before let answers in own words stand without a review. Nobody but their owner could read them; from now on others
 * do, so each is reviewed once.
 */
const answersReviewed = (
  sites: Sites,
  { name, what, runs }: Pick<Migration, 'name' | 'what' | 'runs'>,
): Migration => ({
  name,
  what,
  runs,
  async up(work) {
    const now = new Date();
    await updateEach<Member>(work, {
      collection: 'members',
      filter: {
        _id: { $gt: 0 },
        deleted: false,
        $or: freeTextAnswers.map((field) => ({ [`fields.${field}`]: { $exists: true } })),
      },
      set: (member) => reviewedParts(member, sites, now),
    });
  },
});

/** Answers in own words are approved where the site reviews automatically, and wait for review elsewhere. */
export const reviewAnswers = (sites: Sites): Migration =>
  answersReviewed(sites, {
    name: '0006-answers',
    what: 'answers in own words are approved where the site reviews automatically, and wait for review elsewhere',
    runs: 'before',
  });

/** What the version before wrote in the meantime. */
export const reviewOtherAnswers = (sites: Sites): Migration =>
  answersReviewed(sites, {
    name: '0007-answers-rest',
    what: 'the same for those written meanwhile',
    runs: 'after',
  });
