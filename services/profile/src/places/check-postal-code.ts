import type { WriteMode } from '@covalence/contract/catalogue/check-value';
import { isPostalCode } from '@covalence/contract/postal-code';
import { codeOfField, type CheckedFields } from '../validation/check-fields.ts';

/** A postal code has the form that its country's codes have (10041 at registration, 20301 on update). */
export function checkPostalCode({ values, failed }: CheckedFields, country: unknown, mode: WriteMode): void {
  const { zip } = values;
  if (typeof zip !== 'string' || typeof country !== 'string') return;
  if (!isPostalCode(zip, country)) failed.set('zip', codeOfField('zip', mode));
}
