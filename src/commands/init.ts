import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { findProgram } from '../agent/find-program.ts';
import { CONFIG_FILE } from '../config/parse-config.ts';
import type { GateSetting } from '../config/settings.ts';
import { messageOf, RalphError, systemCodeOf, UsageError } from '../errors.ts';
import { cureOfFolder } from '../folder-cure.ts';
import type { Git } from '../git/git.ts';
import { isFileThere } from '../json/read-file.ts';
import { packageFile } from '../package-files.ts';
import { findPrd } from '../prd/find.ts';
import { cleanText } from '../reporters/clean-text.ts';
import { choosePlaces } from '../skills/choose-places.ts';
import type { SkillsChoice } from '../skills/choose-places.ts';
import { installSkills } from '../skills/install-skills.ts';
import type { InstalledSkill } from '../skills/install-skills.ts';
import { skillPlaces } from '../skills/skill-files.ts';
import type { SkillPlace } from '../skills/skill-files.ts';
import { detectGatesOf } from '../project/choose-gates.ts';
import { findPlace, loadSettings } from '../project/place.ts';
import type { Place } from '../project/place.ts';
import type { CommandIo, InitOptions } from './types.ts';

const schemaFile = 'schema/ralph.config.schema.json';

type Tracking = 'tracked' | 'ignored' | 'untracked';

/** A file that init wants to be there. */
interface Wanted {
  /** Absolute. */
  readonly path: string;
  readonly text: string;
}

/**
 * Sets a repository up: prd.json from the example in the start folder, ralph.config.json with the detected gates and the
 * skills at the root. Writes no file that is there, commits nothing, switches no branch, starts no agent. Throws UsageError
 * without a repository.
 */
export async function init(options: InitOptions, io: CommandIo): Promise<number> {
  const choice = parseChoice(options.skills);
  const place = await findPlace(options.cwd, io);
  const { root, git } = place.repository;
  const { settings } = await loadSettings(place, {}, io.env);
  const named = settings.prd === undefined ? undefined : resolve(place.start, settings.prd);
  const prdPath = named ?? (await placeOfPrd(place));
  const gates = await detectGatesOf(place);
  const config = { path: join(root, CONFIG_FILE), text: await configText(root, gates) };
  const prd = { path: prdPath, text: await readFile(packageFile('prd.json.example'), 'utf8') };
  const name = (path: string): string => relative(root, path);
  const lines = [
    (await create(prd))
      ? `Made ${name(prdPath)} from the example: four stories to replace with your own.`
      : `Kept ${name(prdPath)}.`,
    (await create(config)) ? `Made ${CONFIG_FILE}. ${gatesText(gates)}` : `Kept ${CONFIG_FILE}.`,
    ...skillLines(await installSkills(root, findPlaces(choice, place, io))),
    trackingText(name(prdPath), await trackingOf(git, name(prdPath))),
    ...(await commitLines(git)),
    'Next: put your stories in (ralph prd "<idea>" helps to find them), then see what a run would do with: ralph run --dry-run',
  ];
  io.writer.out(cleanText(lines.map((line) => `${line}\n`).join('')));
  return 0;
}

function parseChoice(text: string | undefined): SkillsChoice | undefined {
  if (text === undefined || text === 'none') return text;
  const place = skillPlaces.find((known) => known === text);
  if (place !== undefined) return place;
  throw new UsageError(`--skills: must be none, ${skillPlaces.join(' or ')}, not ${JSON.stringify(text)}`, {
    cures: skillPlaces.map((known) => `--skills ${known}`),
  });
}

function findPlaces(choice: SkillsChoice | undefined, { start, repository }: Place, { env }: CommandIo): SkillPlace[] {
  return choosePlaces(choice, {
    hasFolder: (name) => existsSync(join(repository.root, name)),
    isOnPath: (command) => findProgram(command, start, env) !== undefined,
  });
}

/** What lies there but isn't this version's may be the user's own, or an older one. */
function skillLines(skills: readonly InstalledSkill[]): string[] {
  if (skills.length === 0) return ['No skills, as asked for.'];
  return skills.map((skill) => {
    if (skill.kind === 'made') return `Made ${skill.path}.`;
    return skill.isCurrent
      ? `Kept ${skill.path}.`
      : `Kept ${skill.path}, which is not this version's (to have that one: remove its folder, then ralph init).`;
  });
}

async function placeOfPrd({ start }: Place): Promise<string> {
  const search = await findPrd(start);
  return search.kind === 'found' ? search.path : join(start, 'prd.json');
}

/** True if it was made, false if something of that name was there: also a link that leads nowhere is the user's. */
async function create({ path, text }: Wanted): Promise<boolean> {
  try {
    await writeFile(path, text, { flag: 'wx' });
    return true;
  } catch (error) {
    if (systemCodeOf(error) === 'EEXIST') return false;
    throw new RalphError('environment', `${path} can't be written`, {
      problems: [messageOf(error)],
      cures: [cureOfFolder(dirname(path), error)],
      cause: error,
    });
  }
}

/** Without gates the key is left out: then they are looked for again at each run. */
async function configText(root: string, gates: readonly GateSetting[]): Promise<string> {
  const listed = gates.map(({ name, run }) => ({ name, run }));
  const schema = await localSchema(root);
  const config = {
    ...(schema === undefined ? {} : { $schema: schema }),
    ...(listed.length === 0 ? {} : { gates: listed }),
  };
  return `${JSON.stringify(config, null, 2)}\n`;
}

/** The schema beside the project's own ralph, where there is one: editors need no network for it. */
async function localSchema(root: string): Promise<string | undefined> {
  const local = `node_modules/ralph-run/${schemaFile}`;
  return (await isFileThere(join(root, local))) ? `./${local}` : undefined;
}

function gatesText(gates: readonly GateSetting[]): string {
  if (gates.length === 0) {
    return 'No gates were found: add commands that must exit 0 as "gates", or what an agent says can only be believed.';
  }
  return `Gates: ${gates.map(({ run }) => run).join(' · ')}`;
}

async function trackingOf(git: Git, path: string): Promise<Tracking> {
  const listed = await git.run(['--literal-pathspecs', 'ls-files', '--error-unmatch', '--', path], {
    accept: [1, 128],
  });
  if (listed.code === 0) return 'tracked';
  // It knows no literal paths, and `:x` would be a pattern.
  const ignored = await git.run(['check-ignore', '--quiet', '--', `./${path}`], { accept: [1, 128] });
  return ignored.code === 0 ? 'ignored' : 'untracked';
}

/** prd.json decides for all state files. */
function trackingText(path: string, tracking: Tracking): string {
  const all = 'it, progress.txt and archive/';
  const texts: Record<Tracking, string> = {
    tracked: `is tracked by git: ${all} become part of each story's commit; what is ignored stays out.`,
    ignored: `is ignored by git: ${all} stay out of every commit.`,
    untracked: `is not tracked by git: ${all} stay out of every commit. To have them in: git add ${path}`,
  };
  return `${path} ${texts[tracking]}`;
}

/** A run needs a commit to come back to. */
async function commitLines(git: Git): Promise<string[]> {
  const head = await git.run(['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'], { accept: [1, 128] });
  return head.code === 0 ? [] : ['There is no commit yet, and a run needs one: git add -A && git commit -m "Start"'];
}
