import { withoutNumber } from './labels.ts';

/** What a heading says of a story: an id, if it has one, and the rest. */
export interface StoryTitle {
  readonly id: string | undefined;
  readonly title: string;
  /** `sure`: only stories are called so. `maybe`: an id of some kind. `none`: no id. */
  readonly sign: 'sure' | 'maybe' | 'none';
  /** Words about urgency that were part of the heading. */
  readonly priority: string | undefined;
}

const gap = String.raw`[\])]?\s*(?:[:：.|–—-]+\s*|\s+|$)`;
const sure = new RegExp(
  String.raw`^[[(]?((?:(?:US|UST|ST|HU)[-_ ]?|(?:STORY|TASK|TSK)[-_]?)\d+(?:[.-]\d+)*[a-z]?|T\d{3,})${gap}(?:\[P\]\s*)?(.*)$`,
  'is',
);
const spoken = new RegExp(
  String.raw`^[[(]?(?:user[- ]?)?(?:story|task|geschichte|nutzergeschichte|historia|histoire|récit|história|история|задача|故事|ストーリー)\s*(?:#|no\.?|nr\.?)?\s*(\d+(?:\.\d+)*[a-z]?|[A-Z]\d+(?=\s*(?:[:：.–—-]|$)))${gap}(.*)$`,
  'isu',
);
/** The id behind the title: "Digest (US-10)". */
const behind = /^(.+?)\s*[([]((?:US|UST|ST|HU)[-_ ]?\d+[a-z]?)[)\]]$/is;
const any = new RegExp(String.raw`^[[(]?([A-Z][A-Z0-9]{0,9}-\d+[a-z]?)${gap}(.*)$`, 's');
/** Ids of other things that documents number. */
const others =
  /^(?:FR|NFR|TR|BR|SR|UR|AC|R|REQ|G|GOAL|NG|Q|OQ|SC|M|KPI|D|A|RISK|ADR|RFC|P|PRD|UI|API|UTF|ISO|SHA|E|EPIC)-/;

/** Reads a heading, a bold line or the first line of a list item. */
export function readStoryTitle(heading: string): StoryTitle {
  const bare = withoutNumber(heading.replace(/^[^\p{L}\p{N}[(]+/u, ''));
  const { text, priority } = takePriority(bare);
  const [, before = '', last] = behind.exec(text) ?? [];
  const [, id = last, rest = before] = sure.exec(text) ?? [];
  if (id !== undefined)
    return {
      id: id
        .replace(/[ _]/, '-')
        .toUpperCase()
        .replace(/[A-Z]$/, toLower),
      title: clean(rest),
      sign: 'sure',
      priority,
    };
  const [, number, spokenRest = ''] = spoken.exec(text) ?? [];
  if (number !== undefined) return { id: idOf(number), title: clean(spokenRest), sign: 'sure', priority };
  const [, other, otherRest = ''] = any.exec(text) ?? [];
  if (other !== undefined && !others.test(other))
    return { id: other, title: clean(otherRest), sign: 'maybe', priority };
  return { id: undefined, title: clean(text), sign: 'none', priority };
}

function toLower(letter: string): string {
  return letter.toLowerCase();
}

/** `US-007` for 7, `US-A1` for A1; `US-2.1` stays as it is counted. */
export function idOf(number: string | number): string {
  const [, digits = '', rest = ''] = /^(\d+)(.*)$/.exec(String(number)) ?? [];
  return digits === '' ? `US-${number}` : `US-${digits.padStart(3, '0')}${rest}`;
}

const urgency =
  /\s*[([]\s*(?:priority\s*[:=]?\s*)?(p[0-4]|highest|high|medium|low|lowest|critical|must|should|could|must[- ]have|should[- ]have|nice[- ]to[- ]have|mvp)\s*[)\]]\s*$/i;

function takePriority(text: string): { text: string; priority: string | undefined } {
  const priority = urgency.exec(text)?.[1];
  return { text: priority === undefined ? text : text.replace(urgency, ''), priority };
}

function clean(title: string): string {
  return title
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/\s*[:：]$/, '');
}

const asA =
  /^[\s"“*_]*(?:as an?\b|as the\b|als\b|en tant qu|como\b|come\b|jako\b|как\b|я, как\b|作为|身为|.{1,20}として)/iu;

/** Is it a sentence of the kind "As a user, I want …"? */
export function isStorySentence(text: string): boolean {
  return asA.test(text);
}

const want =
  /\b(?:I (?:want(?: to)?|need(?: to)?|would like(?: to)?|can|should be able to|must be able to)|möchte ich|will ich|brauche ich|je (?:veux|souhaite)|quiero|necesito|quero|preciso|voglio|я хочу)\s+(?:to\s+)?(.+?)(?=,?\s*(?:\bso that\b|\bso I\b|\bin order to\b|\bbecause\b|\bdamit\b|\bum\b|\bafin\b|\bpour\b|\bpara\b|чтобы)|[.;]|$)/isu;

/** A title for a story that has none, from its sentence. */
export function titleFrom(sentence: string): string {
  const words = clean(
    want.exec(sentence)?.[1] ?? (/^.*?[.;!?](?=\s|$)/s.exec(sentence)?.[0] ?? sentence).replace(/[.;]$/, ''),
  );
  const title = words.charAt(0).toUpperCase() + words.slice(1);
  if (title.length <= 80) return title;
  const cut = title.slice(0, 80);
  return `${cut.slice(0, cut.lastIndexOf(' ') > 40 ? cut.lastIndexOf(' ') : 79)}…`;
}
