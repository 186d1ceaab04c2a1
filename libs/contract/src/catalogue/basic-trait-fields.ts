import type { Field } from './field.ts';
import { labels } from './labels.ts';
import { scale } from './scales.ts';
import { general, ordered, trait } from './trait.ts';

/** The coded traits of the basic group that everybody may search by. */
export const basicTraitFields: readonly Field[] = [
  {
    name: 'height',
    group: 'basic',
    kind: 'integer',
    labels: labels('Height (cm)', 'Estatura (cm)', 'Größe (cm)', 'Ύψος (εκ.)'),
    limits: { min: 120, max: 230 },
    criterion: { form: 'range', tier: 'basic', weight: 2, bounds: [120, 230] },
  },
  trait(
    'build',
    ['Build', 'Complexión', 'Figur', 'Σωματότυπος'],
    scale(
      ['Slim', 'Delgada', 'Schlank', 'Λεπτός'],
      ['Athletic', 'Atlética', 'Sportlich', 'Αθλητικός'],
      ['Average', 'Normal', 'Durchschnittlich', 'Κανονικός'],
      ['Curvy', 'Con curvas', 'Kurvig', 'Με καμπύλες'],
      ['Stocky', 'Robusta', 'Stämmig', 'Γεροδεμένος'],
      ['Large', 'Grande', 'Füllig', 'Εύσωμος'],
    ),
    general('basic', 2, {
      neighbors: {
        10: { 20: 0.5, 30: 0.3 },
        20: { 10: 0.5, 30: 0.5 },
        30: { 20: 0.5, 10: 0.3, 40: 0.5, 50: 0.5 },
        40: { 30: 0.5, 60: 0.5 },
        50: { 30: 0.5, 60: 0.5 },
        60: { 40: 0.5, 50: 0.5 },
      },
    }),
  ),
  trait(
    'smoking',
    ['Smoking', 'Tabaco', 'Rauchen', 'Κάπνισμα'],
    scale(
      ['Never', 'Nunca', 'Nie', 'Ποτέ'],
      ['Occasionally', 'De vez en cuando', 'Gelegentlich', 'Περιστασιακά'],
      ['Regularly', 'Habitualmente', 'Regelmäßig', 'Τακτικά'],
      ['Trying to quit', 'Intentando dejarlo', 'Beim Aufhören', 'Προσπαθώ να το κόψω'],
    ),
    general('basic', 3, {
      neighbors: { 10: { 20: 0.3 }, 20: { 10: 0.5, 40: 0.5 }, 30: { 20: 0.5, 40: 0.5 }, 40: { 20: 0.5 } },
    }),
  ),
  trait(
    'drinking',
    ['Drinking', 'Alcohol', 'Alkohol', 'Αλκοόλ'],
    scale(
      ['Never', 'Nunca', 'Nie', 'Ποτέ'],
      ['Rarely', 'Rara vez', 'Selten', 'Σπάνια'],
      ['Socially', 'En compañía', 'In Gesellschaft', 'Με παρέα'],
      ['Often', 'A menudo', 'Oft', 'Συχνά'],
    ),
    general('basic', 2, ordered(4)),
  ),
  trait(
    'education',
    ['Education', 'Estudios', 'Bildung', 'Εκπαίδευση'],
    scale(
      ['High school', 'Secundaria', 'Schulabschluss', 'Λύκειο'],
      ['Some college', 'Universidad sin terminar', 'Studium ohne Abschluss', 'Σπουδές χωρίς πτυχίο'],
      ['Associate degree', 'Formación profesional superior', 'Fachschulabschluss', 'Δίπλωμα διετούς σχολής'],
      ["Bachelor's degree", 'Grado universitario', 'Bachelor', 'Πτυχίο'],
      ["Master's degree", 'Máster', 'Master oder Diplom', 'Μεταπτυχιακό'],
      ['Doctorate', 'Doctorado', 'Promotion', 'Διδακτορικό'],
    ),
    general('basic', 2, ordered(6)),
  ),
  trait(
    'religion',
    ['Religion', 'Religión', 'Religion', 'Θρησκεία'],
    scale(
      ['Agnostic', 'Agnosticismo', 'Agnostisch', 'Αγνωστικισμός'],
      ['Atheist', 'Ateísmo', 'Atheistisch', 'Αθεϊσμός'],
      ['Buddhist', 'Budismo', 'Buddhistisch', 'Βουδισμός'],
      ['Catholic', 'Catolicismo', 'Katholisch', 'Καθολικισμός'],
      ['Christian, other', 'Cristianismo, otra confesión', 'Christlich, andere', 'Χριστιανισμός, άλλο δόγμα'],
      ['Hindu', 'Hinduismo', 'Hinduistisch', 'Ινδουισμός'],
      ['Jewish', 'Judaísmo', 'Jüdisch', 'Ιουδαϊσμός'],
      ['Muslim', 'Islam', 'Muslimisch', 'Ισλάμ'],
      ['Orthodox', 'Cristianismo ortodoxo', 'Orthodox', 'Ορθοδοξία'],
      ['Protestant', 'Protestantismo', 'Evangelisch', 'Προτεσταντισμός'],
      ['Spiritual', 'Espiritualidad sin religión', 'Spirituell', 'Πνευματικότητα χωρίς θρησκεία'],
      ['Other', 'Otra', 'Andere', 'Άλλη'],
    ),
    general('basic', 3, {
      neighbors: {
        10: { 20: 0.6, 110: 0.4 },
        20: { 10: 0.6 },
        40: { 50: 0.4, 90: 0.4 },
        50: { 40: 0.4, 90: 0.4, 100: 0.7 },
        90: { 40: 0.4, 50: 0.4 },
        100: { 50: 0.7 },
        110: { 10: 0.4, 30: 0.3 },
      },
    }),
  ),
  {
    ...trait(
      'marital_status',
      ['Marital status', 'Estado civil', 'Familienstand', 'Οικογενειακή κατάσταση'],
      scale(
        ['Single', 'Soltero/a', 'Ledig', 'Ελεύθερος/η'],
        ['Separated', 'Separado/a', 'Getrennt lebend', 'Σε διάσταση'],
        ['Divorced', 'Divorciado/a', 'Geschieden', 'Διαζευγμένος/η'],
        ['Widowed', 'Viudo/a', 'Verwitwet', 'Χήρος/α'],
      ),
      general('basic', 3),
    ),
    aliases: ['maritalstatus'],
  },
  trait(
    'has_children',
    ['Has children', 'Tiene hijos', 'Hat Kinder', 'Έχει παιδιά'],
    scale(
      ['No', 'No', 'Nein', 'Όχι'],
      ['Yes, at home', 'Sí, en casa', 'Ja, im Haushalt', 'Ναι, στο σπίτι'],
      [
        'Yes, sometimes at home',
        'Sí, a veces en casa',
        'Ja, zeitweise im Haushalt',
        'Ναι, μερικές φορές στο σπίτι',
      ],
      ['Yes, away from home', 'Sí, fuera de casa', 'Ja, außer Haus', 'Ναι, εκτός σπιτιού'],
    ),
    general('basic', 3),
  ),
  trait(
    'want_children',
    ['Wants children', 'Quiere tener hijos', 'Kinderwunsch', 'Θέλει παιδιά'],
    scale(
      ['Yes', 'Sí', 'Ja', 'Ναι'],
      ['Probably', 'Probablemente', 'Wahrscheinlich', 'Μάλλον ναι'],
      ['Not sure', 'No lo sé', 'Noch unsicher', 'Δεν ξέρω ακόμα'],
      ['Probably not', 'Probablemente no', 'Eher nicht', 'Μάλλον όχι'],
      ['No', 'No', 'Nein', 'Όχι'],
    ),
    general('basic', 3, ordered(5)),
  ),
  trait(
    'language',
    ['Languages', 'Idiomas', 'Sprachen', 'Γλώσσες'],
    scale(
      ['English', 'Inglés', 'Englisch', 'Αγγλικά'],
      ['Spanish', 'Español', 'Spanisch', 'Ισπανικά'],
      ['German', 'Alemán', 'Deutsch', 'Γερμανικά'],
      ['French', 'Francés', 'Französisch', 'Γαλλικά'],
      ['Greek', 'Griego', 'Griechisch', 'Ελληνικά'],
      ['Turkish', 'Turco', 'Türkisch', 'Τουρκικά'],
      ['Italian', 'Italiano', 'Italienisch', 'Ιταλικά'],
      ['Portuguese', 'Portugués', 'Portugiesisch', 'Πορτογαλικά'],
      ['Arabic', 'Árabe', 'Arabisch', 'Αραβικά'],
      ['Chinese', 'Chino', 'Chinesisch', 'Κινεζικά'],
      ['Russian', 'Ruso', 'Russisch', 'Ρωσικά'],
      ['Other', 'Otro', 'Andere', 'Άλλη'],
    ),
    general('basic', 2),
    'choices',
  ),
];
