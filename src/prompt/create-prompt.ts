import type { PromptFacts, PromptPort } from '../loop/ports.ts';
import { PATTERNS_BYTES, writeClosingSection } from './closing-section.ts';
import { cutHead } from './cut.ts';
import type { PlaceholderValues } from './placeholders.ts';
import { renderTemplate, usesPlaceholder, verifyTemplate } from './render.ts';
import type { Template } from './template.ts';

export interface PromptOptions {
  readonly template: Template;
  /** Path of prd.json from the agent's folder; undefined in a run without one. */
  readonly prd: string | undefined;
  /** Path of progress.txt from the agent's folder; undefined in a run without one. */
  readonly progress: string | undefined;
  /** Where the agent keeps what it learns about a folder, `CLAUDE.md` for claude; undefined: `AGENTS.md`, which most read. */
  readonly memoryFile: string | undefined;
}

/** What an agent says when everything is done. */
export const SENTINEL = '<promise>COMPLETE</promise>';

/** Builds the prompts of a run. Throws UsageError, before anything starts, for a template that can't be filled. */
export function createPrompt(options: PromptOptions): PromptPort {
  const { text, file } = options.template;
  verifyTemplate(text, file, options.prd === undefined ? 'prompt' : 'stories');
  const closing = {
    sentinel: SENTINEL,
    withoutPatterns: usesPlaceholder(text, 'patterns'),
    progress: options.progress,
  };
  return {
    render(facts) {
      const body = renderTemplate(text, valuesOf(facts, options));
      return `${body}${body.endsWith('\n') ? '' : '\n'}\n---\n\n${writeClosingSection(facts, closing)}`;
    },
  };
}

function valuesOf(facts: PromptFacts, options: PromptOptions): PlaceholderValues {
  const { story } = facts;
  return {
    iteration: String(facts.iteration),
    maxIterations: facts.maxIterations === undefined ? 'unlimited' : String(facts.maxIterations),
    story: story?.json ?? '',
    storyId: story?.id ?? '',
    storyTitle: story?.title ?? '',
    prd: options.prd ?? '',
    progress: options.progress ?? '',
    branch: facts.branch,
    gates: listOf(facts.gates),
    checks: listOf(story?.checks ?? []),
    patterns: facts.patterns.trim() === '' ? 'none yet' : cutHead(facts.patterns, PATTERNS_BYTES),
    memoryFile: options.memoryFile ?? 'AGENTS.md',
    sentinel: SENTINEL,
  };
}

function listOf(commands: readonly string[]): string {
  return commands.length === 0 ? 'none' : commands.map((command) => `- ${command}`).join('\n');
}
