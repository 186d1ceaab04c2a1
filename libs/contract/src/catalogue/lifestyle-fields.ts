import type { Field } from './field.ts';
import { orderedField } from './prefixed.ts';

const habit = orderedField('lifestyle');

/** Lifestyle: the `ls_` fields, each on a scale of its own from little to much. */
export const lifestyleFields: readonly Field[] = [
  habit(
    ['ls_dress', 'Dress', 'Forma de vestir', 'Kleidungsstil', 'Ντύσιμο'],
    ['Whatever is comfortable', 'Lo más cómodo', 'Hauptsache bequem', 'Ό,τι είναι άνετο'],
    ['Casual', 'Informal', 'Leger', 'Καθημερινό'],
    ['Smart casual', 'Informal arreglado', 'Schick und leger', 'Κομψό και άνετο'],
    ['Stylish', 'Con estilo', 'Modisch', 'Με στυλ'],
    ['Always dressed up', 'Siempre elegante', 'Immer elegant', 'Πάντα στην τρίχα'],
  ),
  habit(
    ['ls_energy', 'Energy', 'Energía', 'Energie', 'Ενέργεια'],
    ['Very laid-back', 'Muy tranquilo/a', 'Sehr entspannt', 'Πολύ χαλαρός/ή'],
    ['Calm', 'Tranquilo/a', 'Ruhig', 'Ήρεμος/η'],
    ['Balanced', 'Equilibrado/a', 'Ausgewogen', 'Ισορροπημένος/η'],
    ['Energetic', 'Con energía', 'Voller Energie', 'Ενεργητικός/ή'],
    ['Always on the go', 'Siempre en marcha', 'Immer in Bewegung', 'Πάντα σε κίνηση'],
  ),
  habit(
    ['ls_happy_hour', 'Happy hour', 'Copas después del trabajo', 'Feierabenddrink', 'Ποτό μετά τη δουλειά'],
    ['Never', 'Nunca', 'Nie', 'Ποτέ'],
    ['On special occasions', 'En ocasiones especiales', 'Zu besonderen Anlässen', 'Σε ειδικές περιστάσεις'],
    ['Now and then', 'De vez en cuando', 'Ab und zu', 'Πότε πότε'],
    ['Most weeks', 'Casi todas las semanas', 'Fast jede Woche', 'Σχεδόν κάθε εβδομάδα'],
    ['Whenever there is one', 'Siempre que hay ocasión', 'Bei jeder Gelegenheit', 'Σε κάθε ευκαιρία'],
  ),
  habit(
    ['ls_neatness', 'Neatness', 'Orden', 'Ordnung', 'Τάξη'],
    ['Creative chaos', 'Caos creativo', 'Kreatives Chaos', 'Δημιουργικό χάος'],
    ['A little untidy', 'Algo desordenado/a', 'Etwas unordentlich', 'Λίγο ακατάστατος/η'],
    ['Tidy enough', 'Orden suficiente', 'Ordentlich genug', 'Όσο χρειάζεται'],
    ['Neat', 'Ordenado/a', 'Ordentlich', 'Τακτικός/ή'],
    ['Spotless', 'Todo impecable', 'Alles blitzblank', 'Όλα στην εντέλεια'],
  ),
  habit(
    ['ls_punctuality', 'Punctuality', 'Puntualidad', 'Pünktlichkeit', 'Συνέπεια στην ώρα'],
    ['Always late', 'Siempre tarde', 'Immer zu spät', 'Πάντα καθυστερημένος/η'],
    ['Often late', 'A menudo tarde', 'Oft zu spät', 'Συχνά καθυστερημένος/η'],
    ['A few minutes late', 'Unos minutos tarde', 'Ein paar Minuten zu spät', 'Λίγα λεπτά αργότερα'],
    ['On time', 'Puntual', 'Pünktlich', 'Στην ώρα μου'],
    ['Always early', 'Siempre antes de la hora', 'Immer zu früh', 'Πάντα νωρίτερα'],
  ),
  habit(
    ['ls_religion', 'Religious practice', 'Práctica religiosa', 'Religiöses Leben', 'Θρησκευτική ζωή'],
    ['None', 'Ninguna', 'Keines', 'Καμία'],
    ['Seldom', 'Rara vez', 'Selten', 'Σπάνια'],
    ['On holidays', 'En las fiestas', 'An Feiertagen', 'Στις γιορτές'],
    ['Regularly', 'Con regularidad', 'Regelmäßig', 'Τακτικά'],
    ['Every day', 'Cada día', 'Jeden Tag', 'Κάθε μέρα'],
  ),
  habit(
    ['ls_school', 'Learning', 'Aprender', 'Lernen', 'Μάθηση'],
    [
      'Glad that school is over',
      'Me alegro de haber acabado',
      'Froh, dass die Schule vorbei ist',
      'Ευτυχώς τελείωσε το σχολείο',
    ],
    ['Only what I need', 'Solo lo necesario', 'Nur das Nötige', 'Μόνο τα απαραίτητα'],
    [
      'Now and then a course',
      'Algún curso de vez en cuando',
      'Ab und zu ein Kurs',
      'Κάποιο σεμινάριο πότε πότε',
    ],
    ['Like to learn', 'Me gusta aprender', 'Lerne gern', 'Μου αρέσει να μαθαίνω'],
    ['Never stop learning', 'Nunca dejo de aprender', 'Lerne nie aus', 'Δεν σταματώ να μαθαίνω'],
  ),
  habit(
    ['ls_spending', 'Spending', 'Gastos', 'Umgang mit Geld', 'Σχέση με τα χρήματα'],
    ['Save every penny', 'Ahorro hasta el último céntimo', 'Spare jeden Cent', 'Αποταμιεύω κάθε σεντ'],
    ['Careful', 'Con cuidado', 'Sparsam', 'Οικονόμος'],
    ['Balanced', 'Con equilibrio', 'Ausgewogen', 'Με μέτρο'],
    ['Generous', 'Generoso/a', 'Großzügig', 'Γενναιόδωρος/η'],
    ['Live for today', 'Vivo al día', 'Lebe für heute', 'Ζω για το σήμερα'],
  ),
  habit(
    ['ls_travel', 'Travel', 'Viajes', 'Reisen', 'Ταξίδια'],
    ['Happiest at home', 'Como en casa, en ningún sitio', 'Am liebsten zu Hause', 'Καλύτερα στο σπίτι'],
    ['Not far from home', 'Cerca de casa', 'Nicht weit von daheim', 'Όχι μακριά από το σπίτι'],
    ['Once a year', 'Una vez al año', 'Einmal im Jahr', 'Μία φορά τον χρόνο'],
    ['Several times a year', 'Varias veces al año', 'Mehrmals im Jahr', 'Αρκετές φορές τον χρόνο'],
    ['As often as I can', 'Siempre que puedo', 'So oft ich kann', 'Όσο πιο συχνά μπορώ'],
  ),
  habit(
    ['ls_weekends', 'Weekends', 'Fines de semana', 'Wochenenden', 'Σαββατοκύριακα'],
    ['Quiet and on my own', 'Tranquilos y a solas', 'Ruhig und für mich', 'Ήσυχα, μόνος/η μου'],
    [
      'At home with those I love',
      'En casa con los míos',
      'Zu Hause mit meinen Lieben',
      'Στο σπίτι με τους δικούς μου',
    ],
    ['A bit of everything', 'Un poco de todo', 'Von allem etwas', 'Λίγο από όλα'],
    ['Out with friends', 'Por ahí con amigos', 'Mit Freunden unterwegs', 'Έξω με φίλους'],
    ['Out until morning', 'De fiesta hasta el amanecer', 'Feiern bis zum Morgen', 'Έξω μέχρι το πρωί'],
  ),
  habit(
    ['ls_what_do_you_do', 'What I do', 'A qué me dedico', 'Was ich mache', 'Με τι ασχολούμαι'],
    ['Taking time off', 'Me tomo un tiempo', 'Nehme mir eine Auszeit', 'Κάνω ένα διάλειμμα'],
    [
      'Looking for the right thing',
      'Busco lo mío',
      'Suche noch das Richtige',
      'Ψάχνω αυτό που μου ταιριάζει',
    ],
    [
      'A job that pays the bills',
      'Un trabajo para vivir',
      'Ein Job zum Leben',
      'Μια δουλειά για τα προς το ζην',
    ],
    [
      'A job that I enjoy',
      'Un trabajo que me gusta',
      'Eine Arbeit, die mir gefällt',
      'Μια δουλειά που μου αρέσει',
    ],
    ['My calling', 'Mi vocación', 'Meine Berufung', 'Η κλίση μου'],
  ),
  habit(
    ['ls_work_ethic', 'Work ethic', 'Actitud ante el trabajo', 'Arbeitsmoral', 'Εργατικότητα'],
    ['Work to live', 'Trabajo para vivir', 'Arbeite, um zu leben', 'Δουλεύω για να ζω'],
    ['Easygoing', 'Sin agobios', 'Ganz gelassen', 'Χωρίς άγχος'],
    [
      'Work and life in balance',
      'Trabajo y vida en equilibrio',
      'Arbeit und Leben im Gleichgewicht',
      'Ισορροπία δουλειάς και ζωής',
    ],
    ['Hard-working', 'Muy trabajador/a', 'Fleißig', 'Εργατικός/ή'],
    ['Work comes first', 'El trabajo es lo primero', 'Die Arbeit geht vor', 'Πρώτα η δουλειά'],
  ),
];
