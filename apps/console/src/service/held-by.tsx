import { useStaffName } from '../layout/staff-name.tsx';
import { useTexts } from '../texts/texts.ts';

/** The colleague working on an entry. */
export function HeldBy({ staff }: { readonly staff: string }) {
  const { text } = useTexts();
  return text('service.heldBy', { staff: useStaffName(staff) });
}
