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
  /\b(?:as|if|when|where(?:ver)?) (?:needed|necessary|appropriate|applicable|sensible)\b|\b(?:where(?:ver)?|when|if) possible\b/i,
  /\band so on\b|\band more\b(?=\W*$)|\betc\b\.?/i,
  /\bat the right (?:time|place|moment)\b/i,
];
const unlessConcrete = [
  /\b(?:works?|behaves?|functions?|runs?|operates?)\s+(?:correctly|properly|well|fine|great|perfectly|smoothly|seamlessly|reliably|flawlessly|as (?:expected|intended|designed|it should|before))/i,
  /\b(?:properly|correctly|gracefully|appropriately|seamlessly|smoothly|adequately|sensibly)\b/i,
  /\b(?:appropriate|proper(?! nouns?)|suitable|reasonable|sensible|adequate|meaningful|relevant)\b/i,
  /\bas (?:expected|intended|it should|desired|required)\b/i,
  /\b(?:easily|simply|effortlessly|conveniently|intuitively)\b|\beasy to\b/i,
  /\b(?:handles?|covers?|considers?|deals? with|takes? care of)\s+(?:all\s+|any\s+|the\s+)*(?:(?:common|possible|relevant|various)\s+)?(?:edge[- ]cases?|corner[- ]cases?|errors?|failures?|exceptions?|everything)\b/i,
  /\b(?:edge|corner)[- ]cases\b/i,
  /\b(?:fast(?! (?:mode|path|forward))|quick(?! (?:filters?|actions?|links?|search|add|repl(?:y|ies)|start|view|mode))|quickly|smooth(?! scroll)|performant|efficient|efficiently|responsive|scalable|secure(?! (?:flag|cookies?|attribute|context))|securely|reliable|reliably|robust|robustly|intuitive)\b/i,
  /\bgood performance\b|\bperforms well\b|\b(?:is|are) acceptable\b/i,
  /\b(?:faster|quicker|cleaner|nicer|prettier|smoother|simpler|easier|clearer)\b(?! than)/i,
  /\b(?:errors?|exceptions?|failures?)\s+(?:is|are|get)\s+handled\W*$/i,
  /\b(?:good|clear|helpful|useful|friendly|understandable|informative|descriptive)\s+(?:error\s+)?(?:messages?|feedback|errors?|logs?|logging|documentation|docs|names?|naming|defaults?)\b/i,
  /\b(?:sufficient|enough|decent|good|high|comprehensive)\s+(?:unit\s+)?(?:tests?|test\s+coverage|coverage)\b/i,
  /\bas (?:users?|people|one|you) (?:would )?(?:expect|want|need)s?\b/i,
  /\b(?:users?|customers?|people)\s+(?:is|are|feels?)\s+(?:happy|satisfied|delighted|pleased)\b/i,
  /\b(?:security|coding|industry|accessibility|common|modern|code)\s+(?:standards?|guidelines|conventions|practices)\b/i,
  /\b(?:safely|maintainable|extensible|modular|flexible|reusable|unnecessary|various)\b/i,
  /\b(?:mobile|touch|developer|beginner|seo)[- ]friendly\b|\b(?:is|are|be)\s+(?:fully\s+)?accessible\W*$/i,
  /\b(?:important|necessary|interesting|useful)\s+(?:events?|data|information|fields?|details?|actions?|parts|things)\b/i,
  /\b(?:is|are)\s+(?:useful|helpful|(?:not\s+)?(?:annoying|confusing|distracting|intrusive)|not\s+too\s+\w+)\b/i,
  /\bconsistent(?:ly)?\s+(?:\w+\s+)?(?:spacing|style|styling|design|look|layout|naming|colou?rs)\b|\b(?:is|are|looks?)\s+consistent\W*$/i,
  /^\W*(?:it|everything|all|the feature|feature|the (?:page|form|api|endpoint|button|app)|this)\s+works?\W*$/i,
  /\b(?:feature|implementation|story|everything|it)\s+is\s+(?:complete|finished|done|documented|tested|implemented)\W*$/i,
  /\b(?:polished|nicely)\b|\bwell[- ](?:tested|designed|documented|structured|written|organi[sz]ed|formatted)\b|\bquality is (?:high|good)\b/i,
  /^\W*(?:there (?:are|is) |has |introduces )?no (?:bugs|regressions|issues)\W*$/i,
  /^\W*(?:optimi[sz]e|improve|enhance|polish|clean up|simplify)\b/i,
  /^\W*(?:unit |integration )?(?:tests?|error[- ]handling|validation|logging)\s+(?:is|are|has been|have been)\s+(?:added|implemented|in place|done|written)\W*$/i,
  /\b(?:works?|handles?|supports?|looks?|renders?)\s+(?:\w+\s+)?(?:all|any|every)\s+(?:\w+\s+)?(?:inputs?|devices?|browsers?|platforms?|screen sizes?|situations|scenarios)\b/i,
  /\b(?:common|popular|typical)\s+(?:\w+\s+)?(?:formats?|browsers?|devices?|cases|scenarios|errors?)\b/i,
  /\bworks? like\b|\bthe rest of the (?:app|application|site|page|ui)\b/i,
  /^\W*(?:works?|done|implemented|complete|completed|finished|working)\W*$/i,
  // The same in a few other languages.
  /\b(?:funktionier|arbeit)(?:t|en) (?:korrekt|richtig|einwandfrei|gut|zuverlässig)\b|\bwie erwartet\b/i,
  /\b(?:ist|sind|sollten?|muss|müssen|wird)\b[^.]*\b(?:schnell|performant|stabil|sauber|ordentlich|schön|modern)\b/i,
  /\b(?:benutzerfreundlich|ansprechend|intuitiv|übersichtlich|sinnvoll|angemessen)(?:e[nmrs]?)?\b/i,
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
