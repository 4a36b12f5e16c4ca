import path from 'node:path';
import type { Conversation, Part } from './model-server.ts';

/** The PRD that the scripted model works off. */
export const prd = {
  project: 'Real',
  branchName: 'ralph/real',
  description: 'Two files',
  userStories: [1, 2].map((n) => ({
    id: `US-00${n}`,
    title: `Write file ${n}`,
    description: `As a user I want file ${n}.`,
    acceptanceCriteria: [`src/US-00${n}.txt says done`],
    checks: [`grep -qx done src/US-00${n}.txt`],
    priority: n,
    passes: false,
    notes: '',
  })),
};

/** What a model would do for the story that the prompt names: a file with the Write tool, a log entry, the tick, a last word. */
export function playTwoStories(folder: string): (conversation: Conversation) => Part[] {
  return ({ text, toolResults }) => {
    const id = [...text.matchAll(/^Story: (\S+) - /gm)].at(-1)?.[1];
    if (id === undefined) return [{ type: 'text', text: 'There is no story in my prompt.' }];
    const steps: Part[][] = [
      [
        { type: 'text', text: `Working on ${id}.` },
        {
          type: 'tool_use',
          name: 'Write',
          input: { file_path: path.join(folder, 'src', `${id}.txt`), content: 'done\n' },
        },
      ],
      [bash(`printf '\\n## today - ${id}\\n- wrote the file\\n---\\n' >> progress.txt`, 'Append to the log')],
      [bash(`node -e ${quote(tick(id))}`, 'Tick the story')],
    ];
    return (
      steps[toolResults.length] ?? [
        { type: 'text', text: id === 'US-002' ? 'Both are done.\n\n<promise>COMPLETE</promise>' : 'One is done.' },
      ]
    );
  };
}

function bash(command: string, description: string): Part {
  return { type: 'tool_use', name: 'Bash', input: { command, description } };
}

function tick(id: string): string {
  return `const fs = require("fs"); const prd = JSON.parse(fs.readFileSync("prd.json", "utf8")); prd.userStories.find((s) => s.id === "${id}").passes = true; fs.writeFileSync("prd.json", JSON.stringify(prd, null, 2));`;
}

function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
