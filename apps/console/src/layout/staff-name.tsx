import { useQuery } from '@tanstack/react-query';
import { dataOf, useApi } from '../api/api.tsx';
import { usePerson } from '../session/person.ts';
import { useTexts } from '../texts/texts.ts';

/** Characters of an account's UUID that tell colleagues apart. */
const shortLength = 8;

/** The name of a staff account: “you”, the username, or the end of the id where there is no such account. */
export function useStaffName(id: string): string {
  const { text } = useTexts();
  const { id: self } = usePerson();
  const api = useApi();
  const { data, isPending } = useQuery({
    queryKey: ['staff-name', id],
    queryFn: ({ signal }) => dataOf(api.GET('/staff/name', { params: { query: { staff_id: id } }, signal })),
    enabled: id !== self,
    staleTime: Infinity,
  });
  if (id === self) return text('service.you');
  return data?.username ?? (isPending ? '…' : id.slice(-shortLength));
}

/** The name of a staff account. */
export const StaffName = ({ id }: { readonly id: string }) => useStaffName(id);
