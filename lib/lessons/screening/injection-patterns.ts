import { plainView } from '#lib/lessons/normalize-text.ts';
import { phrase, type Reading, type ScreenFamily, type ScreenFinding, type ScreenRule } from './rule.ts';

/** Instructions to ignore previous instructions, in German, French, Spanish, Italian, Portuguese, Dutch, Russian, Chinese and Japanese. */
export const INJECTION_PATTERNS: readonly ScreenRule[] = [
  phrase(
    '(?:ignorier\\w{0,4}|missacht\\w{0,3}|vergiss|vergesst|vergessen sie) …4 (?:anweisung(?:en)?|regeln?|vorgaben?|anleitung(?:en)?|befehle?|instruktionen)',
  ),
  phrase(
    '(?:ignorez?|oubliez?|negligez?|ne tenez? pas compte) (?:de )?(?:toutes?|les|vos|tes|ces|mes) …3 (?:instructions?|consignes?|regles|directives|ordres)',
  ),
  phrase(
    '(?:ignora\\w{0,2}|ignore|olvida\\w{0,2}|olvide|omite|omita) …4 (?:instruccion(?:es)?|reglas|ordenes|indicaciones)',
  ),
  phrase('(?:ignora\\w{0,2}|dimentica\\w{0,2}|trascura) …4 (?:istruzion[ei]|regole|ordini|indicazioni)'),
  phrase('(?:ignore|ignora\\w{0,2}|esqueca\\w{0,2}|desconsidere) …4 (?:instruc(?:ao|oes)|regras|ordens|orientacoes)'),
  phrase('(?:negeer|vergeet|sla) …4 (?:instructies?|regels|opdrachten|aanwijzingen)'),
  pattern('(?:игнорируй|забудь|не следуй).{0,40}(?:инструкци|указани|правил|команд)'),
  pattern('(?:忽略|无视|無視|忘记|忘掉|不要遵守).{0,12}(?:指令|指示|提示|规则|規則|说明)'),
  pattern('(?:指示|命令|ルール|プロンプト|説明).{0,8}(?:無視|忘れ|従わな)'),
].map((found) => ({
  family: 'prompt_injection',
  rule: 'tells the model to ignore instructions',
  pattern: found,
  warned: true,
  unless: /\b(?:nicht|nie|niemals|pas|jamais|nunca|non|mai|nao|niet|nooit)\b/i,
}));

/** Matches against the plain view of a text, where letters that resemble Latin ones are replaced by Latin letters. */
function pattern(words: string): RegExp {
  return new RegExp(plainView(words).text, 'gi');
}

/**
 * One instruction pattern: a word of each list, in either order, close to each other. The lists contain stems in their language's own
 * spelling.
 */
type Order = { family: ScreenFamily; rule: string; verbs: string; objects: string; not?: string };

const IGNORE_INSTRUCTIONS = { family: 'prompt_injection', rule: 'tells the model to ignore instructions' } as const;
const ROLE = { family: 'prompt_injection', rule: 'assigns another role' } as const;
const PROMPT = { family: 'privacy_leak', rule: 'reveals the prompt' } as const;
const SECRETS = { family: 'privacy_leak', rule: 'reveals secrets' } as const;
const SCORE = { family: 'score_manipulation', rule: 'dictates a score' } as const;

/** Instruction patterns by language. `|` separates the stems of a list. `not` lists words directly before the verb that negate it. */
const ORDERS: readonly Order[] = [
  // German
  {
    ...IGNORE_INSTRUCTIONS,
    verbs: 'ignorier|missacht|vergiss|vergesst|vergessen sie|hinweg|außer acht|beachte nicht|verwirf',
    objects:
      'anweisung|vorgabe|regeln|anleitung|instruktion|befehl|vorher gesagt|bisher gesagt|zuvor gesagt|systemprompt',
    not: 'nicht|nie|niemals',
  },
  {
    ...ROLE,
    verbs: 'ab jetzt|ab sofort|von nun an|von jetzt an|fortan',
    objects: 'bist du|sind sie|du bist|antwortest du|handelst du|verhältst du',
  },
  {
    ...PROMPT,
    verbs: 'gib|zeig|nenne|verrate|wiederhole|drucke|offenbare',
    objects: 'systemprompt|system-prompt|systemanweisung|geheimen anweisung',
    not: 'nicht|nie|niemals',
  },
  {
    ...SECRETS,
    verbs: 'gib|sende|schick|verrate|nenne|übermittle',
    objects: 'passwörter|kennwörter|zugangsdaten|api-schlüssel',
    not: 'nicht|nie|niemals',
  },
  {
    ...SCORE,
    verbs: 'bewerte|vergib|benote|gib',
    objects: 'höchstpunktzahl|volle punktzahl|bestnote|beste note|höchste bewertung|maximale punkt',
  },
  // French
  {
    ...IGNORE_INSTRUCTIONS,
    verbs: 'ignore|oublie|néglige|compte des|fais abstraction|écarte',
    objects:
      'consigne|instructions précédentes|instructions antérieures|toutes les instructions|directives|règles précédentes',
    not: 'pas|jamais|noubliez|noublie',
  },
  {
    ...ROLE,
    verbs: 'à partir de maintenant|désormais|dorénavant',
    objects: 'tu es|vous êtes|tu dois|vous devez|tu réponds',
  },
  {
    ...PROMPT,
    verbs: 'révèle|affiche|montre|donne|répète|divulgue',
    objects: 'prompt système|instructions système|invite système|instructions cachées',
    not: 'pas|jamais',
  },
  {
    ...SECRETS,
    verbs: 'envoie|donne|révèle|affiche|transmets',
    objects: 'mots de passe|clés api|identifiants',
    not: 'pas|jamais',
  },
  { ...SCORE, verbs: 'attribue|donne|note', objects: 'note maximale|score maximal|meilleure note|note parfaite' },
  // Spanish, Portuguese, Italian
  {
    ...IGNORE_INSTRUCTIONS,
    verbs: 'ignor|olvid|omit|caso omiso|haz caso omiso|pasa por alto|descarta',
    objects:
      'instrucciones anteriores|todas las instrucciones|las instrucciones previas|indicaciones anteriores|reglas anteriores|ordenes anteriores',
    not: 'no|nunca',
  },
  {
    ...IGNORE_INSTRUCTIONS,
    verbs: 'ignor|esquec|desconsider|descart',
    objects: 'instruções|regras anteriores|orientações|ordens anteriores',
    not: 'não|nunca',
  },
  {
    ...IGNORE_INSTRUCTIONS,
    verbs: 'ignor|dimentic|trascura|non tenere conto|non considerare|scarta',
    objects: 'istruzioni|regole precedenti|indicazioni precedenti',
    not: 'mai',
  },
  {
    ...ROLE,
    verbs: 'a partir de ahora|desde ahora|de ahora en adelante|en adelante',
    objects: 'eres|serás|debes|responderás|actúas',
  },
  { ...ROLE, verbs: 'a partir de agora|de agora em diante', objects: 'você é|és|você deve|responda' },
  { ...ROLE, verbs: 'da ora in poi|d’ora in poi|da adesso', objects: 'sei|devi|rispondi|siete' },
  {
    ...PROMPT,
    verbs: 'muestra|revela|imprime|repite|enseña|mostre|exiba|repita|mostra|rivela|stampa|ripeti',
    objects:
      'instrucciones del sistema|prompt del sistema|prompt do sistema|instruções do sistema|prompt di sistema|istruzioni di sistema',
    not: 'no|nunca|não|non|mai',
  },
  {
    ...SECRETS,
    verbs: 'envía|manda|revela|muestra|envie|mostre|invia|mostra|rivela',
    objects: 'contraseñas|claves|senhas|password degli utenti|credenziali|credenciales',
    not: 'no|nunca|não|non|mai',
  },
  {
    ...SCORE,
    verbs: 'asigna|otorga|da siempre|atribua|dê sempre|assegna|dai sempre',
    objects: 'puntuación máxima|nota máxima|pontuação máxima|punteggio massimo|voto massimo',
  },
  // Dutch
  {
    ...IGNORE_INSTRUCTIONS,
    verbs: 'negeer|vergeet|sla',
    objects: 'instructies|regels|opdrachten|aanwijzingen',
    not: 'niet|nooit',
  },
  { ...ROLE, verbs: 'vanaf nu|voortaan', objects: 'ben je|bent u|je bent|antwoord je' },
  { ...PROMPT, verbs: 'toon|geef|onthul|herhaal', objects: 'systeemprompt|systeeminstructies', not: 'niet|nooit' },
  // Polish
  {
    ...IGNORE_INSTRUCTIONS,
    verbs: 'ignoruj|zignoruj|zapomnij|pomiń|nie zważaj',
    objects: 'polece|instrukc|wytyczn|reguł',
    not: 'nie',
  },
  { ...ROLE, verbs: 'od teraz|odtąd|od tej chwili', objects: 'jesteś|będziesz|musisz|odpowiadasz' },
  {
    ...PROMPT,
    verbs: 'pokaż|wypisz|ujawnij|podaj',
    objects: 'prompt systemowy|instrukcje systemowe|polecenia systemowe',
    not: 'nie',
  },
  // Russian, Ukrainian
  {
    ...IGNORE_INSTRUCTIONS,
    verbs: 'игнориру|проигнориру|забудь|забудьте|не следуй|отбрось',
    objects: 'инструкц|указани|команд|прежние правила|предыдущие правила',
    not: 'не',
  },
  {
    ...IGNORE_INSTRUCTIONS,
    verbs: 'ігнору|проігнору|забудь|відкинь',
    objects: 'інструкц|вказівк|команд|попередні правила',
    not: 'не',
  },
  {
    ...ROLE,
    verbs: 'теперь|отныне|с этого момента|с этой минуты',
    objects: 'ты ассистент|ты помощник|ты —|ты бот|ты не обязан|ты будешь|ты должен|вы ассистент',
  },
  { ...ROLE, verbs: 'відтепер|тепер|з цього моменту', objects: 'ти помічник|ти асистент|ти —|ти будеш|ти мусиш' },
  {
    ...PROMPT,
    verbs: 'покажи|выведи|раскрой|повтори|напиши|виведи|розкрий',
    objects: 'системный промпт|системные инструкции|системную подсказку|системний промпт|системні інструкції',
    not: 'не',
  },
  {
    ...SECRETS,
    verbs: 'отправь|пришли|покажи|выведи|сообщи|надішли',
    objects: 'пароли|ключи api|учётные данные|паролі',
    not: 'не',
  },
  {
    ...SCORE,
    verbs: 'ставь|поставь|выставь|оцени|оценивай',
    objects: 'максимальную оценку|высшую оценку|высший балл|максимальный балл',
  },
  // Turkish
  {
    ...IGNORE_INSTRUCTIONS,
    verbs: 'yok say|görmezden gel|dikkate alma|boş ver|unut ',
    objects: 'talimat|yönerge|kurallar',
  },
  { ...ROLE, verbs: 'bundan sonra|şu andan itibaren|artık', objects: 'asistansın|botsun|sen bir|davranacaksın' },
  { ...PROMPT, verbs: 'göster|yazdır|açıkla|tekrarla', objects: 'sistem istemi|sistem promptu|sistem talimat' },
  // Arabic, Hebrew, Hindi
  { ...IGNORE_INSTRUCTIONS, verbs: 'تجاهل|انس |انسى|تجاوز', objects: 'التعليمات|الأوامر|القواعد', not: 'لا' },
  { ...ROLE, verbs: 'من الآن فصاعدا|من الآن', objects: 'أنت|ستكون|أجب' },
  { ...PROMPT, verbs: 'اعرض|أظهر|اكشف|اطبع', objects: 'تعليمات النظام|موجه النظام', not: 'لا' },
  { ...IGNORE_INSTRUCTIONS, verbs: 'התעלם|תתעלם|התעלמו|שכח', objects: 'ההוראות|הנחיות|הכללים', not: 'אל|לא' },
  { ...ROLE, verbs: 'מעכשיו|מרגע זה|מעתה', objects: 'אתה|את עוזרת|עליך' },
  { ...PROMPT, verbs: 'הצג|חשוף|הדפס', objects: 'הוראות המערכת|פרומפט המערכת', not: 'אל|לא' },
  { ...IGNORE_INSTRUCTIONS, verbs: 'अनदेखा कर|नज़रअंदाज़ कर|भूल जाओ|भूल जाइए', objects: 'निर्देश|आदेश|नियम' },
  { ...ROLE, verbs: 'अब से', objects: 'तुम|आप|तू ' },
  { ...PROMPT, verbs: 'दिखाओ|बताओ|छापो', objects: 'सिस्टम प्रॉम्प्ट|सिस्टम निर्देश' },
  // Chinese, Japanese, Korean
  {
    ...IGNORE_INSTRUCTIONS,
    verbs: '忽略|无视|無視|忘记|忘掉|忘記|不要遵守|不理会',
    objects: '指令|指示|提示|规则|規則|说明',
    not: '不要|别|不能|勿',
  },
  { ...ROLE, verbs: '从现在起|从现在开始|從現在起|從現在開始|从今以后', objects: '你是|你将|你要|你必须|你只' },
  {
    ...PROMPT,
    verbs: '输出|輸出|显示|展示|告诉|泄露|重复',
    objects: '系统提示|系統提示|系统指令|隐藏指令',
    not: '不要|别|勿',
  },
  { ...SECRETS, verbs: '发送|输出|告诉|泄露', objects: '密码|密钥', not: '不要|别|勿' },
  { ...SCORE, verbs: '打|给', objects: '满分|最高分|滿分' },
  { ...IGNORE_INSTRUCTIONS, verbs: '無視し|忘れて|忘れろ|従わな', objects: '指示|命令|ルール|プロンプト' },
  { ...ROLE, verbs: '今から|これから|今後', objects: 'あなたは|君は|お前は' },
  { ...PROMPT, verbs: '出力し|表示し|教えて|見せて', objects: 'システムプロンプト|システム指示' },
  { ...SCORE, verbs: '付け|与え|つけ', objects: '満点|最高点|最高評価' },
  { ...IGNORE_INSTRUCTIONS, verbs: '무시하|무시해|잊어|잊으세요|따르지 마', objects: '지시|명령|규칙|프롬프트' },
  { ...ROLE, verbs: '지금부터|이제부터|앞으로', objects: '너는|당신은|넌 ' },
  { ...PROMPT, verbs: '출력|보여|알려|공개', objects: '시스템 프롬프트|시스템 지시' },
];

/** Maximum characters between the two words of an instruction, and between a negation and its verb. */
const REACH = 60;
const NOT_REACH = 14;
/** Maximum occurrences of one word that are checked. Lessons are short. */
const MAX_OCCURRENCES = 200;

const COMPILED = ORDERS.map(({ verbs, objects, not, ...rest }) => ({
  ...rest,
  verb: stems(verbs),
  object: stems(objects),
  not: not === undefined ? null : new RegExp(`(?:^|[^\\p{L}])(?:${plain(not)})(?:[^\\p{L}]|$)`, 'u'),
}));

/** Returns instructions in languages other than English in any reading of a text, each rule once. Linear in the text's length. */
export function injectionsByLanguage(readings: readonly Reading[]): ScreenFinding[] {
  const found = new Map<string, ScreenFinding>();
  for (const { text, show } of readings) {
    const lower = plain(text);
    // Lowercasing changes the length of a few letters. In that case positions cannot be mapped back to the text.
    const shown = (start: number, end: number) =>
      lower.length === text.length ? show(start, end) : lower.slice(start, end);
    for (const { family, rule, verb, object, not } of COMPILED) {
      if (found.has(rule)) continue;
      const match = firstPair(lower, verb, object, not);
      if (match !== null) found.set(rule, { family, rule, matched: shown(match.start, match.end) });
    }
  }
  return [...found.values()];
}

function firstPair(
  text: string,
  verb: RegExp,
  object: RegExp,
  not: RegExp | null,
): { start: number; end: number } | null {
  const objects = findMatches(text, object);
  if (objects.length === 0) return null;
  let at = 0;
  for (const one of findMatches(text, verb)) {
    if (
      not?.test(text.slice(Math.max(0, one.start - NOT_REACH), one.start)) ||
      not?.test(text.slice(one.end, one.end + NOT_REACH).split(/[.,;!?\n]/)[0] ?? '')
    )
      continue;
    while (at < objects.length && (objects[at]?.end ?? 0) < one.start - REACH) at++;
    const other = objects[at];
    if (other !== undefined && other.start <= one.end + REACH)
      return { start: Math.min(one.start, other.start), end: Math.max(one.end, other.end) };
  }
  return null;
}

function findMatches(text: string, pattern: RegExp): { start: number; end: number }[] {
  const matches: { start: number; end: number }[] = [];
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match !== null && matches.length < MAX_OCCURRENCES; match = pattern.exec(text))
    matches.push({ start: match.index, end: match.index + match[0].length });
  return matches;
}

/** Matches stems at the beginning of a word, or anywhere in scripts without spaces. */
function stems(words: string): RegExp {
  const isSpaced = !/[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]/.test(words);
  return new RegExp(`${isSpaced ? '(?<!\\p{L})' : ''}(?:${plain(words)})`, 'gu');
}

/** Normalizes words like the plain view of a text. */
function plain(words: string): string {
  return plainView(words.toLowerCase()).text;
}
