import type { LabelLocale } from '@covalence/contract/catalogue/field';
import type { PromoProblem } from '../prices/promo.ts';

/** Texts of promo_error by locale. */
export const promoErrors: Record<PromoProblem, Record<LabelLocale, string>> = {
  unknown: {
    en_US: 'This promo code does not exist.',
    es_ES: 'Este código promocional no existe.',
    de_DE: 'Diesen Aktionscode gibt es nicht.',
    el_GR: 'Αυτός ο κωδικός προσφοράς δεν υπάρχει.',
  },
  not_applicable: {
    en_US: 'This promo code cannot be used here.',
    es_ES: 'Este código promocional no se puede usar aquí.',
    de_DE: 'Dieser Aktionscode gilt hier nicht.',
    el_GR: 'Αυτός ο κωδικός προσφοράς δεν ισχύει εδώ.',
  },
  not_yet: {
    en_US: 'This promo code is not valid yet.',
    es_ES: 'Este código promocional todavía no es válido.',
    de_DE: 'Dieser Aktionscode gilt noch nicht.',
    el_GR: 'Αυτός ο κωδικός προσφοράς δεν ισχύει ακόμα.',
  },
  expired: {
    en_US: 'This promo code has expired.',
    es_ES: 'Este código promocional ha caducado.',
    de_DE: 'Dieser Aktionscode ist abgelaufen.',
    el_GR: 'Αυτός ο κωδικός προσφοράς έχει λήξει.',
  },
  used: {
    en_US: 'You have already used this promo code.',
    es_ES: 'Ya has usado este código promocional.',
    de_DE: 'Du hast diesen Aktionscode schon benutzt.',
    el_GR: 'Έχετε ήδη χρησιμοποιήσει αυτόν τον κωδικό προσφοράς.',
  },
  used_up: {
    en_US: 'This promo code has been used up.',
    es_ES: 'Este código promocional se ha agotado.',
    de_DE: 'Dieser Aktionscode ist aufgebraucht.',
    el_GR: 'Αυτός ο κωδικός προσφοράς έχει εξαντληθεί.',
  },
};
