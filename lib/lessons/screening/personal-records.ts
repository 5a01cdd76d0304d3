import type { ScreenFinding } from './rule.ts';

const MONTH =
  '(?:jan(?:uary|uar)?|feb(?:ruary|ruar)?|mar(?:ch)?|maerz|marz|apr(?:il)?|ma[yi]|june?|juni|july?|juli|aug(?:ust)?|sept?(?:ember)?|o[ck]t(?:ober)?|nov(?:ember)?|de[cz](?:ember)?|janvier|fevrier|mars|avril|juin|juillet|aout|septembre|octobre|novembre|decembre|enero|febrero|marzo|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre)';
const YEAR = '(?<year>(?:19|20)\\d\\d)';
/** A day with its month and year. */
const DATE = `(?:\\d{1,2}(?:st|nd|rd|th)?\\.? (?:of |de )?${MONTH}\\.?,? (?:de )?${YEAR}|${MONTH}\\.? \\d{1,2}(?:st|nd|rd|th)?,? ${YEAR.replace('year', 'year2')}|\\d{1,2}[./-]\\d{1,2}[./-]${YEAR.replace('year', 'year3')}|${YEAR.replace('year', 'year4')}-\\d{2}-\\d{2})`;
const BORN =
  '(?:born(?: on)?|date of birth|birth ?date|birthday|d\\.?o\\.?b\\.?|geboren(?: am)?|geburtsdatum|nee? le|date de naissance|nacid[oa] el|fecha de nacimiento)';
/** Words, signs and small letters that may stand between "born" and the date. */
const BIRTH = new RegExp(`\\b${BORN}\\b[^.!?\\n\\d]{0,40}?${DATE}(?!\\d)`, 'giu');

/** Two or three words with capitals, with particles between. */
const NAME =
  /(?<![\p{L}\p{N}])\p{Lu}[\p{Ll}'’-]{1,20}(?: (?:\p{Lu}\.|de|van|von|da|del|la|di|bin|al))*(?: \p{Lu}[\p{Ll}'’-]{1,25}){1,2}(?![\p{L}\p{N}])/gu;
const TITLE =
  /\b(?:Mr|Mrs|Ms|Miss|Dr|Prof|Herr|Frau|Mme|M|Sr|Sra|Se[nñ]ora?|patient|customer|client|employee|user|tenant)\b\.? ?$/i;

/** Words that are part of the names of places, works and firms, or begin a sentence before a name. */
const NO_PERSON =
  /^(?:the|a|an|in|on|at|of|and|ship|send|deliver|empire|state|white|house|building|tower|museum|university|college|school|hotel|bank|station|park|street|road|avenue|lane|square|place|court|drive|boulevard|way|city|county|united|states|kingdom|north|south|east|west|new|old|high|main|prime|minister|president|king|queen|company|inc|corp|ltd|gmbh|january|february|march|april|may|june|july|august|september|october|november|december|monday|tuesday|wednesday|thursday|friday|saturday|sunday|rue|calle|via|avenida|rua|sesame|wall|abbey|penny|baker|downing|pennsylvania|nightmare|elm|sherlock|arthur)$/i;

const SUFFIX =
  '(?:street|st|road|rd|avenue|ave|lane|ln|drive|dr|court|ct|boulevard|blvd|way|square|sq|terrace|close|crescent|parkway|pkwy|highway|hwy|alley|row|gardens|grove|place|pl)';
/** A house number with its street: "14 Elm Street", "Hauptstraße 12", "8 rue de la Paix", "Calle Mayor 3". */
const STREETS: readonly RegExp[] = [
  new RegExp(
    `(?<![\\p{L}\\p{N}])\\d{1,5}[A-Za-z]?,? (?:[NSEW]\\.? )?(?:\\p{Lu}[\\p{L}'’.-]{1,25} ){1,3}${SUFFIX}(?![\\p{L}])`,
    'giu',
  ),
  /(?<![\p{L}])\p{Lu}[\p{Ll}-]{1,30}(?:stra(?:ss|ß)e|str\.|weg|platz|allee|gasse|ring|damm|ufer|straat|laan|plein) \d{1,4}(?! ?[%\p{Ll}]{2,})/gu,
  /(?<![\p{L}\p{N}])\d{1,4},? (?:rue|avenue|boulevard|place|chemin|impasse|quai|allee) (?:de |du |des |la |le |l['’])*\p{Lu}[\p{L}'’-]{1,25}/gu,
  /(?<![\p{L}])(?:[Cc]alle|[Aa]venida|[Vv]ia|[Rr]ua|[Pp]laza|[Pp]iazza)(?: (?:de|del|la|di|da|do))* \p{Lu}[\p{L}'’-]{1,25}(?: \p{Lu}[\p{L}'’-]{1,25})?,? \d{1,4}(?!\d)/gu,
];
const LIVES =
  /\b(?:lives?|lived|living|resides?|residing|residence|home address|delivery address|address(?: is|:)|ship(?:ped)? (?:it )?to|deliver(?:ed)? (?:it )?to|send (?:it )?to|moved to|wohnt|wohnhaft|anschrift|habite|demeure|vive en|domicili\w+)\b/i;
/** Known to everybody. */
const PUBLIC_PLACES = /\b(?:10 downing street|1600 pennsylvania avenue|221b baker street)\b/i;

/** Years after which a person is taken to be dead: then the date is history. */
const LONGEST_LIFE = 110;

/**
 * What tells who somebody is and where to find them: a name with a full birth date of somebody who may still live, or a name (or words
 * that say so) with a house number and street, in one sentence. Both are also common in harmless texts, so they are held for a person
 * to look at and not redacted. Linear in the text's length.
 */
export function personalRecords(text: string, today = new Date()): ScreenFinding[] {
  const findings: ScreenFinding[] = [];
  for (const sentence of sentencesOf(text)) {
    const birth = birthIn(sentence, today);
    if (birth !== null && (namesIn(sentence) || TITLED.test(sentence)))
      findings.push({ family: 'privacy_leak', rule: 'names a person with their date of birth', matched: birth });
    const street = streetIn(sentence);
    if (street !== null && (LIVES.test(sentence) || namesIn(sentence.replace(street, ' '))))
      findings.push({ family: 'privacy_leak', rule: 'names a person with their street address', matched: street });
    if (findings.length > 0) break;
  }
  return findings;
}

const TITLED = /\b(?:Mr|Mrs|Ms|Dr|Herr|Frau|Mme)\.? \p{Lu}\p{Ll}+/u;

function birthIn(sentence: string, today: Date): string | null {
  for (const match of sentence.matchAll(BIRTH)) {
    const { year, year2, year3, year4 } = match.groups ?? {};
    const born = Number(year ?? year2 ?? year3 ?? year4);
    if (today.getUTCFullYear() - born <= LONGEST_LIFE) return match[0];
  }
  return null;
}

function streetIn(sentence: string): string | null {
  for (const pattern of STREETS) {
    const match = sentence.match(pattern)?.find((street) => !PUBLIC_PLACES.test(street));
    if (match !== undefined) return match;
  }
  return null;
}

/** Whether a name stands in a sentence that is none of a place, a work or a firm. */
function namesIn(sentence: string): boolean {
  for (const match of sentence.matchAll(NAME)) {
    const words = match[0].split(' ').filter((word) => /^\p{Lu}/u.test(word));
    if (TITLE.test(sentence.slice(0, match.index))) return true;
    const person = words.filter((word) => !NO_PERSON.test(word));
    if (person.length >= 2 && person.length === words.length) return true;
    // A word that only begins the sentence ("Ship Tom Baker …") stands before the name.
    if (person.length >= 2 && NO_PERSON.test(words[0] ?? '') && match.index === 0) return true;
  }
  return false;
}

/** Parts up to a sign that ends a sentence; a title or an initial with its full stop ends none. Long parts are cut. */
function sentencesOf(text: string): string[] {
  return text
    .split(/(?<!\b(?:Mr|Mrs|Ms|Dr|Prof|St|str|No|\p{Lu}))(?<=[.!?])\s+(?=[\p{Lu}"'(])|\n+/u)
    .flatMap((sentence) => sentence.match(/.{1,600}/gs) ?? []);
}
