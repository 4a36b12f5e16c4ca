import { UsageError } from '../errors.ts';
import { JsonSyntaxError } from '../json/json-syntax-error.ts';
import { formatPlace, nodeAt, valueOf } from '../json/json-tree.ts';
import type { JsonDocument } from '../json/json-tree.ts';
import { parseJson } from '../json/parse-json.ts';
import { reindentJson } from '../json/reindent-json.ts';
import type { PrdReading } from '../loop/ports.ts';
import { quoteWord } from '../shell-words.ts';
import { describeProblem } from './problem.ts';
import type { PrdDocument, StoryDocument } from './schema.ts';
import { hashStory } from './story-hash.ts';
import type { Prd, PrdWarning, Story } from './types.ts';
import { validatePrd } from './validate-prd.ts';

/**
 * Reads the text of a prd.json: defaults filled in, and attempts and block of a story forgotten whose wording has changed
 * since they were written.
 *
 * @param name the file as messages call it
 * @throws {UsageError} for a syntax error (`prd.json:4:29: …`), or with all problems of the format and their places
 */
export function parsePrd(text: string, name: string): PrdReading {
  const document = parseText(text, name);
  const { document: valid, problems, warnings } = validatePrd(valueOf(document.root));
  if (valid === undefined) {
    const isShape = problems.some((problem) => problem.isShape === true);
    const count = problems.length === 1 ? 'a problem' : `${problems.length} problems`;
    throw new UsageError(`${name} has ${count}`, {
      problems: problems.map(describeProblem),
      cures: isShape ? [`turn another tool's list into this format: ralph convert ${quoteWord(name)}`] : [],
    });
  }
  return { text, prd: toPrd(valid, document), warnings: [...duplicateWarnings(document), ...warnings] };
}

function parseText(text: string, name: string): JsonDocument {
  try {
    return parseJson(text);
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    const { line, column, message } = error;
    throw new UsageError(`${name} is not valid JSON`, {
      problems: [`${name}:${line}:${column}: ${message}`],
      cause: error,
    });
  }
}

function duplicateWarnings({ duplicates }: JsonDocument): PrdWarning[] {
  return duplicates.map(({ path }) => ({
    place: formatPlace(path),
    text: 'is there more than once; the last one counts',
  }));
}

function toPrd(valid: PrdDocument, document: JsonDocument): Prd {
  return {
    project: valid.project,
    description: valid.description,
    branchName: valid.branchName,
    stories: valid.userStories.map((story, index) => toStory(story, index, document)),
  };
}

function toStory(story: StoryDocument, index: number, { text, root }: JsonDocument): Story {
  const wording = {
    title: story.title,
    description: story.description ?? '',
    acceptanceCriteria: story.acceptanceCriteria ?? [],
    checks: story.checks ?? [],
    dependsOn: story.dependsOn ?? [],
  };
  const record = story.ralph ?? {};
  const holds = record.of === undefined || record.of === hashStory(wording);
  const node = nodeAt(root, ['userStories', index]);
  return {
    ...wording,
    id: story.id,
    priority: story.priority ?? Infinity,
    passes: story.passes ?? false,
    notes: story.notes ?? '',
    attempts: holds ? (record.attempts ?? 0) : 0,
    blocked: holds ? record.blocked : undefined,
    json: node === undefined ? '{}' : reindentJson(text, node, ['ralph']),
  };
}
