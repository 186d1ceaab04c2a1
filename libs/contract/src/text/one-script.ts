/** ISO 15924 codes of the scripts that regular expressions know, without Common and Inherited. */
const scripts = (
  'Adlm Aghb Ahom Arab Armi Armn Avst Bali Bamu Bass Batk Beng Bhks Bopo Brah Brai Bugi Buhd Cakm Cans ' +
  'Cari Cham Cher Chrs Copt Cpmn Cprt Cyrl Deva Diak Dogr Dsrt Dupl Egyp Elba Elym Ethi Gara Geor Glag ' +
  'Gong Gonm Goth Gran Grek Gujr Gukh Guru Hang Hani Hano Hatr Hebr Hira Hluw Hmng Hmnp Hung Ital Java ' +
  'Kali Kana Kawi Khar Khmr Khoj Kits Knda Krai Kthi Lana Laoo Latn Lepc Limb Lina Linb Lisu Lyci Lydi ' +
  'Mahj Maka Mand Mani Marc Medf Mend Merc Mero Mlym Modi Mong Mroo Mtei Mult Mymr Nagm Nand Narb Nbat ' +
  'Newa Nkoo Nshu Ogam Olck Onao Orkh Orya Osge Osma Ougr Palm Pauc Perm Phag Phli Phlp Phnx Plrd Prti ' +
  'Rjng Rohg Runr Samr Sarb Saur Sgnw Shaw Shrd Sidd Sind Sinh Sogd Sogo Sora Soyo Sund Sunu Sylo Syrc ' +
  'Tagb Takr Tale Talu Taml Tang Tavt Telu Tfng Tglg Thaa Thai Tibt Tirh Tnsa Todr Toto Tutg Ugar Vaii ' +
  'Vith Wara Wcho Xpeo Xsux Yezi Yiii Zanb'
).split(' ');

/** Scripts that are used together: Japanese, Chinese with Bopomofo, Korean, each with Latin. */
const writtenTogether = [
  ['Latn', 'Hani', 'Hira', 'Kana'],
  ['Latn', 'Hani', 'Bopo'],
  ['Latn', 'Hani', 'Hang'],
];

/** Matches text of only these scripts; digits and other common characters always match. */
const onlyOf = (codes: readonly string[]) =>
  new RegExp(`^(?:${['Zyyy', 'Zinh', ...codes].map((code) => `\\p{scx=${code}}`).join('|')})*$`, 'u');

let allowed: readonly RegExp[] | undefined;

/** Whether a name fits the level "Highly Restrictive" of UTS 39: one script, or Latin with Japanese, Chinese or Korean. */
export function isOfOneScript(name: string): boolean {
  if (/^[0-9A-Za-z]*$/.test(name)) return true;
  allowed ??= [...writtenTogether, ...scripts.map((script) => [script])].map(onlyOf);
  return allowed.some((pattern) => pattern.test(name));
}
