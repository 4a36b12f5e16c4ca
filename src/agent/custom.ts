import type { AgentSetting } from '../config/settings.ts';
import type { AgentSpec, ArgsOptions } from './types.ts';

/**
 * An agent described under `agents.<name>` in the config. `{{prompt}}` or `{{promptFile}}` in its arguments stands for the
 * prompt, or the path of a file with it, where the prompt doesn't go in by standard input; without it, it is the last one.
 */
export function describeCustomAgent(name: string, setting: AgentSetting): AgentSpec {
  return {
    name,
    origin: 'config',
    command: setting.command,
    promptBy: setting.prompt,
    output: setting.output,
    memoryFile: setting.memoryFile ?? 'AGENTS.md',
    env: {},
    fatalLines: [],
    exitClasses: {},
    slashIsCommand: false,
    takesModel: setting.model.length > 0,
    preflight: undefined,
    args: (options) => buildArgs(setting, options),
    // With the message on its command line its standard input is free, so that it can be the terminal.
    conversation:
      setting.prompt === 'stdin' ? undefined : { kind: 'started', args: (options) => buildArgs(setting, options) },
  };
}

function buildArgs(setting: AgentSetting, { model, extraArgs, prompt }: ArgsOptions): string[] {
  const chosen = model === undefined ? [] : setting.model.map((arg) => arg.replaceAll('{{model}}', () => model));
  const args = [...setting.args, ...chosen];
  if (prompt === undefined) return [...args, ...extraArgs];
  const place = setting.prompt === 'file' ? '{{promptFile}}' : '{{prompt}}';
  if (!args.some((arg) => arg.includes(place))) return [...args, ...extraArgs, prompt];
  // A function: a prompt may hold `$&`.
  return [...args.map((arg) => arg.replaceAll(place, () => prompt)), ...extraArgs];
}
