import type { Field } from './field.ts';
import { orderedField } from './prefixed.ts';

const character = orderedField('personality');

/** Personality: the `p_` fields, each on a scale of its own from little to much. */
export const personalityFields: readonly Field[] = [
  character(
    ['p_adventurousness', 'Adventurousness', 'Espíritu aventurero', 'Abenteuerlust', 'Περιπετειώδης διάθεση'],
    ['Prefer the familiar', 'Prefiero lo conocido', 'Lieber Vertrautes', 'Προτιμώ τα γνώριμα'],
    ['Cautious', 'Con cautela', 'Vorsichtig', 'Με επιφύλαξη'],
    ['Open to new things', 'Con ganas de probar cosas', 'Offen für Neues', 'Δεκτικός/ή στο καινούργιο'],
    ['Adventurous', 'Me gusta la aventura', 'Abenteuerlustig', 'Μου αρέσει η περιπέτεια'],
    [
      'Always looking for a thrill',
      'Siempre en busca de emociones',
      'Immer auf der Suche nach Nervenkitzel',
      'Πάντα για νέες συγκινήσεις',
    ],
  ),
  character(
    ['p_affectionateness', 'Affection', 'Cariño', 'Zärtlichkeit', 'Τρυφερότητα'],
    ['Reserved', 'Poco expresivo/a', 'Zurückhaltend', 'Συγκρατημένος/η'],
    ['Slow to warm up', 'Necesito confianza', 'Brauche etwas Zeit', 'Θέλω τον χρόνο μου'],
    [
      'Affectionate in private',
      'Cariñoso/a en privado',
      'Zärtlich, wenn wir allein sind',
      'Τρυφερός/ή κατ’ ιδίαν',
    ],
    ['Affectionate', 'Cariñoso/a', 'Zärtlich', 'Τρυφερός/ή'],
    ['Very affectionate', 'Muy cariñoso/a', 'Sehr zärtlich', 'Πολύ τρυφερός/ή'],
  ),
  character(
    ['p_believability', 'Believability', 'Credibilidad', 'Glaubwürdigkeit', 'Αξιοπιστία'],
    ['Love a tall tale', 'Me encanta exagerar', 'Übertreibe gern', 'Μου αρέσουν οι υπερβολές'],
    ['Embellish a little', 'Adorno un poco', 'Schmücke etwas aus', 'Τα φουσκώνω λίγο'],
    ['Mostly straightforward', 'Casi siempre directo/a', 'Meist geradeheraus', 'Συνήθως ευθύς/εία'],
    ['Honest', 'Sincero/a', 'Ehrlich', 'Ειλικρινής'],
    ['Honest to a fault', 'Sincero/a hasta la médula', 'Schonungslos ehrlich', 'Ειλικρινής μέχρι κεραίας'],
  ),
  character(
    ['p_confidence', 'Confidence', 'Seguridad en mí', 'Selbstvertrauen', 'Αυτοπεποίθηση'],
    ['Shy', 'Tímido/a', 'Schüchtern', 'Ντροπαλός/ή'],
    ['Unsure at times', 'A veces inseguro/a', 'Manchmal unsicher', 'Μερικές φορές ανασφαλής'],
    ['Confident enough', 'Bastante seguro/a', 'Selbstsicher genug', 'Αρκετή αυτοπεποίθηση'],
    ['Confident', 'Seguro/a', 'Selbstbewusst', 'Με αυτοπεποίθηση'],
    ['Very confident', 'Muy seguro/a', 'Sehr selbstbewusst', 'Με μεγάλη αυτοπεποίθηση'],
  ),
  character(
    ['p_independence', 'Independence', 'Independencia', 'Unabhängigkeit', 'Ανεξαρτησία'],
    ['Need someone close', 'Necesito a alguien cerca', 'Brauche Nähe', 'Χρειάζομαι έναν άνθρωπο κοντά μου'],
    [
      'Like to do things together',
      'Prefiero hacer las cosas en compañía',
      'Am liebsten gemeinsam',
      'Προτιμώ να κάνω πράγματα μαζί',
    ],
    ['A bit of both', 'Un poco de ambas cosas', 'Von beidem etwas', 'Λίγο κι από τα δύο'],
    ['Independent', 'Independiente', 'Unabhängig', 'Ανεξάρτητος/η'],
    ['Very independent', 'Muy independiente', 'Sehr unabhängig', 'Πολύ ανεξάρτητος/η'],
  ),
  character(
    ['p_mood', 'Mood', 'Estado de ánimo', 'Stimmung', 'Διάθεση'],
    ['Melancholic', 'Melancólico/a', 'Melancholisch', 'Μελαγχολικός/ή'],
    ['Serious', 'Serio/a', 'Ernst', 'Σοβαρός/ή'],
    ['Even-tempered', 'Equilibrado/a', 'Ausgeglichen', 'Ήρεμος/η'],
    ['Cheerful', 'Alegre', 'Fröhlich', 'Χαρούμενος/η'],
    ['Always sunny', 'Siempre radiante', 'Immer strahlend', 'Πάντα στα κέφια'],
  ),
  character(
    ['p_romance', 'Romance', 'Romanticismo', 'Romantik', 'Ρομαντισμός'],
    ['Not romantic', 'Nada romántico/a', 'Nicht romantisch', 'Καθόλου ρομαντικός/ή'],
    ['A little romantic', 'Un poco romántico/a', 'Ein wenig romantisch', 'Λίγο ρομαντικός/ή'],
    ['Romantic at times', 'Romántico/a a veces', 'Manchmal romantisch', 'Ρομαντικός/ή πότε πότε'],
    ['Romantic', 'Romántico/a', 'Romantisch', 'Ρομαντικός/ή'],
    ['Hopelessly romantic', 'Romántico/a sin remedio', 'Hoffnungslos romantisch', 'Αθεράπευτα ρομαντικός/ή'],
  ),
  character(
    ['p_sociability', 'Sociability', 'Sociabilidad', 'Geselligkeit', 'Κοινωνικότητα'],
    ['Keep to myself', 'Voy a lo mío', 'Bin gern für mich', 'Κλειστός/ή στον εαυτό μου'],
    ['A few close friends', 'Pocos y buenos amigos', 'Wenige enge Freunde', 'Λίγοι και καλοί φίλοι'],
    ['Sociable with friends', 'Sociable con los amigos', 'Gesellig unter Freunden', 'Κοινωνικός/ή με φίλους'],
    ['Outgoing', 'Extrovertido/a', 'Kontaktfreudig', 'Εξωστρεφής'],
    ['Life of the party', 'El alma de la fiesta', 'Mittelpunkt jeder Party', 'Η ψυχή της παρέας'],
  ),
  character(
    ['p_thought_process', 'Way of thinking', 'Manera de pensar', 'Denkweise', 'Τρόπος σκέψης'],
    ['Strictly logical', 'Puramente lógica', 'Streng logisch', 'Αυστηρά λογικός'],
    ['Mostly logical', 'Más bien lógica', 'Eher logisch', 'Μάλλον λογικός'],
    [
      'Head and heart alike',
      'Cabeza y corazón por igual',
      'Kopf und Bauch gleichermaßen',
      'Μυαλό και καρδιά εξίσου',
    ],
    ['Mostly intuitive', 'Más bien intuitiva', 'Eher intuitiv', 'Μάλλον διαισθητικός'],
    ['Purely intuitive', 'Puramente intuitiva', 'Rein intuitiv', 'Καθαρά διαισθητικός'],
  ),
  character(
    ['p_tolerance', 'Tolerance', 'Tolerancia', 'Toleranz', 'Ανεκτικότητα'],
    ['Set in my ways', 'De ideas fijas', 'Mit festen Ansichten', 'Με σταθερές απόψεις'],
    ['Within limits', 'Con límites', 'Mit Grenzen', 'Μέχρι ενός ορίου'],
    ['Patient', 'Paciente', 'Geduldig', 'Υπομονετικός/ή'],
    ['Tolerant', 'Tolerante', 'Tolerant', 'Ανεκτικός/ή'],
    ['Live and let live', 'Vive y deja vivir', 'Leben und leben lassen', 'Ζήσε κι άσε τους άλλους να ζήσουν'],
  ),
];
