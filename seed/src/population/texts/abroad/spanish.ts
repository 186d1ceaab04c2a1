/** Spanish lines, words and short names of interests; `{a/b}` is the form for a man, then for a woman. */
export const lines: Readonly<Record<string, string>> = {
  'opener.warm': `
    Hola, soy {name} y me alegro de que estés leyendo esto.
    En mi casa siempre hay sitio para uno más en la mesa.
    Mis amigos dicen que abrazo demasiado fuerte.
    Me río con facilidad y lloro con los anuncios.
    Soy de {los/las} que llaman por teléfono en vez de escribir.
    Creo en las segundas oportunidades y en repetir postre.
  `,
  'opener.dry': `
    Esto ha sido idea de mi hermana.
    Me prometieron que no habría redacción.
    Resumen: {age} años, {educado/educada}, con plantas todavía vivas.
    Virtudes: llego a mi hora. Defectos: te lo recuerdo.
    Mi mejor amiga escribió un texto mucho mejor, pero era mentira.
    No muerdo, salvo que haya croquetas de por medio.
  `,
  'opener.plain': `
    Me llamo {name}, tengo {age} años y vivo en {city}.
    Soy {nuevo/nueva} por aquí, así que empiezo por lo básico.
    Soy una persona tranquila, sincera y bastante puntual.
    Me gusta la vida sencilla: buena gente, buena mesa y aire libre.
    Llevo unos años en {quarter} y ya me siento en casa.
    A los {age} sé más o menos lo que quiero.
  `,
  place: `
    En {quarter} me conocen en la panadería, en el bar y en la ferretería.
    {city} me tiene {enamorado/enamorada}, sobre todo en otoño.
    Vivo en {quarter}, en un tercero sin ascensor y con mucha luz.
    Si vienes a {city}, olvídate de la guía y pregúntame.
    Mi balcón de {quarter} tiene dos sillas y sobra una.
    Los domingos doy mi vuelta por {quarter} y compro el periódico.
  `,
  work: `
    Trabajo {field} y me gusta lo que hago.
    De lunes a viernes estoy {field}; el resto, a ser posible, en la calle.
    {over25}Llevo años trabajando {field} y todavía aprendo algo cada semana.
    Trabajo {field}, aunque prefiero que me preguntes por el fin de semana.
    Me gano la vida {field} y no me quejo.
  `,
  'work.student': `
    Sigo estudiando y los fines de semana trabajo en una cafetería.
    Entre clases me encontrarás en la biblioteca, o cerca.
  `,
  'work.retired': `
    Estoy {jubilado/jubilada} y no tengo un minuto libre.
    Desde que me jubilé hago por fin lo que siempre dejaba para luego.
  `,
  'family.one_child': `
    Tengo {una criatura|un terremoto} de {kidage} años que es lo primero en mi vida.
    Comparto piso y dibujos animados con mi peque de {kidage} años.
  `,
  'family.children': `
    Mis hijos ({kidages}) me tienen {ocupado/ocupada} y de buen humor.
    Tengo hijos ({kidages}), así que aviso con tiempo y llego con meriendas.
  `,
  'family.grown_one': `
    Ya crié y ya voló; ahora me toca a mí.
  `,
  'family.grown': `
    Mis hijos ya son mayores y la mesa vuelve a ser mía.
    Los hijos se fueron de casa, pero los domingos vuelven a comer.
  `,
  'family.divorced': `
    Estoy {divorciado/divorciada}, sin rencores y con buenos amigos.
    Me separé hace años y aprendí a decir las cosas a tiempo.
  `,
  'family.widowed': `
    Soy {viudo/viuda}. Tuve un gran amor y sé que la vida puede sorprender otra vez.
    Enviudé hace unos años y ya me apetece volver a poner dos platos.
  `,
  'family.wants': `
    Me gustaría formar una familia algún día.
    Los niños entran en mis planes, sin prisa.
  `,
  'pet.dog': `
    Mi perro se llama {dogname} y decide a qué hora salimos.
    Vivo con {dogname}, que ronca más que yo.
  `,
  'pet.cat': `
    Mi gata {dogname} te ignorará exactamente dos semanas.
    En casa manda {dogname}, que es un gato.
  `,
  'interest.camping': `Con una tienda y un hornillo soy feliz.`,
  'interest.walking': `Los sábados me voy a la sierra con bocadillo y sin prisas.
    Me gusta caminar mucho y sin rumbo.`,
  'interest.running': `Salgo a correr despacio y con mucha convicción.`,
  'interest.photography': `Hago fotos a puertas viejas y a perros ajenos.`,
  'interest.gardening': `Tengo tomates en la terraza y hablo con ellos.`,
  'interest.traveling': `El último viaje fue a {visited} y el próximo será a {visited}.
    Viajo ligero, como en la calle y mando postales.`,
  'interest.art': `Puedo pasar una hora delante de un cuadro.`,
  'interest.painting': `Pinto acuarelas, casi siempre cielos.`,
  'interest.theater': `Tengo dos abonos de teatro y el segundo suele ocuparlo mi abrigo.`,
  'interest.reading': `Leo tres libros a la vez y termino dos.
    Las librerías de viejo son mi perdición.`,
  'interest.writing': `Escribo cuentos que nadie me ha pedido.`,
  'interest.technology': `Me encanta desmontar aparatos; montarlos ya es otra cosa.`,
  'interest.video_games': `Los días de lluvia juego a la consola sin remordimientos.`,
  'interest.board_games': `Los jueves hay partida en mi casa, y siempre falta alguien.`,
  'interest.soccer': `Sufro por mi equipo todos los domingos, es una tradición familiar.
    Juego al fútbol sala con más ganas que rodillas.`,
  'interest.tennis': `Busco pareja para el pádel y, de paso, para lo demás.`,
  'interest.exercise': `Nado por las mañanas; es cuando mejor pienso.`,
  'interest.cooking': `Mi especialidad es {dish}, y no comparto la receta.
    Los domingos hago {dish} para quien aparezca.`,
  'interest.food': `Cruzo media ciudad por unas buenas {food}.`,
  'interest.bars': `Me gustan los bares de toda la vida, con barra de zinc y sin tele.`,
  'interest.dancing': `Bailo salsa los miércoles y piso cada vez menos.`,
  'interest.live_concerts': `Sala pequeña, grupo ruidoso, y tan feliz.`,
  'interest.singing': `Canto en un coro y en la ducha, no siempre en ese orden.`,
  'interest.movies': `Voy mucho al cine, versión original y fila central.`,
  'interest.philosophy': `Las grandes preguntas, mejor con copas pequeñas.`,
  'interest.politics': `Me gusta discutir de política si después cenamos todos juntos.`,
  'interest.community_service': `Una tarde a la semana echo una mano en el banco de alimentos.`,
  'interest.snowboarding': `En cuanto nieva en la sierra, desaparezco.`,
  'interest.astronomy': `En agosto me tumbo en un campo a contar estrellas fugaces.`,
  'trait.outgoing': `Hablo hasta con las piedras.`,
  'trait.quiet': `Soy de pocas palabras hasta que cojo confianza.
    Prefiero una cena larga entre cuatro a una fiesta grande.`,
  'trait.curious': `Pregunto mucho, pero es cariño.`,
  'trait.driven': `Me gustan las listas y tachar cosas.`,
  'trait.relaxed': `Casi nunca tengo prisa.`,
  'trait.warm': `Me acuerdo de cómo tomas el café.`,
  'daily.warm': `
    Soy feliz con {joy} y alguien a quien contárselo.
    Traigo un detalle de cada viaje para todo el mundo.
    Me emociono en los aeropuertos, en los dos sentidos.
    Me alegran el día {joy} y {joy}.
  `,
  'daily.dry': `
    Mis plantas siguen vivas, técnicamente.
    Tengo un cajón de cosas por si acaso. Ya son tres cajones.
    Siempre elijo la cola más lenta del supermercado, es un don.
    Ronco poco y en compás de tres por cuatro.
  `,
  'daily.plain': `
    Me gustan {joy} y {joy}.
    Por las noches cocino, pongo música y no me acuesto tarde.
    {under45}Los fines de semana veo a los amigos y a mi madre, por ese orden.
    Desayuno siempre, eso no se negocia.
  `,
  'wish.warm': `
    Busco {partner} con quien también se pueda estar en silencio.
    Me gustaría encontrar a alguien para las cosas pequeñas: la compra, la lluvia, las buenas noticias.
    Nadie es perfecto; con buen corazón me basta.
  `,
  'wish.dry': `
    Busco a alguien que monte muebles sin discutir.
    Tendrás que perder al parchís con elegancia.
    Se valorará coche, paciencia y tortilla con cebolla.
  `,
  'wish.plain': `
    Busco algo serio, pero sin prisa.
    Para mí lo importante es la sinceridad y reírse juntos.
    Me gustaría empezar por un paseo y ver qué pasa.
    Quiero conocer a alguien de por aquí, con su vida hecha y ganas de compartirla.
  `,
  'closer.warm': `
    Escríbeme, que contesto siempre.
    Yo pongo el postre.
    Cuéntame qué te ha hecho sonreír hoy.
  `,
  'closer.dry': `
    No se admiten devoluciones.
    Hasta aquí el folleto.
    Ahora te toca a ti.
  `,
  'closer.plain': `
    Si te apetece, mándame un mensaje.
    Lo demás prefiero contártelo en persona.
    ¿Tomamos algo?
  `,
  'headline.warm': `
    Donde comen dos, comen tres
    Mucho corazón y poca prisa
    Hay sitio en mi balcón
    Te guardo la última croqueta
  `,
  'headline.dry': `
    Tortilla con cebolla, no negociable
    Mejor en persona, dicen
    Monto muebles por amor
    Mi madre dice que soy un partidazo
  `,
  'headline.plain': `
    {city}, {age} años y ganas de reír
    Sinceridad y buen humor
    Empecemos por un café
    {name}, de {city}
    Menos chat y más paseos
  `,
  'headline.interest': `
    {Like1} y {like2}
    Lo mío: {like1}
    {Like1}, {like2}, ¿y tú?
    {City}, {like1}, {like2}
  `,
};

/** Words that Spanish lines pick from. */
export const words: Readonly<Record<string, string>> = {
  dish: `el arroz al horno, la tortilla de patatas, el cocido, el gazpacho, las lentejas de mi abuela, el bacalao, la fideuá`,
  food: `croquetas, bravas, empanadas, berenjenas con miel, gambas`,
  joy: `el pan recién hecho, la siesta, el olor a lluvia, las sábanas limpias, el mar en invierno, las terrazas al sol`,
  visited: `Lisboa, Marruecos, Escocia, Japón, Perú, Nápoles, Islandia, México`,
  dogname: `Lola, Chispa, Bruno, Canela, Thor, Nala, Coco, Pipo`,
};

/** Phrases for "Trabajo …" by occupation. */
export const fields: Readonly<Record<string, string>> = {
  administration: 'en una oficina',
  arts_and_media: 'en una editorial pequeña',
  business_and_finance: 'en una gestoría',
  construction_and_trades: 'en la construcción',
  education: 'en un instituto',
  engineering: 'en una ingeniería',
  health_care: 'en un hospital',
  hospitality: 'en un restaurante',
  information_technology: 'en informática',
  law: 'en un despacho de abogados',
  public_service: 'en el ayuntamiento',
  retail_and_sales: 'en una tienda',
  science: 'en un laboratorio',
  transport: 'en el metro',
  self_employed: 'por mi cuenta',
  other: 'en un taller',
};

/** Short Spanish names of interests. */
export const likes: Readonly<Record<string, string>> = {
  camping: 'tiendas de campaña, hogueras',
  walking: 'caminar sin rumbo, la sierra',
  running: 'correr por el río',
  photography: 'cámaras viejas, fotos en blanco y negro',
  dogs_cats: 'perros ajenos, gatos',
  gardening: 'tomates en la terraza',
  traveling: 'trenes, viajes sin plan, mapas',
  art: 'museos, exposiciones',
  painting: 'acuarelas',
  theater: 'teatro, funciones de tarde',
  reading: 'novela negra, librerías de viejo, libros gordos',
  writing: 'cuentos, cartas a mano',
  technology: 'cacharros',
  video_games: 'consolas antiguas',
  board_games: 'juegos de mesa, ajedrez',
  soccer: 'fútbol',
  tennis: 'pádel',
  exercise: 'nadar, yoga',
  cooking: 'guisos lentos, cocinar para muchos',
  food: 'tapas, croquetas, buena mesa',
  bars: 'bares de barrio, vermut',
  dancing: 'salsa, bailar en la cocina',
  live_concerts: 'conciertos, vinilos',
  singing: 'coros',
  movies: 'cine de barrio, películas viejas',
  philosophy: 'grandes preguntas',
  politics: 'buenas discusiones',
  snowboarding: 'nieve',
  astronomy: 'estrellas fugaces',
};
