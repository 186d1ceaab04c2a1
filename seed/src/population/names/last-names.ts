import type { Random } from '../random.ts';
import type { Gender } from '@covalence/contract/record';

const families = {
  english: `Smith Johnson Miller Davis Wilson Anderson Taylor Moore Martin Thompson White Harris Clark Lewis Walker Hall
    Allen Young King Wright Hill Scott Green Adams Baker Nelson Carter Mitchell Roberts Turner Phillips Campbell Parker
    Evans Edwards Collins Stewart Morris Rogers Reed Cook Morgan Bell Bailey Cooper Richardson Cox Howard Ward Peterson
    Gray James Watson Brooks Kelley Sanders Price Bennett Wood Barnes Ross Henderson Coleman Jenkins Perry Powell Long
    Patterson Hughes Foster Butler Simmons Bryant Alexander Russell Griffin Hayes Webb Tucker Porter Hunter Hicks
    Crawford Boyd Mason Kennedy Warren Dixon Burns Gordon Shaw Holmes Rice Hunt Black Palmer Knight Lambert Pratt Whitaker`,
  irish: `Murphy Kelly Sullivan Walsh Byrne Ryan Connor Neill Reilly Doyle McCarthy Gallagher Doherty Kennedy Lynch Murray
    Quinn McLaughlin Carroll Connolly Daly Brennan Burke Collins Fitzgerald Flanagan Keane Nolan Donovan Hogan`,
  scottish: `Stewart Campbell Robertson Macdonald Murray Reid Paterson Fraser Cameron Hamilton Graham Duncan Sinclair Kerr
    Sutherland Munro Lennox Buchanan`,
  welsh: `Jones Williams Davies Evans Thomas Hughes Lewis Morgan Griffiths Edwards Owen Price Llewellyn Rees Bowen Pritchard`,
  german_american: `Schmidt Meyer Wagner Schultz Becker Hoffman Schroeder Keller Kramer Weber Zimmerman Koch Schneider Fischer
    Hartman Snyder Klein Lang Bauer Kraus Lindemann Vogel Stein Huber`,
  german: `Müller Schmidt Schneider Fischer Weber Meyer Wagner Becker Schulz Hoffmann Schäfer Koch Bauer Richter Klein Wolf
    Schröder Neumann Schwarz Zimmermann Braun Krüger Hofmann Hartmann Lange Werner Krause Lehmann Köhler Maier Huber
    Kaiser Fuchs Vogel Jung Keller Roth Beck Lorenz Baumann Winkler Böhm Sommer Busch Kuhn Engel Pohl Arnold`,
  italian: `Russo Romano Esposito Ricci Marino Greco Bruno Gallo Conti DeLuca Costa Rizzo Lombardi Moretti Caruso Ferrara
    Santoro Rinaldi Leone Marchetti Bianchi Vitale`,
  polish: `Kowalski Nowak Wisniewski Wojcik Kaminski Lewandowski Zielinski Szymanski Wozniak Dabrowski Mazur Jankowski
    Kozlowski Pawlak Sobczak Gorski`,
  jewish: `Cohen Levine Goldberg Shapiro Friedman Katz Rosen Weiss Greenberg Kaplan Feldman Rubin Adler Schwartz Silverman
    Epstein Roth Blum`,
  scandinavian: `Olson Larson Anderson Johansen Hansen Peterson Swanson Lindgren Carlson Erickson Nielsen Berg Lund Gustafson
    Dahl Solberg`,
  african_american: `Williams Jackson Robinson Washington Jefferson Banks Booker Gaines Freeman Coleman Dixon Hawkins
    Singleton Mosley Battle Bryant Franklin Charles Joseph Grant Hampton Tillman Pettway Rivers Dorsey`,
  hispanic: `Garcia Martinez Rodriguez Lopez Hernandez Gonzalez Perez Sanchez Ramirez Torres Flores Rivera Gomez Diaz Reyes
    Morales Cruz Ortiz Gutierrez Chavez Ramos Mendoza Ruiz Alvarez Castillo Vasquez Jimenez Moreno Herrera Medina
    Aguilar Vargas Guzman Salazar Delgado Soto Padilla Navarro Cabrera Figueroa`,
  chinese: `Chen Wang Li Zhang Liu Huang Lin Wu Zhao Zhou Xu Sun Chan Wong Lam Cheung Yu Tang`,
  korean: `Kim Lee Park Choi Jung Kang Cho Yoon Shin Han Song Hong`,
  vietnamese: `Nguyen Tran Pham Le Hoang Vo Dang Bui Truong Duong`,
  filipino: `Santos Reyes Cruz Bautista Ocampo Villanueva Aquino Mercado Manalo Dizon Salonga Pascual`,
  indian: `Patel Shah Kumar Singh Sharma Gupta Reddy Mehta Desai Iyer Nair Rao Kapoor Joshi Menon Chopra Bhatt Verma`,
  arab: `Haddad Khoury Nasser Mansour Saleh Farah Aziz Hamdan Bitar Najjar Saad Rahman Benali Cherif Bouzid Hakimi`,
  spanish: `García González Rodríguez Fernández López Martínez Sánchez Pérez Gómez Martín Jiménez Ruiz Hernández Díaz Moreno
    Álvarez Romero Alonso Gutiérrez Navarro Torres Domínguez Vázquez Serrano Ramos Blanco Molina Castro Ortega Rubio
    Marín Sanz Iglesias Medina Garrido Cortés Castillo Santos Lozano Guerrero Cano Prieto Méndez Calvo Vidal`,
  french: `Martin Bernard Dubois Thomas Robert Richard Petit Durand Leroy Moreau Simon Laurent Lefebvre Michel Garcia David
    Bertrand Roux Vincent Fournier Morel Girard Andre Mercier Dupont Lambert Bonnet François Martinez Legrand Garnier
    Faure Rousseau Blanc Guérin Muller Henry Roussel Perrin Morin Gauthier Chevalier Robin Masson Renaud`,
  quebecois: `Tremblay Gagnon Roy Côté Bouchard Gauthier Morin Lavoie Fortin Gagné Ouellet Pelletier Bélanger Lévesque Bergeron
    Leblanc Paquette Girard Simard Boucher`,
  greek: `Papadopoulos Vlachos Angelopoulos Nikolaidis Georgiou Dimitriou Papageorgiou Konstantinidis Oikonomou Ioannidis
    Papadakis Karagiannis Athanasiou Makris Alexiou Christodoulou Stavropoulos Petridis Samaras Kouris Panagopoulos
    Mavridis Zervas Lambropoulos Kalogeropoulos Sarris Spanos Raptis Tsakiris Vasileiou`,
  turkish: `Yılmaz Kaya Demir Şahin Çelik Yıldız Yıldırım Öztürk Aydın Özdemir Arslan Doğan Kılıç Aslan Çetin Kara Koç Kurt
    Özkan Şimşek Polat Korkmaz Çakır Erdoğan Güneş Aksoy Bulut Tekin Avcı Işık Turan Güler Tunç Uçar`,
  hawaiian: `Kealoha Kahale Kamaka Nakamura Tanaka Yamamoto Keawe Kalani Akana Medeiros Oshiro Kapule`,
  native: `Begay Yazzie Benally Tsosie Nez Whitehorse Redcloud Chavis Locklear Bird`,
} as const;

/** A group of family names. */
export type NameFamily = keyof typeof families;

const lists = new Map<NameFamily, readonly string[]>();

/** The form that a woman's name takes in Greek: Papadopoulou beside Papadopoulos. */
const greekFeminine = (name: string) => name.replace(/os$/, 'ou').replace(/is$/, 'i').replace(/as$/, 'a');

/** A last name of the group, in the form of the gender. */
export function lastName(random: Random, family: NameFamily, gender: Gender): string {
  const names = lists.get(family) ?? families[family].split(/\s+/);
  lists.set(family, names);
  const name = random.pick(names);
  return family === 'greek' && gender === 'Female' ? greekFeminine(name) : name;
}
