import { ClaudeStreamDecoder } from './claude-stream.ts';
import { CodexStreamDecoder } from './codex-stream.ts';
import { echoesOf } from './final-words.ts';
import { PlainTextDecoder } from './plain-text.ts';
import type { Decoded, Decoder, OutputFormat } from './types.ts';

/**
 * A decoder for an agent's standard output. `emit` gets what can be shown, while it comes; the report says at the end what
 * it amounted to. The prompt is known so that an agent which repeats it is not taken at its word.
 */
export function createDecoder(format: OutputFormat, prompt: string, emit: (event: Decoded) => void): Decoder {
  const echoes = echoesOf(prompt);
  switch (format) {
    case 'text':
      return new PlainTextDecoder(echoes, emit);
    case 'claude-stream-json':
      return new ClaudeStreamDecoder(echoes, emit);
    case 'codex-json':
      return new CodexStreamDecoder(echoes, emit);
  }
}
