/** Ids of a page of a packed list: the page of an id is the whole part of `id / idsOfPage`. */
export const idsOfPage = 4_096;

/** Ids that a character of a bitmap stands for. */
export const bitsOfCharacter = 6;

/** Length of a page that has a bit for each of its ids. Every other page is a list and is shorter. */
export const wholePage = Math.ceil(idsOfPage / bitsOfCharacter);

/** Most ids of a page that is a list of places, two characters each: looked for in halves, and a fifth of a whole page. */
export const listedAtMost = 64;

/** The character that stands for 0; those up to 63 follow it, all of ASCII. */
export const packedBase = 63;

/**
 * Whether a member is not on a packed list, as Elasticsearch asks it of those who meet everything else of a search: `id` is
 * a column of the index, `first` and `pages` come with the query. The text is Painless and Java at once: Painless is no
 * part of what Elastic publishes for Maven, so that the embedded engine compiles this very text instead.
 */
export const notListedScript = `
ScriptDocValues.Longs ids = (ScriptDocValues.Longs) doc.get("id");
if (ids.size() == 0) {
  return false;
}
long id = ids.getValue();
List pages = (List) params.get("pages");
long number = id / ${idsOfPage}L - ((Number) params.get("first")).longValue();
if (number < 0L || number >= pages.size()) {
  return true;
}
String page = (String) pages.get((int) number);
int within = (int) (id % ${idsOfPage}L);
if (page.length() == ${wholePage}) {
  return ((page.charAt(within / ${bitsOfCharacter}) - ${packedBase}) >> (within % ${bitsOfCharacter}) & 1) == 0;
}
int low = 0;
int high = page.length() / 2;
while (low < high) {
  int middle = (low + high) / 2;
  int found = (page.charAt(2 * middle) - ${packedBase}) * 64 + page.charAt(2 * middle + 1) - ${packedBase};
  if (found == within) {
    return false;
  }
  if (found < within) {
    low = middle + 1;
  } else {
    high = middle;
  }
}
return true;
`.trim();
