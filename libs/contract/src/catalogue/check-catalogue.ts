import { failureCode } from '../failures/failure-codes.ts';
import { labelLocales, type Field, type LabelLocale, type Labels } from './field.ts';

const choiceKinds = new Set(['choice', 'choices', 'keyword', 'gender']);

/** Where a text in a locale is written. */
const sourceOf = (locale: LabelLocale) =>
  locale === 'en_US' ? 'libs/contract/src/catalogue' : `libs/contract/locales/${locale}.json`;

const gapsOf = (what: string, labels: Labels) =>
  labelLocales
    .filter((locale) => !labels[locale]?.trim())
    .map((locale) => `${what} has no text in ${locale} (${sourceOf(locale)})`);

const twinLocales = ({ values = [] }: Field) =>
  labelLocales.filter((locale) => {
    const texts = values.flatMap(({ labels }) => labels[locale] ?? []);
    return new Set(texts).size < texts.length;
  });

const problemsOf = (field: Field): string[] => {
  const codes = (field.values ?? []).map(({ code }) => String(code));
  const neighbors = Object.entries(field.criterion?.neighbors ?? {});
  const named = neighbors.flatMap(([wanted, near]) => [wanted, ...Object.keys(near)]);
  const credits = neighbors.flatMap(([, near]) => Object.values(near));
  const rules: [boolean, string][] = [
    [/^[a-z0-9]+(_[a-z0-9]+)*$/.test(field.name), 'its name is not lowercase with underscores'],
    [choiceKinds.has(field.kind) === codes.length > 0, 'exactly the choice kinds declare values'],
    [
      field.kind !== 'choices' || (field.values ?? []).every(({ code }) => typeof code === 'number'),
      'one of several choices has a code that is no number',
    ],
    [new Set(codes).size === codes.length, 'a value code appears twice'],
    [named.every((code) => codes.includes(code)), 'a neighbor is not one of its values'],
    [credits.every((credit) => credit > 0 && credit < 1), 'a neighbor credit is not between 0 and 1'],
    [Object.values(field.codes ?? {}).every(failureCode), 'a failure code is not in the table'],
    [!field.criterion || Number.isInteger(field.criterion.weight), 'its weight is not a whole number'],
    [!field.criterion || field.criterion.weight > 0, 'its weight is not positive'],
  ];
  const broken = rules.filter(([holds]) => !holds).map(([, problem]) => problem);
  const gaps = [
    ...gapsOf('the field', field.labels),
    ...(field.values ?? []).flatMap(({ code, labels }) => gapsOf(`choice ${code}`, labels)),
  ];
  const twins = twinLocales(field).map((locale) => `two values read the same in ${locale}`);
  return [...broken, ...gaps, ...twins].map((problem) => `${field.name}: ${problem}`);
};

/** The problems of a catalogue, one line each. */
export function catalogueProblems(fields: readonly Field[]): string[] {
  const names = fields.flatMap(({ name, aliases = [] }) => [name, ...aliases]);
  const duplicates = names.filter((name, index) => names.indexOf(name) !== index);
  return [...duplicates.map((name) => `${name}: the name appears twice`), ...fields.flatMap(problemsOf)];
}
