import type { Field } from './field.ts';
import { orderedChoice, prefixed, type NamedRow } from './prefixed.ts';

/** Every scale runs from the most in favor to the most against, so that one code means the same leaning in all of them. */
const stance = orderedChoice(
  ['Strongly for', 'Muy a favor', 'Sehr dafür', 'Απόλυτα υπέρ'],
  ['For', 'A favor', 'Dafür', 'Υπέρ'],
  ['Undecided', 'Sin decidir', 'Unentschieden', 'Αναποφάσιστος/η'],
  ['Against', 'En contra', 'Dagegen', 'Κατά'],
  ['Strongly against', 'Muy en contra', 'Sehr dagegen', 'Απόλυτα κατά'],
);

const regard = orderedChoice(
  ['Very favorable', 'Muy favorable', 'Sehr positiv', 'Πολύ θετική'],
  ['Favorable', 'Favorable', 'Positiv', 'Θετική'],
  ['Neutral', 'Neutral', 'Neutral', 'Ουδέτερη'],
  ['Unfavorable', 'Desfavorable', 'Negativ', 'Αρνητική'],
  ['Very unfavorable', 'Muy desfavorable', 'Sehr negativ', 'Πολύ αρνητική'],
);

const concern = orderedChoice(
  [
    'One of my main concerns',
    'Una de mis mayores preocupaciones',
    'Eine meiner größten Sorgen',
    'Με απασχολεί πάρα πολύ',
  ],
  ['An important issue', 'Un asunto importante', 'Ein wichtiges Thema', 'Σημαντικό ζήτημα'],
  [
    'One issue among others',
    'Un asunto entre otros',
    'Ein Thema unter anderen',
    'Ένα ζήτημα ανάμεσα σε άλλα',
  ],
  ['Made too much of', 'Se exagera', 'Wird überbewertet', 'Υπερεκτιμημένο'],
  ['No concern of mine', 'No me preocupa', 'Kümmert mich nicht', 'Δεν με απασχολεί'],
);

const importance = orderedChoice(
  ['Central to my life', 'El centro de mi vida', 'Mittelpunkt meines Lebens', 'Στο επίκεντρο της ζωής μου'],
  ['Important to me', 'Importante para mí', 'Wichtig für mich', 'Σημαντική για μένα'],
  ['It has its place', 'Tiene su lugar', 'Hat ihren Platz', 'Έχει τη θέση της'],
  ['Of little importance', 'Poco importante', 'Kaum wichtig', 'Μικρής σημασίας'],
  ['Not for me', 'No es para mí', 'Nichts für mich', 'Δεν είναι για μένα'],
);

const issues: readonly NamedRow[] = [
  ['abortion', 'Abortion rights', 'Derecho al aborto', 'Recht auf Abtreibung', 'Δικαίωμα στην άμβλωση'],
  ['animal_rights', 'Animal rights', 'Derechos de los animales', 'Tierrechte', 'Δικαιώματα των ζώων'],
  ['capital_punishment', 'Capital punishment', 'Pena de muerte', 'Todesstrafe', 'Θανατική ποινή'],
  ['free_press', 'Free press', 'Libertad de prensa', 'Pressefreiheit', 'Ελευθερία του τύπου'],
  [
    'gays_in_military',
    'Gays in the military',
    'Homosexuales en el ejército',
    'Homosexuelle beim Militär',
    'Ομοφυλόφιλοι στον στρατό',
  ],
  ['gun_control', 'Gun control', 'Control de armas', 'Schärfere Waffengesetze', 'Έλεγχος της οπλοκατοχής'],
  [
    'legalizing_drugs',
    'Legalizing drugs',
    'Legalización de las drogas',
    'Legalisierung von Drogen',
    'Νομιμοποίηση των ναρκωτικών',
  ],
  ['pornography', 'Pornography', 'Pornografía', 'Pornografie', 'Πορνογραφία'],
  [
    'school_prayer',
    'Prayer in schools',
    'Oración en las escuelas',
    'Gebete in der Schule',
    'Προσευχή στα σχολεία',
  ],
  ['welfare', 'Welfare', 'Ayudas sociales', 'Sozialhilfe', 'Κοινωνική πρόνοια'],
  [
    'women_in_military',
    'Women in the military',
    'Mujeres en el ejército',
    'Frauen beim Militär',
    'Γυναίκες στον στρατό',
  ],
];

const regarded: readonly NamedRow[] = [
  ['bill_clinton', 'Bill Clinton', 'Bill Clinton', 'Bill Clinton', 'Μπιλ Κλίντον'],
  ['democrats', 'Democrats', 'Los demócratas', 'Die Demokraten', 'Δημοκρατικοί (ΗΠΑ)'],
  ['euro', 'The euro', 'El euro', 'Der Euro', 'Το ευρώ'],
  ['european_union', 'European Union', 'Unión Europea', 'Europäische Union', 'Ευρωπαϊκή Ένωση'],
  ['george_bush', 'George Bush', 'George Bush', 'George Bush', 'Τζορτζ Μπους'],
  ['macedonia', 'Macedonia', 'Macedonia', 'Mazedonien', 'Μακεδονία'],
  ['nato', 'NATO', 'La OTAN', 'Die NATO', 'ΝΑΤΟ'],
  ['republicans', 'Republicans', 'Los republicanos', 'Die Republikaner', 'Ρεπουμπλικάνοι (ΗΠΑ)'],
  ['tobacco_companies', 'Tobacco companies', 'Las tabacaleras', 'Tabakkonzerne', 'Καπνοβιομηχανίες'],
  ['united_nations', 'United Nations', 'Naciones Unidas', 'Vereinte Nationen', 'Ηνωμένα Έθνη'],
  ['world_bank', 'World Bank', 'Banco Mundial', 'Weltbank', 'Παγκόσμια Τράπεζα'],
];

const concerns: readonly NamedRow[] = [
  ['homelessness', 'Homelessness', 'Las personas sin hogar', 'Obdachlosigkeit', 'Αστεγία'],
  [
    'ozone_depletion',
    'Ozone depletion',
    'El agujero de la capa de ozono',
    'Abbau der Ozonschicht',
    'Τρύπα του όζοντος',
  ],
];

const beliefs: readonly NamedRow[] = [
  ['religion', 'Religion', 'La religión', 'Religion', 'Θρησκεία'],
  ['spirituality', 'Spirituality', 'La espiritualidad', 'Spiritualität', 'Πνευματικότητα'],
];

/** Opinions: the `a_` fields. */
export const opinionFields: readonly Field[] = [
  ...prefixed('a', 'opinion', stance, issues),
  ...prefixed('a', 'opinion', regard, regarded),
  ...prefixed('a', 'opinion', concern, concerns),
  ...prefixed('a', 'opinion', importance, beliefs),
];
