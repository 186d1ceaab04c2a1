import type { FieldValue } from './field.ts';
import { labels, type InFourLocales } from './labels.ts';

/** A reason with its number. */
type DeleteReason = FieldValue & { readonly code: number };

const reason = (code: number, ...text: InFourLocales): DeleteReason => ({ code, labels: labels(...text) });

/** Reasons for leaving (GET /reasons/profile/delete). The meaning of an id never changes. */
export const deleteReasons: readonly DeleteReason[] = [
  reason(
    1,
    'I met someone here',
    'He conocido a alguien aquí',
    'Ich habe hier jemanden kennengelernt',
    'Γνώρισα κάποιο άτομο εδώ',
  ),
  reason(
    2,
    'I met someone elsewhere',
    'He conocido a alguien en otro sitio',
    'Ich habe anderswo jemanden kennengelernt',
    'Γνώρισα κάποιο άτομο αλλού',
  ),
  reason(
    3,
    'I want to take a break',
    'Quiero tomarme un descanso',
    'Ich möchte eine Pause machen',
    'Θέλω να κάνω ένα διάλειμμα',
  ),
  reason(
    4,
    'There is nobody near me',
    'No hay nadie cerca de mí',
    'In meiner Nähe ist niemand',
    'Δεν υπάρχει κανείς κοντά μου',
  ),
  reason(
    5,
    'I get too few answers',
    'Recibo pocas respuestas',
    'Ich bekomme zu wenige Antworten',
    'Παίρνω λίγες απαντήσεις',
  ),
  reason(
    6,
    'I get too many messages',
    'Recibo demasiados mensajes',
    'Ich bekomme zu viele Nachrichten',
    'Παίρνω πάρα πολλά μηνύματα',
  ),
  reason(7, 'It costs too much', 'Es demasiado caro', 'Es ist mir zu teuer', 'Είναι πολύ ακριβό'),
  reason(8, 'Someone bothered me', 'Alguien me ha molestado', 'Jemand hat mich belästigt', 'Με ενόχλησαν'),
  reason(
    9,
    'I worry about my privacy',
    'Me preocupa mi privacidad',
    'Ich sorge mich um meine Daten',
    'Ανησυχώ για το απόρρητό μου',
  ),
  reason(
    10,
    'Something does not work',
    'Algo no funciona',
    'Etwas funktioniert nicht',
    'Κάτι δεν λειτουργεί',
  ),
  reason(11, 'I have another profile', 'Tengo otro perfil', 'Ich habe ein anderes Profil', 'Έχω άλλο προφίλ'),
  reason(12, 'Another reason', 'Otro motivo', 'Ein anderer Grund', 'Άλλος λόγος'),
];
