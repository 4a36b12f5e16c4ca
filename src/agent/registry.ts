import type { AgentSetting } from '../config/settings.ts';
import { UsageError } from '../errors.ts';
import { quoteWord } from '../shell-words.ts';
import { amp } from './amp.ts';
import { claude } from './claude.ts';
import { describeCustomAgent } from './custom.ts';
import { codex, gemini, opencode } from './presets.ts';
import type { AgentSpec } from './types.ts';

/** Looked for in this order where no agent was chosen. */
export const builtIns: readonly AgentSpec[] = [claude, amp];
const presets: readonly AgentSpec[] = [codex, gemini, opencode];

type AgentSettings = Readonly<Record<string, AgentSetting>>;
/** The known name that was most likely meant. */
type Suggest = (word: string, known: readonly string[]) => string | undefined;

/**
 * All agents that can be chosen: built in, described in the config, presets. A description replaces a preset of its name.
 * Throws UsageError where it has the name of a built-in one: that would change silently what everybody knows by that name.
 */
export function listAgents(settings: AgentSettings): AgentSpec[] {
  const taken = builtIns.map((spec) => spec.name).filter((name) => Object.hasOwn(settings, name));
  if (taken.length > 0) {
    throw new UsageError('ralph.config.json describes an agent that is built in', {
      problems: taken.map((name) => `agents.${name}: ${name} is built in and can't be described anew`),
      cures: ['give it another name, and choose that with --tool or the setting "tool"'],
    });
  }
  const own = Object.entries(settings).map(([name, setting]) => describeCustomAgent(name, setting));
  return [...builtIns, ...own, ...presets.filter((spec) => !Object.hasOwn(settings, spec.name))];
}

/** The agent of this name. Throws UsageError, with all known names, where there is none. */
export function findAgent(name: string, settings: AgentSettings, suggest: Suggest): AgentSpec {
  const agents = listAgents(settings);
  const found = agents.find((spec) => spec.name === name);
  if (found !== undefined) return found;
  const known = agents.map((spec) => spec.name);
  const meant = suggest(name, known);
  throw new UsageError(
    `unknown agent ${JSON.stringify(name)}${meant === undefined ? '' : ` (did you mean ${meant}?)`}`,
    {
      problems: [`known agents: ${known.join(', ')}`],
      cures: [
        ...(meant === undefined ? [] : [`ralph run --tool ${quoteWord(meant)}`]),
        'choose one with --tool, or describe yours under "agents" in ralph.config.json',
      ],
    },
  );
}

/** Throws UsageError where a model was chosen for an agent that can't be told: it would work with another one unnoticed. */
export function verifyModel(spec: AgentSpec, model: string | undefined): void {
  if (model === undefined || spec.takesModel) return;
  const cure =
    spec.origin === 'config'
      ? `say how under "agents.${spec.name}.model" in ralph.config.json, for example ["--model", "{{model}}"]`
      : `leave --model out, or hand ${spec.name} its own options behind --`;
  throw new UsageError(`${spec.name} can't be told to use the model ${JSON.stringify(model)}`, { cures: [cure] });
}
