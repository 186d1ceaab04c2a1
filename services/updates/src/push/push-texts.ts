import { offeredLocale } from '@covalence/contract/offered-locale';
import type { PushType } from '@covalence/contract/push-types';

/** Push texts name nobody, because they show on a locked screen. */
type Texts = Readonly<Record<PushType, string>>;

const texts: Readonly<Record<string, Texts>> = {
  en_US: {
    message: 'You have a new message.',
    like: 'Someone likes you.',
    mutual: 'You have a new connection.',
    view: 'Someone viewed your profile.',
    moderation: 'Customer service has reviewed your profile.',
    membership: 'Your membership has changed.',
  },
  es_ES: {
    message: 'Tienes un mensaje nuevo.',
    like: 'Le gustas a alguien.',
    mutual: 'Tienes una conexión nueva.',
    view: 'Alguien ha visto tu perfil.',
    moderation: 'El servicio de atención al cliente ha revisado tu perfil.',
    membership: 'Tu suscripción ha cambiado.',
  },
  de_DE: {
    message: 'Du hast eine neue Nachricht.',
    like: 'Jemand mag dich.',
    mutual: 'Du hast eine neue Verbindung.',
    view: 'Jemand hat dein Profil angesehen.',
    moderation: 'Der Kundendienst hat dein Profil geprüft.',
    membership: 'Deine Mitgliedschaft hat sich geändert.',
  },
  fr_FR: {
    message: 'Vous avez un nouveau message.',
    like: 'Vous plaisez à quelqu’un.',
    mutual: 'Vous plaisez à quelqu’un qui vous plaît.',
    view: 'Quelqu’un a consulté votre profil.',
    moderation: 'Le service client a examiné votre profil.',
    membership: 'Votre abonnement a changé.',
  },
  el_GR: {
    message: 'Έχετε ένα νέο μήνυμα.',
    like: 'Αρέσετε σε ένα μέλος.',
    mutual: 'Έχετε μια νέα αμοιβαία συμπάθεια.',
    view: 'Ένα μέλος είδε το προφίλ σας.',
    moderation: 'Η εξυπηρέτηση πελατών εξέτασε το προφίλ σας.',
    membership: 'Η συνδρομή σας άλλαξε.',
  },
  tr_TR: {
    message: 'Yeni bir mesajınız var.',
    like: 'Biri sizi beğendi.',
    mutual: 'Yeni bir eşleşmeniz var.',
    view: 'Biri profilinize baktı.',
    moderation: 'Müşteri hizmetleri profilinizi inceledi.',
    membership: 'Üyeliğiniz değişti.',
  },
};

const fallback = 'en_US';

/** The text of a push message in a member's locale, else in that language, else in English, and its language (BCP 47). */
export function pushText(type: PushType, locale: string): { readonly text: string; readonly lang: string } {
  const chosen = offeredLocale(Object.keys(texts), locale) ?? fallback;
  return { text: texts[chosen]?.[type] ?? '', lang: chosen.replace('_', '-') };
}
