import type { FirstNames } from './cohorts.ts';

/** First names of the United Kingdom, also of English Canada, by year of birth. */
export const british: FirstNames = [
  {
    until: 1972,
    Female: `Susan Julie Karen Jacqueline Deborah Alison Jane Helen Gillian Christine Lesley Elaine Fiona Sandra Carole Hilary`,
    Male: `David Paul Andrew Stephen Mark Ian Gary Robert Alan Graham Nigel Keith Colin Martin Trevor Malcolm`,
  },
  {
    until: 1988,
    Female: `Sarah Claire Emma Nicola Joanne Victoria Rachel Louise Samantha Rebecca Gemma Kerry Hayley Donna Lindsay Katie`,
    Male: `James Daniel Christopher Matthew Richard Lee Simon Craig Gareth Stuart Adam Neil Ross Philip Dean Jonathan`,
  },
  {
    until: 2100,
    Female: `Charlotte Chloe Georgia Eleanor Lucy Bethany Jessica Holly Amelia Freya Niamh Imogen Poppy Isla Megan Phoebe`,
    Male: `Jack Thomas Callum Harry Oliver Liam Lewis Joshua George Rhys Ewan Alfie Connor Toby Finlay Jamie`,
  },
];

/** First names of Germany by year of birth. */
export const german: FirstNames = [
  {
    until: 1970,
    Female: `Sabine Petra Monika Gabriele Birgit Susanne Ulrike Martina Angelika Andrea Heike Renate Christine Karin Barbara Ute`,
    Male: `Thomas Michael Andreas Wolfgang Klaus Jürgen Bernd Uwe Peter Frank Ralf Rainer Dieter Norbert Günter Holger`,
  },
  {
    until: 1986,
    Female: `Stefanie Nicole Sandra Katrin Claudia Anja Melanie Tanja Julia Christina Nadine Silke Daniela Katja Yvonne Sonja`,
    Male: `Stefan Christian Markus Daniel Sebastian Torsten Matthias Oliver Alexander Jan Sven Marco Tobias Lars Dirk Björn`,
  },
  {
    until: 2100,
    Female: `Lena Laura Lisa Anna Sarah Hannah Johanna Marie Katharina Sophie Franziska Vanessa Jana Clara Leonie Paula`,
    Male: `Lukas Jonas Felix Tim Philipp Jakob Maximilian Niklas Florian Fabian Moritz Leon Paul Simon Hannes Jannik`,
  },
];

/** First names of Spain by year of birth. */
export const spanish: FirstNames = [
  {
    until: 1975,
    Female: `Carmen Pilar Mercedes Concepción Rosario Montserrat Ángeles Inmaculada Milagros Amparo Begoña Esperanza`,
    Male: `Antonio Manuel Francisco José Rafael Ángel Vicente Ramón Enrique Joaquín Jesús Salvador`,
  },
  {
    until: 2100,
    Female: `Laura Marta Cristina Lucía Paula Sara Nuria Elena Irene Alba Ana Beatriz Claudia Marina Rocío Noelia`,
    Male: `Javier David Daniel Sergio Carlos Álvaro Pablo Jorge Alejandro Adrián Rubén Diego Iván Miguel Óscar Hugo`,
  },
];

/** First names of France, also of French Canada, by year of birth. */
export const french: FirstNames = [
  {
    until: 1972,
    Female: `Nathalie Isabelle Sylvie Catherine Valérie Martine Christine Véronique Brigitte Corinne Pascale Françoise`,
    Male: `Philippe Thierry Pascal Christophe Laurent Bruno Patrick Alain Didier Olivier Éric Jean-Luc`,
  },
  {
    until: 2100,
    Female: `Camille Julie Émilie Marion Aurélie Pauline Céline Manon Chloé Mathilde Léa Élodie Margaux Clémence Lucie Anaïs`,
    Male: `Julien Nicolas Thomas Antoine Alexandre Maxime Romain Guillaume Quentin Hugo Clément Mathieu Baptiste Rémi Florian Théo`,
  },
];

/** First names of Greece in Latin letters. */
export const greek: FirstNames = [
  {
    until: 1982,
    Female: `Maria Eleni Katerina Vasiliki Sofia Georgia Dimitra Anastasia Evangelia Ioanna Panagiota Paraskevi Despina Stavroula`,
    Male: `Giorgos Dimitris Kostas Yannis Nikos Panagiotis Vasilis Christos Thanasis Michalis Spyros Stelios Takis Manolis`,
  },
  {
    until: 2100,
    Female: `Maria Eleni Eirini Danae Christina Myrto Nefeli Eleftheria Marina Ariadne Artemis Konstantina Zoi Iliana`,
    Male: `Giorgos Alexandros Nikos Stavros Orestis Aris Thodoris Petros Leonidas Iason Stefanos Marios Apostolos Fotis`,
  },
];

/** First names of Turkey, also of Turkish families in Germany. */
export const turkish: FirstNames = [
  {
    until: 1980,
    Female: `Ayşe Fatma Emine Hatice Nurcan Gülay Sevim Nermin Meral Hülya Serpil Aysel`,
    Male: `Mehmet Mustafa Ahmet Hasan Hüseyin İsmail Osman Ramazan Süleyman Kemal Cemal Orhan`,
  },
  {
    until: 2100,
    Female: `Elif Zeynep Merve Büşra Esra Selin Ebru Derya Ceren Gizem İrem Defne Burcu Aslı`,
    Male: `Emre Murat Burak Can Mert Serkan Onur Kerem Barış Deniz Efe Tolga Cem Ozan`,
  },
];
