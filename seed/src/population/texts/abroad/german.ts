/** German lines, words and short names of interests; `{a/b}` is the form for a man, then for a woman. */
export const lines: Readonly<Record<string, string>> = {
  'opener.warm': `
    Hallo, ich bin {name} und freue mich, dass du hier gelandet bist.
    Meine Freunde sagen, ich koche immer für zwei Personen zu viel.
    Ich umarme gern, lache laut und vergesse keinen Geburtstag.
    Schön, dass du vorbeischaust!
    Wer bei mir klingelt, bekommt erst mal einen Kaffee.
    Ich bin jemand, der noch Postkarten schreibt.
  `,
  'opener.dry': `
    Meine Schwester hat mich angemeldet. Danke, Schwester.
    Stärken: Pünktlichkeit. Schwächen: Pünktlichkeit.
    Ich suche hier vor allem eine Ausrede, nicht mehr zum Volleyball zu müssen.
    Gebrauchsanweisung: einfach anschreiben, beißt nicht.
    Kurzfassung: {age}, stubenrein, eigener Werkzeugkasten.
    Über mich zu schreiben fällt mir leicht, nur das Gute fehlt noch.
  `,
  'opener.plain': `
    Ich bin {name}, {age} Jahre alt und wohne in {city}.
    Ich bin neu hier und probiere das einfach mal aus.
    Ich mag es unkompliziert: gute Leute, frische Luft, ehrliche Worte.
    Seit einigen Jahren lebe ich in {quarter} und fühle mich dort zu Hause.
    Ein paar Sätze über mich, ganz ohne Schnörkel.
    Mit {age} weiß ich ungefähr, was ich will, und ziemlich genau, was nicht.
  `,
  place: `
    In {quarter} kenne ich jeden Bäcker und fast jeden Hund.
    {city} ist laut, nass und meistens wunderbar.
    Ich wohne in {quarter}, vierter Stock, kein Aufzug, dafür Abendsonne.
    Am liebsten zeige ich {city} abseits der Postkarten.
    Mein Balkon in {quarter} hat Platz für zwei Stühle.
    Sonntags drehe ich meine Runde durch {quarter} und hole Brötchen.
  `,
  work: `
    Ich arbeite {field} und mache das gern.
    Beruflich bin ich {field} unterwegs, privat lieber draußen.
    {over25}Seit Jahren arbeite ich {field}; langweilig war es noch nie.
    Mein Alltag spielt {field}, mein Leben zum Glück auch woanders.
    Ich arbeite {field}, aber frag mich lieber nach dem Wochenende.
  `,
  'work.student': `
    Ich studiere noch und jobbe nebenbei im Café.
    Im Moment besteht mein Leben aus Vorlesungen, Mensa und Zugfahrten nach Hause.
  `,
  'work.retired': `
    Ich bin im Ruhestand und habe weniger Zeit als je zuvor.
    Seit der Rente mache ich endlich, was ich immer aufgeschoben habe.
  `,
  'family.one_child': `
    Ich habe ein Kind ({kidage} Jahre), das bei mir immer an erster Stelle steht.
    Mein Kind ist {kidage} und hat deutlich mehr Termine als ich.
  `,
  'family.children': `
    Meine Kinder ({kidages}) halten mich auf Trab.
    Ich habe Kinder ({kidages}) und plane deshalb gern ein bisschen voraus.
  `,
  'family.grown_one': `
    Mein Kind ist erwachsen und ausgezogen, jetzt bin ich dran.
  `,
  'family.grown': `
    Meine Kinder sind erwachsen, und der Esstisch gehört wieder mir.
    Die Kinder sind aus dem Haus und rufen trotzdem jeden Sonntag an.
  `,
  'family.divorced': `
    Ich bin geschieden, ohne Groll und mit guten Freunden.
    Meine Ehe ist Geschichte, mein Optimismus nicht.
  `,
  'family.widowed': `
    Ich bin verwitwet. Es war eine gute Zeit, und ich glaube, es darf noch eine geben.
    Seit einigen Jahren bin ich allein und möchte es nicht bleiben.
  `,
  'family.wants': `
    Kinder gehören für mich irgendwann dazu.
    Ich wünsche mir eine Familie, am liebsten mit Garten.
  `,
  'pet.dog': `
    Mein Hund {dogname} kommt fast überallhin mit.
    Zweimal am Tag führt mich {dogname} spazieren, bei jedem Wetter.
  `,
  'pet.cat': `
    Meine Katze {dogname} bestimmt hier die Öffnungszeiten.
    Bei mir wohnt {dogname}, eine Katze mit klaren Vorstellungen.
  `,
  'interest.camping': `Mit Zelt und Kocher bin ich am glücklichsten.
    Ich schlafe gern draußen, auch wenn es regnet.`,
  'interest.walking': `Am Wochenende zieht es mich in die Berge oder wenigstens in den Wald.
    Ich gehe gern zu Fuß, am liebsten zu zweit.`,
  'interest.running': `Ich laufe dreimal die Woche, langsam, aber stur.
    Mein nächster Halbmarathon ist schon bezahlt, leider.`,
  'interest.photography': `Ich fotografiere noch auf Film und warte gern auf die Bilder.`,
  'interest.gardening': `Im Schrebergarten kämpfe ich gegen Schnecken und für Tomaten.`,
  'interest.traveling': `Am liebsten reise ich mit dem Nachtzug.
    Zuletzt war ich in {visited}, als Nächstes geht es nach {visited}.`,
  'interest.art': `Im Museum brauche ich vor einem guten Bild eine Bank und eine halbe Stunde.`,
  'interest.theater': `Ich habe ein Theaterabo für zwei Plätze, der zweite ist meistens frei.`,
  'interest.reading': `Auf meinem Nachttisch liegen immer drei Bücher gleichzeitig.
    Ich lese viel, am liebsten Krimis und dicke Romane.`,
  'interest.writing': `Ich schreibe Kurzgeschichten für die Schublade.`,
  'interest.technology': `Ich baue kleine Geräte, die niemand braucht und alle lustig finden.`,
  'interest.video_games': `An Regentagen spiele ich gern am Rechner, am liebsten zu zweit.`,
  'interest.board_games': `Donnerstags ist bei mir Spieleabend, Verlieren ausdrücklich erlaubt.`,
  'interest.cars': `Ich schraube seit Jahren an einem alten Käfer.`,
  'interest.soccer': `Samstags gehöre ich dem Fußball, sonst verhandelbar.
    Ich spiele in der Freizeitliga des guten Willens.`,
  'interest.tennis': `Ich suche auch jemanden fürs gemischte Doppel.`,
  'interest.exercise': `Dreimal die Woche schwimme ich vor der Arbeit.`,
  'interest.cooking': `Ich koche gern, meine Spezialität: {dish}.
    Sonntags gibt es bei mir {dish} für alle, die kommen.`,
  'interest.food': `Für gutes {food} fahre ich durch die ganze Stadt.`,
  'interest.bars': `Ich mag Kneipen mit Holztischen und ohne Fernseher.`,
  'interest.dancing': `Ich tanze Tango, vorsichtig, aber mit Gefühl.`,
  'interest.live_concerts': `Kleine Bühne, laute Band, und ich bin zufrieden.`,
  'interest.singing': `Ich singe im Chor, zweite Reihe, mit Begeisterung.`,
  'interest.movies': `Ich gehe gern ins Kino, Originalton, Mitte, keine Gespräche.`,
  'interest.philosophy': `Große Fragen bespreche ich am liebsten bei kleinen Gläsern.`,
  'interest.politics': `Ich streite gern über Politik, solange danach alle noch zusammen essen.`,
  'interest.community_service': `Einmal die Woche helfe ich bei der Tafel aus.`,
  'interest.snowboarding': `Sobald Schnee liegt, bin ich weg.`,
  'interest.astronomy': `Für Sternschnuppen stelle ich mir den Wecker.`,
  'trait.outgoing': `Ich komme überall schnell ins Gespräch, auch an der Supermarktkasse.`,
  'trait.quiet': `Ich bin eher ruhig, bis ich jemanden kenne.
    Lieber ein langes Abendessen zu viert als eine große Feier.`,
  'trait.curious': `Ich lese jede Tafel im Museum.`,
  'trait.driven': `Ich mag Listen und das Gefühl, etwas abzuhaken.`,
  'trait.relaxed': `Ich habe es selten eilig.`,
  'trait.warm': `Ich merke mir, wie du deinen Kaffee trinkst.`,
  'daily.warm': `
    Glück ist für mich {joy} und jemand, dem ich davon erzählen kann.
    Ich bringe von jeder Reise eine Kleinigkeit für alle mit.
    Wenn es regnet, backe ich Kuchen und lasse das Fenster offen.
    Ich freue mich wie ein Kind über {joy}.
  `,
  'daily.dry': `
    Meine Pflanzen leben noch, jedenfalls die meisten.
    Ich habe eine Schublade für Dinge, die man noch brauchen könnte. Es sind inzwischen vier.
    Mein größtes Talent: immer die langsamste Kasse zu finden.
    Ich kann hervorragend parken, meistens beim zweiten Versuch.
  `,
  'daily.plain': `
    Ich mag {joy} und {joy}.
    Abends koche ich, höre Musik und gehe nicht zu spät ins Bett.
    Am Wochenende sehe ich Freunde, schlafe aus und fahre Rad.
    Ich trinke gern Rotwein, aber lieber in Gesellschaft.
  `,
  'wish.warm': `
    Ich wünsche mir {partner}, mit {partnerhim} man auch schweigen kann.
    Ich suche jemanden für die kleinen Dinge: Einkaufen, schlechtes Wetter, gute Nachrichten.
    Du musst nicht perfekt sein, nur herzlich.
  `,
  'wish.dry': `
    Gesucht wird eine zweite Meinung zu Vorhängen.
    Du solltest beim Spielen verlieren können, du wirst es nämlich.
    Ideal wäre jemand, der Regale ohne Streit aufbaut.
  `,
  'wish.plain': `
    Ich suche etwas Ernstes, aber ohne Eile.
    Ehrlichkeit und Humor sind mir wichtig, der Rest findet sich.
    Lass uns einen Spaziergang machen und schauen, wie es sich anfühlt.
    Ich hätte gern jemanden in der Nähe, mit eigenem Leben und Lust auf ein gemeinsames.
  `,
  'closer.warm': `
    Schreib mir, ich antworte bestimmt.
    Ich bringe den Kuchen mit.
    Ich freue mich auf deine Geschichte.
  `,
  'closer.dry': `
    Umtausch ausgeschlossen.
    Rückfragen bitte beim Kaffee.
    So, jetzt du.
  `,
  'closer.plain': `
    Wenn dir das gefällt, melde dich.
    Alles Weitere erzähle ich lieber persönlich.
    Ich freue mich auf Nachrichten mit ganzen Sätzen.
  `,
  'headline.warm': `
    Auf meinem Balkon ist noch ein Stuhl frei
    Herz am rechten Fleck, Kaffee auf dem Herd
    Zusammen schmeckt es besser
    Ich lasse das Licht an
  `,
  'headline.dry': `
    Meine Katze meint, ich soll mehr rausgehen
    Gut erhalten, leichte Gebrauchsspuren
    Suche zweite Meinung zu Vorhängen
    Kann Regale aufbauen
  `,
  'headline.plain': `
    {city}, {age}, offen für Neues
    Ehrlich, humorvoll, gern draußen
    Lieber spazieren als chatten
    {name} aus {quarter}
    Ein guter Anfang wäre ein Kaffee
  `,
  'headline.interest': `
    {Like1} und {like2}
    Am liebsten {like1}
    {Like1}, {like2} und du?
    {City}, {like1}, {like2}
  `,
};

/** Words that German lines pick from. */
export const words: Readonly<Record<string, string>> = {
  dish: `Käsespätzle, Königsberger Klopse, Risotto, Sauerbraten, Kürbissuppe, Ofengemüse, Lasagne, Linsencurry`,
  food: `Sushi, Eis, Brot, Tiramisu, vietnamesisches Essen`,
  joy: `frische Brötchen, Gewitter im Sommer, leere Straßen am Sonntagmorgen, pünktliche Züge, warme Socken, Neuschnee, Freibadpommes`,
  visited: `Lissabon, Island, Georgien, Japan, Schottland, Kroatien, Norwegen, Marokko`,
  dogname: `Emma, Bruno, Frieda, Oskar, Paula, Balu, Lotte, Kalle`,
};

/** Phrases for "Ich arbeite …" by occupation. */
export const fields: Readonly<Record<string, string>> = {
  administration: 'in der Verwaltung',
  arts_and_media: 'bei einem kleinen Verlag',
  business_and_finance: 'in der Buchhaltung',
  construction_and_trades: 'im Handwerk',
  education: 'an einer Schule',
  engineering: 'in einem Ingenieurbüro',
  health_care: 'im Krankenhaus',
  hospitality: 'in der Gastronomie',
  information_technology: 'in der IT',
  law: 'in einer Kanzlei',
  public_service: 'bei der Stadt',
  retail_and_sales: 'im Einzelhandel',
  science: 'in der Forschung',
  transport: 'bei der Bahn',
  self_employed: 'selbstständig',
  other: 'in einem kleinen Betrieb',
};

/** Short German names of interests. */
export const likes: Readonly<Record<string, string>> = {
  camping: 'Zelten, Lagerfeuer',
  walking: 'Wandern, lange Spaziergänge, Waldwege',
  running: 'Laufen, Waldläufe',
  photography: 'Fotografie, alte Kameras',
  dogs_cats: 'Hunde, Katzen',
  gardening: 'Tomaten, mein Schrebergarten',
  traveling: 'Nachtzüge, Fernweh, Reisen ohne Plan',
  art: 'Museen, moderne Kunst',
  theater: 'Theaterabende',
  reading: 'Krimis, dicke Bücher, Antiquariate',
  writing: 'Kurzgeschichten',
  technology: 'Technik',
  video_games: 'Konsolenabende',
  board_games: 'Spieleabende, Doppelkopf',
  cars: 'Oldtimer',
  soccer: 'Fußball',
  tennis: 'Tennis',
  exercise: 'Schwimmen, Yoga',
  cooking: 'Kochen, gutes Brot, Suppen',
  food: 'gutes Essen, Flammkuchen',
  bars: 'alte Kneipen',
  dancing: 'Tango, Tanzen in der Küche',
  live_concerts: 'Konzerte, Schallplatten',
  singing: 'Chorproben',
  movies: 'Programmkino, alte Filme',
  philosophy: 'große Fragen',
  politics: 'gute Debatten',
  snowboarding: 'Tiefschnee',
  astronomy: 'Sternenhimmel',
};
