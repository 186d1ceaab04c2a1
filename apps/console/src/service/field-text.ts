import type { components } from '@covalence/client/api';
import { useQuery } from '@tanstack/react-query';
import { localeOf, useTexts } from '../texts/texts.ts';

/** Reads the fields of a site with their labels. Without a token: members, and those who register, read the same. */
async function readFields(siteid: number, locale: string): Promise<components['schemas']['QuestionList']> {
  const answer = await fetch(`/questions?${new URLSearchParams({ siteid: String(siteid), locale })}`);
  if (!answer.ok) throw new Error(`no fields: ${answer.status}`);
  return (await answer.json()) as components['schemas']['QuestionList'];
}

/** The labels of some fields on a site: those of the console, and of answers those that members read. */
export function useFieldText(siteid: number, fields: readonly string[]): (field: string) => string {
  const { valueText, language } = useTexts();
  const own = (field: string) => valueText('service.field', field);
  const { data } = useQuery({
    queryKey: ['service', 'fields', siteid, language],
    queryFn: () => readFields(siteid, localeOf(language)),
    enabled: fields.some((field) => own(field) === field),
    staleTime: Infinity,
  });
  return (field) => {
    const text = own(field);
    return text === field ? (data?.questions.find(({ name }) => name === field)?.label ?? field) : text;
  };
}
