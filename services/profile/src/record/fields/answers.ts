import type { Field } from '@covalence/contract/catalogue/field';
import { fieldByName } from '@covalence/contract/catalogue/fields';
import { labelIn, labelLocaleOf } from '@covalence/contract/catalogue/labels';
import { isForEveryone } from '@covalence/contract/answer-visibility';
import { answerFields, groupLabels } from '@covalence/contract/catalogue/answers';
import type { AnswerGroup } from '@covalence/contract/member-record';
import type { FieldValue, Member } from '../../members/document/member.ts';
import { reviewedValue, waitingAnswer } from '../../members/document/member-values.ts';
import { inSearch, single, type RecordField, type Subject } from './subject.ts';

const isList = (value: FieldValue): value is (string | number)[] => Array.isArray(value);

function valueText({ values = [] }: Field, value: FieldValue, locale: string): string {
  const textOf = (each: FieldValue) => {
    const choice = values.find(({ code }) => code === each);
    return choice ? labelIn(choice.labels, locale) : String(each);
  };
  return isList(value) ? value.map(textOf).join(', ') : textOf(value);
}

/** The localized text of a member's choice in a catalogue field; '' where unset. */
export function choiceLabel(member: Member, name: string, locale: string): string {
  const [field, chosen] = [fieldByName(name), member.fields[name]];
  return field && chosen !== undefined ? valueText(field, chosen, locale) : '';
}

type Answer = AnswerGroup['fields'][number];

type AnswerValue = Exclude<FieldValue, boolean>;

/** The reviewed value of an answer; answers are never booleans. */
function answerIn(member: Member, { name }: Field): AnswerValue | undefined {
  const value = reviewedValue(member, name);
  return typeof value === 'boolean' ? undefined : value;
}

/** Two texts are the same answer however they are capitalized. */
const comparable = (value: AnswerValue) =>
  typeof value === 'string' ? value.normalize('NFKC').toLowerCase() : value;

function isShared(one: AnswerValue, other: AnswerValue): boolean {
  if (Array.isArray(one) && Array.isArray(other)) return one.some((each) => other.includes(each));
  return comparable(one) === comparable(other);
}

/** A field that one of the sites rejects counts as not answered. */
const isRejected = ({ site, viewerSite }: Subject, { name }: Field) =>
  site.rejected_fields.includes(name) || viewerSite.rejected_fields.includes(name);

/** Marked only where everyone may read both answers, because the mark would reveal a hidden one. */
const inCommon = ({ viewer, viewerSite }: Subject, field: Field, value: AnswerValue): boolean => {
  if (!isForEveryone(field, viewerSite)) return false;
  const own = answerIn(viewer, field);
  return own !== undefined && isShared(own, value);
};

const labeled = ({ locale }: Subject, field: Field, value: AnswerValue = '') => ({
  name: field.name,
  label: labelIn(field.labels, locale),
  ...(Array.isArray(value) ? { values: value.map(Number) } : { value }),
  ...(typeof value === 'number' && { code: value }),
  text: valueText(field, value, locale),
});

function ownAnswer(subject: Subject, field: Field): Answer | undefined {
  const value = answerIn(subject.member, field);
  const waiting = waitingAnswer(subject.member, field.name);
  if (value === undefined && waiting === undefined) return undefined;
  return {
    ...labeled(subject, field, value),
    visibility: isForEveryone(field, subject.site) ? 'everyone' : 'owner',
    ...(waiting !== undefined && { value_moderated: waiting }),
  };
}

function answerForOthers(subject: Subject, field: Field): Answer | undefined {
  const value = answerIn(subject.member, field);
  if (value === undefined || !isForEveryone(field, subject.site)) return undefined;
  return { ...labeled(subject, field, value), ...(inCommon(subject, field, value) && { in_common: true }) };
}

/** A member's answers as the viewer may read them, localized, by group of the catalogue; in a list only the requested ones. */
function answersOf(whole: Subject): AnswerGroup[] {
  // Resolved once, because each answer looks up several labels.
  const subject = { ...whole, locale: labelLocaleOf(whole.locale) };
  const { member, locale, answers: only } = subject;
  const answerOf = subject.use === 'self' ? ownAnswer : answerForOthers;
  const groups: AnswerGroup[] = [];
  for (const field of answerFields) {
    if (member.fields[field.name] === undefined || (only && !only.has(field.name))) continue;
    const answer = isRejected(subject, field) ? undefined : answerOf(subject, field);
    if (!answer) continue;
    const { group } = field;
    const last = groups.at(-1);
    if (last?.group === group) last.fields.push(answer);
    else groups.push({ group, label: labelIn(groupLabels[group], locale), fields: [answer] });
  }
  return groups;
}

/** The answers as the viewer may read them; in a list only the requested ones. */
export const answerRecordFields: readonly RecordField[] = [
  single('answers', answersOf),
  inSearch('answers', answersOf, ({ answers }) => answers !== undefined && answers.size > 0),
];
