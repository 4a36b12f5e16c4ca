/** How a PRD is to come about. */
export type PrdTalk =
  /** A person answers in the terminal. */
  | { kind: 'person' }
  /** Nobody answers: `answers` as they were given, and the recommended options for the rest. */
  | { kind: 'answers'; answers: string | undefined };

export interface PrdPromptFacts {
  readonly idea: string;
  /** The text of the skill, with its frontmatter. */
  readonly skill: string;
  readonly talk: PrdTalk;
}

/** The first message of the agent: the task, the idea, and the skill itself, so that it needn't be installed. */
export function createPrdPrompt({ idea, skill, talk }: PrdPromptFacts): string {
  return [
    'Write a PRD document for the idea below. Follow the skill that stands at the end of this text, and do nothing else:',
    'the one file to create or change is tasks/prd-<feature>.md.',
    '',
    'The idea, in the words of the person:',
    '',
    quote(idea),
    '',
    ...talkLines(talk),
    '',
    'The skill:',
    '',
    stripFrontmatter(skill).trim(),
    '',
  ].join('\n');
}

/** The second message, where the first was answered with questions after all. It is read by a fresh agent. */
export function createSecondPrompt(facts: PrdPromptFacts, questions: string): string {
  return [
    createPrdPrompt(facts).trimEnd(),
    '',
    'An agent before you has read the repository and asked this. Nobody has answered but in what stands above under',
    '"Nobody is there": decide each question by that, and write the document now.',
    '',
    quote(questions),
    '',
  ].join('\n');
}

function talkLines(talk: PrdTalk): string[] {
  if (talk.kind === 'person') {
    return [
      'The person sits at this terminal: ask your questions, wait for the answers, then write the document. When it is',
      'written, say where it is, and that this session can be ended now; ralph then says what comes next.',
    ];
  }
  const given =
    talk.answers === undefined
      ? 'Take the recommended option of each.'
      : `The answers, by number and letter where they have that form: ${talk.answers.replace(/\s+/g, ' ').trim()} - take the recommended option of each question that they leave open.`;
  return [
    'Nobody is there to answer. Make up the questions all the same and print them with their options. Then answer them',
    `yourself, at once and in this same turn. ${given}`,
    'Write the document before you end, and name under Open Questions what was assumed.',
  ];
}

/** Marked line by line: what a person or an agent wrote can't be taken for a heading of this text. */
function quote(text: string): string {
  return text
    .trim()
    .split(/\r\n?|\n/)
    .map((line) => `> ${line}`.trimEnd())
    .join('\n');
}

function stripFrontmatter(skill: string): string {
  return skill.replace(/^\uFEFF?---\r?\n[^]*?\r?\n---\r?\n/, '');
}
