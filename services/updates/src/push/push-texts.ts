import { offeredLocale } from '@covalence/contract/offered-locale';
import type { PushedType } from '@covalence/contract/push-types';

/** A text for one message of a type, and one for several of which only the last was kept. */
type Text = string | { readonly one: string; readonly many: string };

/** Push texts name nobody, because they show on a locked screen. */
const texts: Readonly<Record<string, Readonly<Record<PushedType, Text>>>> = {
  en_US: {
    message: { one: 'You have a new message.', many: 'You have {count} new messages.' },
    like: { one: 'Someone likes you.', many: 'You have {count} new likes.' },
    mutual: { one: 'You have a new connection.', many: 'You have {count} new connections.' },
    match: {
      one: 'Someone new fits your saved search.',
      many: '{count} new people fit your saved searches.',
    },
    view: { one: 'Someone viewed your profile.', many: 'Your profile was viewed {count} times.' },
    moderation: 'Customer service has reviewed your profile.',
    membership: 'Your membership has changed.',
    session: 'Somebody signed in to your account on a new device.',
    recovery: 'Somebody wants to get into your account by email.',
    two_step: 'Two-step sign-in of your account was changed.',
    email: 'The email address of your account is being changed, or was changed.',
    credential: 'A way to sign in to your account was added, changed or removed.',
  },
  es_ES: {
    message: { one: 'Tienes un mensaje nuevo.', many: 'Tienes {count} mensajes nuevos.' },
    like: { one: 'Le gustas a alguien.', many: 'Tienes {count} «me gusta» nuevos.' },
    mutual: { one: 'Tienes una conexión nueva.', many: 'Tienes {count} conexiones nuevas.' },
    match: {
      one: 'Hay alguien nuevo que encaja con tu búsqueda guardada.',
      many: '{count} personas nuevas encajan con tus búsquedas guardadas.',
    },
    view: { one: 'Alguien ha visto tu perfil.', many: 'Han visto tu perfil {count} veces.' },
    moderation: 'El servicio de atención al cliente ha revisado tu perfil.',
    membership: 'Tu suscripción ha cambiado.',
    session: 'Alguien ha iniciado sesión en tu cuenta en un dispositivo nuevo.',
    recovery: 'Alguien quiere entrar en tu cuenta por correo.',
    two_step: 'Ha cambiado el inicio de sesión en dos pasos de tu cuenta.',
    email: 'El correo de tu cuenta se va a cambiar o ha cambiado.',
    credential: 'Se ha añadido, cambiado o quitado una forma de iniciar sesión en tu cuenta.',
  },
  de_DE: {
    message: { one: 'Du hast eine neue Nachricht.', many: 'Du hast {count} neue Nachrichten.' },
    like: { one: 'Jemand mag dich.', many: 'Du hast {count} neue Likes.' },
    mutual: { one: 'Du hast eine neue Verbindung.', many: 'Du hast {count} neue Verbindungen.' },
    match: {
      one: 'Jemand Neues passt zu deiner gespeicherten Suche.',
      many: '{count} neue Personen passen zu deinen gespeicherten Suchen.',
    },
    view: { one: 'Jemand hat dein Profil angesehen.', many: 'Dein Profil wurde {count}-mal angesehen.' },
    moderation: 'Der Kundendienst hat dein Profil geprüft.',
    membership: 'Deine Mitgliedschaft hat sich geändert.',
    session: 'Jemand hat sich auf einem neuen Gerät bei deinem Konto angemeldet.',
    recovery: 'Jemand möchte per E-Mail in dein Konto.',
    two_step: 'Die Anmeldung in zwei Schritten bei deinem Konto wurde geändert.',
    email: 'Die E-Mail-Adresse deines Kontos soll geändert werden oder wurde geändert.',
    credential: 'Ein Weg, sich bei deinem Konto anzumelden, wurde hinzugefügt, geändert oder entfernt.',
  },
  fr_FR: {
    message: { one: 'Vous avez un nouveau message.', many: 'Vous avez {count} nouveaux messages.' },
    like: { one: 'Vous plaisez à quelqu’un.', many: 'Vous avez {count} nouveaux « J’aime ».' },
    mutual: {
      one: 'Vous plaisez à quelqu’un qui vous plaît.',
      many: 'Vous avez {count} nouvelles affinités réciproques.',
    },
    match: {
      one: 'Une nouvelle personne correspond à votre recherche enregistrée.',
      many: '{count} nouvelles personnes correspondent à vos recherches enregistrées.',
    },
    view: { one: 'Quelqu’un a consulté votre profil.', many: 'Votre profil a été consulté {count} fois.' },
    moderation: 'Le service client a examiné votre profil.',
    membership: 'Votre abonnement a changé.',
    session: 'Une personne s’est connectée à votre compte depuis un nouvel appareil.',
    recovery: 'Une personne veut accéder à votre compte par e‑mail.',
    two_step: 'La connexion en deux étapes de votre compte a été modifiée.',
    email: 'L’adresse e‑mail de votre compte va être modifiée ou a été modifiée.',
    credential: 'Un moyen de vous connecter à votre compte a été ajouté, modifié ou supprimé.',
  },
  el_GR: {
    message: { one: 'Έχετε ένα νέο μήνυμα.', many: 'Έχετε {count} νέα μηνύματα.' },
    like: { one: 'Αρέσετε σε ένα μέλος.', many: 'Έχετε {count} νέα «μου αρέσει».' },
    mutual: {
      one: 'Έχετε μια νέα αμοιβαία συμπάθεια.',
      many: 'Έχετε {count} νέες αμοιβαίες συμπάθειες.',
    },
    match: {
      one: 'Ένα νέο μέλος ταιριάζει στην αποθηκευμένη αναζήτησή σας.',
      many: '{count} νέα μέλη ταιριάζουν στις αποθηκευμένες αναζητήσεις σας.',
    },
    view: { one: 'Ένα μέλος είδε το προφίλ σας.', many: 'Το προφίλ σας προβλήθηκε {count} φορές.' },
    moderation: 'Η εξυπηρέτηση πελατών εξέτασε το προφίλ σας.',
    membership: 'Η συνδρομή σας άλλαξε.',
    session: 'Κάποιο άτομο συνδέθηκε στον λογαριασμό σας από νέα συσκευή.',
    recovery: 'Κάποιο άτομο θέλει να μπει στον λογαριασμό σας μέσω email.',
    two_step: 'Άλλαξε η σύνδεση σε δύο βήματα του λογαριασμού σας.',
    email: 'Το email του λογαριασμού σας πρόκειται να αλλάξει ή άλλαξε.',
    credential: 'Προστέθηκε, άλλαξε ή αφαιρέθηκε ένας τρόπος σύνδεσης στον λογαριασμό σας.',
  },
  tr_TR: {
    message: { one: 'Yeni bir mesajınız var.', many: '{count} yeni mesajınız var.' },
    like: { one: 'Biri sizi beğendi.', many: '{count} yeni beğeniniz var.' },
    mutual: { one: 'Yeni bir eşleşmeniz var.', many: '{count} yeni eşleşmeniz var.' },
    match: {
      one: 'Kayıtlı aramanıza uyan yeni biri var.',
      many: 'Kayıtlı aramalarınıza uyan {count} yeni kişi var.',
    },
    view: { one: 'Biri profilinize baktı.', many: 'Profilinize {count} kez bakıldı.' },
    moderation: 'Müşteri hizmetleri profilinizi inceledi.',
    membership: 'Üyeliğiniz değişti.',
    session: 'Yeni bir cihazda hesabınızda oturum açıldı.',
    recovery: 'Biri hesabınıza e-postayla girmek istiyor.',
    two_step: 'Hesabınızın iki adımlı girişi değişti.',
    email: 'Hesabınızın e-posta adresi değiştirilmek üzere veya değiştirildi.',
    credential: 'Hesabınıza giriş yollarından biri eklendi, değiştirildi veya kaldırıldı.',
  },
};

const fallback = 'en_US';

/** The text for messages of a type in a member's locale, else in that language, else in English, and its language (BCP 47). */
export function pushText(
  type: PushedType,
  locale: string,
  count = 1,
): { readonly text: string; readonly lang: string } {
  const chosen = offeredLocale(Object.keys(texts), locale) ?? fallback;
  const text = texts[chosen]?.[type] ?? '';
  const said = typeof text === 'string' ? text : text[count > 1 ? 'many' : 'one'];
  return { text: said.replace('{count}', String(count)), lang: chosen.replace('_', '-') };
}
