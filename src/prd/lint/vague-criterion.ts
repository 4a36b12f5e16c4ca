import { findInCriteria } from './stories.ts';
import type { Rule } from './types.ts';
import { isConcrete, withoutQuotes } from './wording.ts';

/** Words that no machine can decide. Those of the second list are fine beside a value that can be looked up. */
const always = [
  /\b(?:good|great|nice|better|clean|modern|smooth|excellent|polished|delightful|pleasant)\s+(?:ux|ui|user experience|user interface|usability|design|look(?: and feel)?|experience|code|performance)\b/i,
  /\buser[- ]friendly\b/i,
  /\blooks?\s+(?:good|great|nice|right|fine|modern|professional|clean)\b/i,
  /\b(?:is|are|be|feels?|seems?)\s+(?:very\s+|really\s+)?(?:intuitive|user-friendly|robust|elegant|self-explanatory|pleasant|snappy|seamless)\b/i,
  /\bbest practices?\b/i,
  /\b(?:fully functional|production[- ]ready|state of the art|bug[- ]free)\b/i,
  /\bas (?:needed|necessary|appropriate)\b|\bif (?:needed|necessary|appropriate)\b/i,
  /\b(?:and so on|and more)\b|\betc\b\.?/i,
];
const unlessConcrete = [
  /\b(?:works?|behaves?|functions?|runs?|operates?)\s+(?:correctly|properly|well|fine|great|perfectly|smoothly|seamlessly|reliably|flawlessly|as (?:expected|intended|designed|it should|before))/i,
  /\b(?:properly|correctly|gracefully|appropriately|seamlessly|smoothly|adequately|sensibly)\b/i,
  /\b(?:appropriate|proper|suitable|reasonable|sensible|adequate|meaningful|relevant)\b/i,
  /\bas (?:expected|intended|it should|desired|required)\b/i,
  /\b(?:easily|simply|effortlessly|conveniently|intuitively)\b|\beasy to\b/i,
  /\b(?:handles?|covers?|considers?|deals? with|takes? care of)\s+(?:all\s+|any\s+|the\s+)*(?:(?:common|possible|relevant|various)\s+)?(?:edge[- ]cases?|corner[- ]cases?|errors?|failures?|exceptions?|everything)\b/i,
  /\b(?:edge|corner)[- ]cases\b/i,
  /\b(?:fast|quick|quickly|performant|efficient|efficiently|responsive|scalable|secure|securely|reliable|reliably|robust|robustly|intuitive)\b/i,
  /\bgood performance\b|\bperforms well\b/i,
  /^\W*(?:it|everything|all|the feature|feature|the (?:page|form|api|endpoint|button|app)|this)\s+works?\W*$/i,
  /^\W*(?:works?|done|implemented|complete|completed|finished|working)\W*$/i,
  // The same in a few other languages.
  /\b(?:funktioniert|arbeitet) (?:korrekt|richtig|einwandfrei|wie erwartet)\b|\bwie erwartet\b|\bbenutzerfreundlich\b/i,
  /\bfonctionne correctement\b|\bcomme prévu\b|\bfunciona (?:correctamente|bien)\b|\bfunciona corretamente\b/i,
];

export const vagueCriterion: Rule = {
  name: 'vague-criterion',
  severity: 'warning',
  why: 'The worker and its judge know only this text; where nothing decides between yes and no, anything is called done.',
  mend: 'Say what happens with which input: a value, a text on the screen, a status code, an exit code.',
  find: ({ prd }) => findInCriteria(prd, findVagueWord),
};

function findVagueWord(criterion: string): string | undefined {
  if (/^\W*$/u.test(criterion)) return 'says nothing';
  const own = withoutQuotes(criterion);
  const patterns = isConcrete(criterion) ? always : [...always, ...unlessConcrete];
  const found = patterns.map((pattern) => pattern.exec(own)?.[0]).find((words) => words !== undefined);
  return found === undefined ? undefined : `says "${found.trim()}": nothing decides whether that is so`;
}
