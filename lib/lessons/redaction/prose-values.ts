/** Words that say something about a password, in the place where its value could stand, as `plainView` writes them. */
const STATES = new Set(
  (
    'a about absent accepted again all allowed also always an and any anything are ascii as asked at back bad be because been being below better ' +
    'blank blocked bottom by cached case case-sensitive characters common compared complex compliant confidential correct correcta correcto crucial ' +
    'default definitely different double easier either empty encrypted enough equal everything exactly expected extra fake false falsch field final ' +
    'fine first for forgotten fragile from generated geheim given good gone gultig gueltig hard hardcoded harder here hidden identical in incorrect ' +
    'incorrecta incorrecto incorrecte incorreto inside integer invalid it its kept kind known last leaked leer likely long longer lost lowercase ' +
    'mandatory masked missing more my needed never new next nicht no noch none not nothing now null number obligatoire obligatoria obligatorio obscure ' +
    'obsolete of often okay old on once one only open optional or our out outdated part plain plain-text plaintext possible present private probably ' +
    'protected public random read ready really required reset richtig right robust safe safer salted same second secret secure self-explanatory ' +
    'sensitive sent set short shorter shown sicher simple single so some something somewhere stable stale still stored string strong stronger such ' +
    'temporary text that the their there these third this to too trivial true twice unchanged undefined under ungultig ungueltig unicode unique ' +
    'unknown unsafe unset up uppercase used useless usually valid valide very visible vorhanden weak weaker what when where which with within ' +
    'without worse wrong yet your zu zweimal abgelaufen'
  ).split(' '),
);

/** Nouns for what is typed into a field and words that stand for it. */
const FORM_WORDS =
  /^(?:e?-?mail|user-?name|username|login|input|value|values|token|tokens|hash|hashes|them|these|those|both|either|whatever|another|other|others|anyone|someone|people|json|bytes|letters|digits|words?|credentials?|password|passphrase|passwords|details|data)$/i;

/** Names of standards, algorithms and tools with a number in them, alone or as the beginning of an adjective (`base64-encoded`). */
const TECHNICAL =
  /^(?:a?es|argon|base|blake|bcrypt|crc|css|curve|ec|ed|hs|html|https?|ipv|iso|java|latin|level|log|md|mp|node|ntlmv?|oauth|pbkdf|pkcs#?|php|ps|py|python|rc|rfc|ripemd|rs|rsa|scrypt|sha|smb|socks|sqlite|sslv?|step|tlsv?|totp|unicode|utf|web|windows|wpa)[-_/.]?\d+(?:[./_-]\d+)*(?:id|sum|url|crypt|hex|mb4|gcm|cbc)?(?:[-_][a-z]+\d*)*$|^\d+(?:-\p{L}+)+$/iu;

/** Words of sentences, which a passphrase of random words does not hold. */
const SENTENCE_WORDS =
  /\b(?:a|after|all|an|and|any|are|as|at|be|been|before|being|both|but|by|can|each|for|from|has|have|if|in|into|is|it|its|must|never|no|not|of|on|once|only|or|per|should|so|than|that|the|then|they|to|too|until|used|was|when|where|which|who|will|with|you)\b/i;

/** The name of a standard with its number, or an adjective that begins with a number (`12-character`). */
export function isTechnical(word: string): boolean {
  return TECHNICAL.test(word);
}

/** The end of a word that says something about another: participles, adverbs and adjectives, English, German and Romance. */
function isInflected(word: string): boolean {
  return (
    /(?:ed|ing|ly|able|ible|less|ful|ous|ive|ent|ant|al|ic|ary|ory|(?<!f)ish|ier|en|lich|isch|bar|sam|ert|elt|ido|ida|ado|ada)$/i.test(
      word,
    ) || /^(?:ge|ver|be)\p{Ll}+t$/u.test(word)
  );
}

/** A value in quotation marks is one unless it is a word about passwords, a placeholder or code. */
export function isQuotedValue(value: string): boolean {
  return !STATES.has(value.toLowerCase()) && !/[<>{}$[\]]|^\*+$|^x+$/i.test(value) && !/^(?:your|my|the) /i.test(value);
}

/** A value that stands where a sentence could also go on: one with a digit or sign in it, or a plain noun at the sentence's end. */
export function isStatedValue(value: string, match: RegExpExecArray): boolean {
  const word = value.replace(/[.!?)]+$/, '');
  if (isMixed(word)) return true;
  if (match.groups?.modal !== undefined || !isPlainWord(word)) return false;
  const after = match.input.slice(match.index + match[0].length);
  return word.length < value.length || /^(?:$|[,;)\n]|\s+(?:and|und|et|y)\b)/.test(after);
}

/** A value of letters, digits and signs, or a plain noun, right behind a verb of typing and before "as the password". */
export function isTypedValue(value: string): boolean {
  return isMixed(value.replace(/[.?:)]+$/, '')) || isPlainWord(value);
}

/** The same without plain nouns. The signs that end a sentence are no part of a value. */
export function isMixedValue(value: string): boolean {
  return isMixed(value.replace(/[.!?:)]+$/, ''));
}

/** Four random words or more: none that sentences need, none that says something about a password but the first. */
export function isPassphrase(value: string): boolean {
  const words = value.split(/[ -]/);
  return (
    !SENTENCE_WORDS.test(value) &&
    !words.some((word, at) => /(?:ed|ing|ly)$/i.test(word) || (at > 0 && STATES.has(word.toLowerCase())))
  );
}

function isPlainWord(word: string): boolean {
  return /^[\p{L}]{5,}$/u.test(word) && !STATES.has(word.toLowerCase()) && !FORM_WORDS.test(word) && !isInflected(word);
}

/** Letters together with digits or signs, as passwords have them: no version, path, ordinal, number with a unit or technical name. */
export function isMixed(word: string): boolean {
  if (word.length < 5 || !/\p{L}/u.test(word)) return false;
  if (/^[\p{L}]+(?:[-/'’]\p{L}+)*$/u.test(word)) return false;
  if (/^v?\d+(?:[.,:-]\d+)*[\p{L}%]{0,8}$/iu.test(word) || /^\p{L}+-\d{1,2}$/u.test(word)) return false;
  if (isTechnical(word)) return false;
  if (/^(?:your|my|os|process|env|config|settings|args|self|redacted)[._-]|[(){}[\]<>=]|^[$%]/i.test(word))
    return false;
  if (/^(?:https?:|\.{0,2}\/)|\.(?:json|ya?ml|tsx?|jsx?|py|txt|md|env|toml|ini|csv|html?|sql|sh)$/i.test(word))
    return false;
  // Names of variables and settings.
  if (/^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/.test(word) && /PASS|PWD|SECRET|KEY|TOKEN|USER/.test(word)) return false;
  return /\d/.test(word) || /[!@#$%^&*]/.test(word.slice(1));
}
