import { basename, dirname, join, relative, resolve } from 'node:path';
import { stat } from 'node:fs/promises';
import { branchIn } from '../archive/active.ts';
import { readProjectFiles } from '../config/read.ts';
import { convertJson } from '../convert/convert-json.ts';
import { makePrd } from '../convert/make-prd.ts';
import { printPrd } from '../convert/print-prd.ts';
import { readDocument } from '../convert/read-document.ts';
import { readSource } from '../convert/read-source.ts';
import type { Passage, ReadDocument } from '../convert/types.ts';
import { UsageError } from '../errors.ts';
import type { Resolved } from '../config/settings.ts';
import { decodeUtf8, readBytes } from '../json/read-file.ts';
import { parsePrd } from '../prd/parse-prd.ts';
import { lintPrd } from '../prd/lint/lint-prd.ts';
import { cleanText } from '../reporters/clean-text.ts';
import { renderConversion } from '../reporters/convert-text.ts';
import { chooseGates } from '../project/choose-gates.ts';
import { findPlace, loadSettings } from '../project/place.ts';
import type { Place } from '../project/place.ts';
import { quoteWord } from '../shell-words.ts';
import { askAgent } from './convert-with-agent.ts';
import { gatherLintFacts } from '../project/lint-facts.ts';
import { findStatePlace } from './state-place.ts';
import type { StatePlace } from './state-place.ts';
import { planWriting, writePlanned } from './write-converted.ts';
import type { CommandIo, ConvertOptions } from './types.ts';

/** A PRD that was made of a file, and what is to be said about it. */
interface Made {
  readonly kind: 'made';
  readonly text: string;
  readonly way: 'parsed' | 'mapped' | 'agent';
  readonly kept: readonly Passage[];
  readonly unplaced: readonly Passage[];
  readonly mapped: readonly string[];
  readonly remarks: readonly string[];
}

/** What is needed on the way. */
interface Task {
  readonly options: ConvertOptions;
  readonly io: CommandIo;
  readonly place: Place;
  readonly resolved: Resolved;
  readonly state: StatePlace;
  /** Absolute path of the file to convert, and its name for messages. */
  readonly path: string;
  readonly name: string;
}

/**
 * From a PRD document, or a list of another tool, to prd.json. A document of a known shape is read without an agent; any
 * other one, or with `--with-agent`, is converted by the agent. An old prd.json of another feature goes into the archive, one
 * of the same feature is merged. Gives 0, or the exit code for what kept the agent from it. Throws UsageError for a file
 * that can't be converted, and RalphError(locked) while a loop runs.
 */
export async function convert(options: ConvertOptions, io: CommandIo): Promise<number> {
  const task = await prepare(options, io);
  const made = await make(task);
  if (made.kind === 'cut') {
    io.writer.err(cleanText(`ralph: ${made.problem}\n`));
    return made.code;
  }
  const { place, state, resolved } = task;
  const next = parsePrd(made.text, made.way === 'mapped' ? `${task.name}, converted,` : state.prd.path);
  const plan = await planWriting({ place, state, resolved, next, source: task.path });
  const gates = await chooseGates(place, resolved.settings);
  const facts = await gatherLintFacts(place, { prd: plan.reading.prd, path: state.prd.path, gates });
  const warnings = lintPrd(facts, resolved.settings.check.off).length;
  const before = options.dryRun ? plan.lines : await writePlanned(plan, { place, state });
  const report = renderConversion({
    ...made,
    file: task.name,
    output: relative(place.start, state.prdFile),
    prd: plan.reading.prd,
    before,
    warnings,
    isWritten: !options.dryRun,
    isSame: plan.kind === 'same',
  });
  if (options.dryRun) {
    io.writer.out(plan.reading.text);
    io.writer.err(report);
  } else io.writer.out(report);
  return 0;
}

async function prepare(options: ConvertOptions, io: CommandIo): Promise<Task> {
  const place = await findPlace(options.cwd, io);
  const output = options.output === undefined ? {} : { prd: { value: options.output, source: '-o' } };
  const resolved = await loadSettings(place, { ...options.given, ...output }, io.env);
  if (options.output !== undefined) await verifyFolder(resolve(place.start, options.output));
  const path = resolve(place.start, options.file);
  return { options, io, place, resolved, state: await findStatePlace(place, resolved), path, name: options.file };
}

async function verifyFolder(path: string): Promise<void> {
  const folder = await stat(dirname(path)).catch(() => undefined);
  if (folder?.isDirectory() !== true)
    throw new UsageError(`-o: there is no folder ${dirname(path)}`, {
      cures: [`mkdir -p ${quoteWord(dirname(path))}`],
    });
}

type Conversion = Made | { readonly kind: 'cut'; readonly code: number; readonly problem: string };

async function make(task: Task): Promise<Conversion> {
  const source = readSource(await readText(task), task.name);
  if (source.kind === 'json') return makeFromJson(task, source.value);
  if (task.options.withAgent) return makeWithAgent(task, source.text, undefined);
  const read = readDocument(source.text);
  if (read.stories.length === 0) {
    if (task.options.dryRun) throw noStories(task, read);
    return makeWithAgent(task, source.text, read);
  }
  const { place, path } = task;
  const { prd, remarks } = makePrd(read, { file: basename(path), project: await projectOf(place) });
  return {
    kind: 'made',
    text: printPrd(prd),
    way: 'parsed',
    kept: read.kept,
    unplaced: read.unplaced,
    mapped: [],
    remarks,
  };
}

async function readText({ path, name }: Task): Promise<string> {
  const content = await readBytes(path, name);
  if (content.kind === 'missing')
    throw new UsageError(`there is no file ${path}`, { cures: ['ralph prd "<idea>" writes a document'] });
  if (content.kind === 'folder') throw new UsageError(`${name} is a folder`, { cures: ['name the document in it'] });
  const text = decodeUtf8(content.bytes);
  if (text === undefined) throw new UsageError(`${name} is not UTF-8 text`, { cures: ['save it as UTF-8'] });
  return text;
}

async function makeFromJson({ path, name, state }: Task, value: Parameters<typeof convertJson>[0]): Promise<Made> {
  const old = await state.prd.raw();
  const isOwn = path === state.prdFile;
  const oldBranch = old === undefined || isOwn ? undefined : branchIn(Buffer.from(old).toString('utf8'));
  const converted = convertJson(value, { file: basename(path), branch: undefined });
  if (converted === undefined) {
    throw new UsageError(`${name} holds no list of stories`, {
      problems: ['looked for a list at the top level, or under userStories, stories, tasks, features, items…'],
      cures: oldBranch === undefined ? [] : [`${state.prd.path} stays as it is`],
    });
  }
  const unread = converted.unread.length === 0 ? [] : [`kept, and not read by ralph: ${converted.unread.join(', ')}`];
  return {
    kind: 'made',
    text: printPrd(converted.prd),
    way: 'mapped',
    kept: [],
    unplaced: [],
    mapped: converted.mapped,
    remarks: [...converted.remarks, ...unread],
  };
}

async function makeWithAgent(task: Task, document: string, read: ReadDocument | undefined): Promise<Conversion> {
  const { options, io, place, resolved, state, name } = task;
  const because = read === undefined ? undefined : noStories(task, read);
  const result = await askAgent({ options, io, place, resolved, state, document, name, because });
  if (result.kind === 'cut') return result;
  return { kind: 'made', text: result.text, way: 'agent', kept: [], unplaced: [], mapped: [], remarks: result.remarks };
}

function noStories({ name }: Task, { kept, unplaced }: ReadDocument): UsageError {
  const seen = [...kept, ...unplaced].sort((a, b) => a.from - b.from).slice(0, 10);
  return new UsageError(`no user story was found in ${name}`, {
    problems: seen.map(({ from, words }) => `line ${from}: ${words.length > 80 ? `${words.slice(0, 79)}…` : words}`),
    cures: [
      'write each story under a heading "### US-001: Title" with a list under "**Acceptance Criteria:**"',
      `let an agent convert it: ralph convert --with-agent ${name}`,
    ],
  });
}

/** The name in package.json, else that of the folder. */
async function projectOf({ start, repository: { root } }: Place): Promise<string> {
  for (const folder of new Set([start, root])) {
    try {
      const manifest: unknown = JSON.parse(
        (await readProjectFiles(folder, ['package.json'])).get('package.json') ?? '{}',
      );
      const name: unknown =
        typeof manifest === 'object' && manifest !== null && 'name' in manifest ? manifest.name : undefined;
      if (typeof name === 'string' && name !== '') return name;
    } catch {
      // A broken package.json names nothing.
    }
  }
  return basename(join(root));
}
