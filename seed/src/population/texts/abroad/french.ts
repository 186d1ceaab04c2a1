/** French lines, words and short names of interests; `{a/b}` is the form for a man, then for a woman. */
export const lines: Readonly<Record<string, string>> = {
  'opener.warm': `
    Bonjour, moi c'est {name}, et je suis {ravi/ravie} que tu lises ces lignes.
    Chez moi, il y a toujours une assiette de plus.
    On me dit que je ris trop fort, et je ne compte pas changer.
    J'écris encore des cartes postales.
    Mes amis disent que je suis {celui/celle} qu'on appelle à deux heures du matin.
    Je retiens les anniversaires et j'oublie mes clés.
  `,
  'opener.dry': `
    C'est ma sœur qui m'a {inscrit/inscrite}.
    On m'avait promis qu'il n'y aurait pas de rédaction.
    En bref : {age} ans, propre, plantes encore vivantes.
    Qualité : toujours à l'heure. Défaut : je le fais remarquer.
    Je fais très bien semblant de connaître le vin.
    Mode d'emploi : un café, puis on verra.
  `,
  'opener.plain': `
    Je m'appelle {name}, j'ai {age} ans et j'habite à {city}.
    Je suis {nouveau/nouvelle} ici, alors je commence simplement.
    J'aime les choses simples : les gens vrais, la bonne cuisine, le grand air.
    Je vis dans le quartier {quarter} depuis quelques années et je m'y sens bien.
    À {age} ans, je sais à peu près ce que je veux.
    Je suis quelqu'un de calme, de curieux et d'assez ponctuel.
  `,
  place: `
    Côté {quarter}, je connais la boulangère, le libraire et tous les chiens.
    {city} me plaît surtout tôt le matin, quand elle est vide.
    J'habite {quarter}, quatrième étage sans ascenseur, vue sur les toits.
    Si tu viens à {city}, oublie le guide et demande-moi.
    Mon balcon a deux chaises, dont une qui s'ennuie.
    Le dimanche, c'est marché, puis longue balade côté {quarter}.
  `,
  work: `
    Je travaille {field} et j'aime ça, la plupart du temps.
    La semaine, je suis {field} ; le week-end, dehors si possible.
    {over25}Cela fait des années que je travaille {field}, sans m'ennuyer.
    Je travaille {field}, mais parlons plutôt de vacances.
    Mon métier se passe {field}, ma vie heureusement aussi ailleurs.
  `,
  'work.student': `
    Je fais encore mes études et je sers des cafés le week-end.
    Entre deux cours, on me trouve à la bibliothèque, ou juste à côté.
  `,
  'work.retired': `
    Je suis à la retraite et je n'ai plus une minute à moi.
    Depuis la retraite, je fais enfin ce que je remettais à plus tard.
  `,
  'family.one_child': `
    J'ai un enfant de {kidage} ans qui passe avant tout.
    Je partage mes crêpes avec un petit tyran de {kidage} ans que j'adore.
  `,
  'family.children': `
    Mes enfants ({kidages}) occupent bien mes semaines, et c'est tant mieux.
    J'ai des enfants ({kidages}), donc je préviens à l'avance et j'apporte le goûter.
  `,
  'family.grown_one': `
    Mon enfant est grand et parti, à mon tour maintenant.
  `,
  'family.grown': `
    Mes enfants sont grands, et la table du salon est de nouveau à moi.
    Les enfants ont quitté la maison, mais reviennent pour le gratin.
  `,
  'family.divorced': `
    Je suis {divorcé/divorcée}, sans amertume et avec les bons couteaux.
    Mon mariage est fini depuis longtemps, mon optimisme pas du tout.
  `,
  'family.widowed': `
    Je suis {veuf/veuve}. J'ai été {heureux/heureuse} et j'aimerais l'être encore.
    Après quelques années {seul/seule} à table, j'aimerais remettre deux assiettes.
  `,
  'family.wants': `
    J'aimerais avoir des enfants un jour.
    Une famille, pas demain, mais un jour, oui.
  `,
  'pet.dog': `
    Mon chien {dogname} vient presque partout avec moi.
    {dogname}, mon chien, décide de l'heure du réveil.
  `,
  'pet.cat': `
    Mon chat {dogname} fera semblant de ne pas t'aimer pendant deux semaines.
    Chez moi, c'est {dogname}, le chat, qui commande.
  `,
  'interest.camping': `Une tente, un réchaud, pas de réseau : le bonheur.`,
  'interest.walking': `Le week-end, je marche, de préférence loin des voitures.
    J'aime marcher sans but, à deux si possible.`,
  'interest.running': `Je cours lentement, mais avec conviction.`,
  'interest.photography': `Je photographie les portes et les chiens des autres.`,
  'interest.gardening': `Je fais pousser des tomates sur un balcon minuscule.`,
  'interest.traveling': `Mon dernier voyage, c'était {visited} ; le prochain, {visited}.
    Je voyage léger et je mange dans la rue.`,
  'interest.art': `Je peux passer une heure devant un tableau.`,
  'interest.painting': `Je peins des aquarelles, surtout des ciels.`,
  'interest.theater': `J'ai deux abonnements au théâtre, et mon manteau occupe le second.`,
  'interest.reading': `Je lis trois livres à la fois et j'en finis deux.
    Les bouquinistes me ruinent doucement.`,
  'interest.writing': `J'écris des nouvelles que personne ne m'a demandées.`,
  'interest.technology': `Je démonte les appareils ; les remonter, c'est une autre histoire.`,
  'interest.video_games': `Les jours de pluie, je joue à la console sans remords.`,
  'interest.board_games': `Le jeudi, c'est soirée jeux, et il manque toujours quelqu'un.`,
  'interest.soccer': `Je souffre pour mon équipe depuis l'enfance.`,
  'interest.tennis': `Je cherche aussi un partenaire de double, au sens propre.`,
  'interest.exercise': `Je nage le matin, c'est là que je réfléchis le mieux.`,
  'interest.cooking': `Ma spécialité : {dish}.
    Le dimanche, je prépare {dish} pour qui veut bien venir.`,
  'interest.food': `Je traverse la ville pour de bons {food}.`,
  'interest.bars': `J'aime les vieux bistrots avec un zinc et sans écran.`,
  'interest.dancing': `Je danse le rock le mercredi et j'écrase de moins en moins de pieds.`,
  'interest.live_concerts': `Petite salle, groupe bruyant, et je suis bien.`,
  'interest.singing': `Je chante dans une chorale, deuxième rang, avec entrain.`,
  'interest.movies': `Je vais beaucoup au cinéma, en version originale et au milieu.`,
  'interest.philosophy': `Les grandes questions passent mieux avec un petit verre.`,
  'interest.politics': `J'aime débattre, à condition de dîner ensemble après.`,
  'interest.community_service': `Une fois par semaine, je donne un coup de main aux Restos.`,
  'interest.snowboarding': `Dès qu'il neige, je disparais.`,
  'interest.astronomy': `En août, je m'allonge dans un champ et je compte les étoiles filantes.`,
  'trait.outgoing': `Je parle à tout le monde, même aux pigeons.`,
  'trait.quiet': `Je parle peu au début, et beaucoup ensuite.
    Je préfère un long dîner à quatre à une grande fête.`,
  'trait.curious': `Je lis toutes les pancartes dans les musées.`,
  'trait.driven': `J'aime les listes et le plaisir de rayer.`,
  'trait.relaxed': `Je suis rarement {pressé/pressée}.`,
  'trait.warm': `Je me souviens de la façon dont tu prends ton café.`,
  'daily.warm': `
    Mon bonheur : {joy} et quelqu'un à qui le raconter.
    Je rapporte un petit quelque chose de chaque voyage.
    Quand il pleut, je fais un gâteau et je laisse la fenêtre ouverte.
    Je souris bêtement devant {joy}.
  `,
  'daily.dry': `
    Mes plantes sont vivantes, techniquement.
    J'ai un tiroir pour les choses qui pourraient servir. Il y en a trois.
    Je choisis toujours la file la plus lente, c'est un talent.
    Je ronfle peu, et juste.
  `,
  'daily.plain': `
    J'aime {joy} et {joy}.
    Le soir, je cuisine, j'écoute la radio et je me couche à une heure raisonnable.
    Le week-end, je vois mes amis et je prends le train.
    Je bois du thé toute la journée.
  `,
  'wish.warm': `
    Je cherche {partner} avec qui le silence est agréable aussi.
    J'aimerais partager les petites choses : les courses, la pluie, les bonnes nouvelles.
    Personne n'est parfait ; la gentillesse me suffit.
  `,
  'wish.dry': `
    Cherche complice pour monter une étagère sans se disputer.
    Il faudra savoir perdre au Scrabble.
    Un avis sur les rideaux serait un plus.
  `,
  'wish.plain': `
    Je cherche une relation sérieuse, mais sans urgence.
    La franchise et l'humour comptent le plus pour moi.
    Commençons par une promenade, on verra bien.
    J'aimerais rencontrer quelqu'un d'ici, qui a sa vie et l'envie de la partager.
  `,
  'closer.warm': `
    Écris-moi, je réponds toujours.
    J'apporte le dessert.
    Raconte-moi ce qui t'a fait sourire aujourd'hui.
  `,
  'closer.dry': `
    Ni repris ni échangé.
    Voilà pour la brochure.
    À toi maintenant.
  `,
  'closer.plain': `
    Si ça te parle, envoie-moi un message.
    Le reste, je préfère le raconter de vive voix.
    On prend un verre ?
  `,
  'headline.warm': `
    Il reste une chaise sur mon balcon
    Beaucoup de cœur, peu de hâte
    Je te garde la dernière crêpe
    Le café est chaud
  `,
  'headline.dry': `
    Mieux en vrai, paraît-il
    Monte des étagères par amour
    Ma mère me trouve formidable
    Bon état général
  `,
  'headline.plain': `
    {city}, {age} ans, envie de rire
    Franchise et bonne humeur
    Commençons par un café
    {name}, côté {quarter}
    Moins d'écrans, plus de balades
  `,
  'headline.interest': `
    {Like1} et {like2}
    Plutôt {like1}
    {Like1}, {like2}, et toi ?
    {City}, {like1}, {like2}
  `,
};

/** Words that French lines pick from. */
export const words: Readonly<Record<string, string>> = {
  dish: `le bœuf bourguignon, la ratatouille, le gratin dauphinois, le couscous du dimanche, la tarte Tatin, le risotto, la blanquette`,
  food: `raviolis chinois, falafels, banh mi, fromages, croissants`,
  joy: `le pain chaud, la pluie sur les toits, les draps propres, un train à l'heure, la mer en hiver, les terrasses au soleil`,
  visited: `Lisbonne, l'Écosse, le Japon, Naples, le Maroc, l'Islande, Istanbul, la Corse`,
  dogname: `Ficelle, Gaston, Praline, Oscar, Caramel, Nouille, Filou, Zazie`,
};

/** Phrases for "Je travaille …" by occupation. */
export const fields: Readonly<Record<string, string>> = {
  administration: 'dans un bureau',
  arts_and_media: "dans une petite maison d'édition",
  business_and_finance: 'dans une banque',
  construction_and_trades: 'dans le bâtiment',
  education: 'dans un lycée',
  engineering: "dans un bureau d'études",
  health_care: "à l'hôpital",
  hospitality: 'dans la restauration',
  information_technology: "dans l'informatique",
  law: "dans un cabinet d'avocats",
  public_service: 'à la mairie',
  retail_and_sales: 'dans un magasin',
  science: 'dans un laboratoire',
  transport: 'dans les transports',
  self_employed: 'à mon compte',
  other: 'dans un atelier',
};

/** Short French names of interests. */
export const likes: Readonly<Record<string, string>> = {
  camping: 'les feux de camp, la tente',
  walking: 'les longues balades, les sentiers',
  running: "courir au bord de l'eau",
  photography: 'la photo argentique, les vieux appareils',
  dogs_cats: 'les chiens des autres, les chats',
  gardening: 'les tomates du balcon',
  traveling: 'les trains de nuit, les voyages sans plan',
  art: 'les musées, les petites galeries',
  painting: "l'aquarelle",
  theater: 'le théâtre',
  reading: 'les polars, les gros romans, les bouquinistes',
  writing: 'les nouvelles, les lettres à la main',
  technology: 'les gadgets',
  video_games: 'les vieilles consoles',
  board_games: 'les jeux de société, les échecs',
  soccer: 'le foot',
  tennis: 'le tennis',
  exercise: 'la natation, le yoga',
  cooking: 'la cuisine lente, les soupes',
  food: 'le fromage, la bonne table',
  bars: 'les vieux bistrots',
  dancing: 'danser dans la cuisine, le rock à six temps',
  live_concerts: 'les concerts, les vinyles',
  singing: 'la chorale',
  movies: 'le cinéma de quartier, les vieux films',
  philosophy: 'les grandes questions',
  politics: 'les bons débats',
  snowboarding: 'la poudreuse',
  astronomy: 'les étoiles filantes',
};
