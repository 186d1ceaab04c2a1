/** Folds a name: no case, accents, spaces or punctuation. */
export function fold(name: string): string {
  return name
    .normalize('NFD')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
    .replaceAll('ς', 'σ');
}

/** Local and common names of cities that differ from the list, by country. */
const names: Readonly<Record<string, string>> = {
  AT: 'Wien = Vienna',
  BE: 'Bruxelles = Brussels; Brussel = Brussels; Antwerp = Antwerpen; Bruges = Brugge; Ghent = Gent',
  CH: 'Genf = Genève; Geneva = Genève; Zurich = Zürich; Basle = Basel',
  CZ: 'Praha = Prague; Prag = Prague',
  DE: `München = Munich; Cologne = Köln; Nuremberg = Nürnberg; Hanover = Hannover; Frankfurt = Frankfurt am Main;
    Frankfurt/Main = Frankfurt am Main; Freiburg = Freiburg im Breisgau; Munchen = Munich; Muenchen = Munich; Koeln = Köln;
    Duesseldorf = Düsseldorf; Nuernberg = Nürnberg`,
  DK: 'København = Copenhagen; Kopenhagen = Copenhagen',
  ES: 'Seville = Sevilla; Saragossa = Zaragoza; Cordova = Córdoba; La Coruña = A Coruña',
  FR: 'Marseilles = Marseille; Lyons = Lyon; Straßburg = Strasbourg',
  GR: `Αθήνα = Athens; Athina = Athens; Θεσσαλονίκη = Thessaloníki; Salonica = Thessaloníki; Πειραιάς = Piraeus; Πάτρα = Pátra;
    Patras = Pátra; Ηράκλειο = Irákleion; Heraklion = Irákleion; Λάρισα = Lárisa; Larissa = Lárisa; Βόλος = Vólos;
    Ιωάννινα = Ioánnina; Χανιά = Chaniá; Χαλκίδα = Chalkída; Καβάλα = Kavála; Καλαμάτα = Kalamáta; Ρόδος = Ródos;
    Rhodes = Ródos; Τρίκαλα = Tríkala; Σέρρες = Sérres; Αλεξανδρούπολη = Alexandroúpoli; Ξάνθη = Xánthi;
    Κατερίνη = Kateríni; Κομοτηνή = Komotiní; Λαμία = Lamía; Κέρκυρα = Kérkyra; Corfu = Kérkyra; Περιστέρι = Peristéri;
    Καλλιθέα = Kallithéa; Γλυφάδα = Glyfáda; Ρέθυμνο = Réthymno; Κόρινθος = Kórinthos; Corinth = Kórinthos`,
  IT: `Roma = Rome; Rom = Rome; Milano = Milan; Mailand = Milan; Napoli = Naples; Neapel = Naples; Torino = Turin;
    Firenze = Florence; Florenz = Florence; Venezia = Venice; Venedig = Venice; Genova = Genoa`,
  NL: 'Den Haag = The Hague',
  PL: 'Warszawa = Warsaw; Warschau = Warsaw; Cracow = Kraków',
  PT: 'Lisboa = Lisbon; Lissabon = Lisbon; Oporto = Porto',
  RO: 'București = Bucharest',
  RU: 'Moskva = Moscow; Москва = Moscow; Moskau = Moscow',
  SE: 'Gothenburg = Göteborg',
  TR: 'İstanbul = Istanbul; Smyrna = İzmir; Konstantinopel = Istanbul',
  US: 'New York = New York City; NYC = New York City; LA = Los Angeles; Saint Louis = St. Louis; Washington DC = Washington',
};

const pairsOf = ([country, list]: readonly [string, string]) =>
  list.split(';').map((pair) => {
    const [known = '', listed = ''] = pair.split('=').map((name) => name.trim());
    return [`${country} ${fold(known)}`, listed] as const;
  });

/** The listed name of a city by country and folded name, e.g. `DE munchen`. */
export const homeNames: ReadonlyMap<string, string> = new Map(Object.entries(names).flatMap(pairsOf));
