import { plainView } from '../plain-view.ts';
import { phrase, type ScreenRule } from './rule.ts';

/** Orders to set instructions aside in German, French, Spanish, Italian, Portuguese, Dutch, Russian, Chinese and Japanese. */
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
  rule: 'orders to set instructions aside',
  pattern: found,
  warned: true,
  unless: /\b(?:nicht|nie|niemals|pas|jamais|nunca|non|mai|nao|niet|nooit)\b/i,
}));

/** Searched in the plain view of a text, where letters that look like Latin ones are Latin. */
function pattern(words: string): RegExp {
  return new RegExp(plainView(words).text, 'gi');
}
