import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { randomBytes } from 'node:crypto';

/** A part of an answer: something said, or a tool to be called. */
export type Part = { type: 'text'; text: string } | { type: 'tool_use'; name: string; input: Record<string, unknown> };

/** An answer that is an error of the API. */
export interface ApiError {
  readonly status: number;
  readonly type: string;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What the model answers to a conversation. */
export type Script = (conversation: Conversation) => Part[] | ApiError;

/** What the model sees of a conversation: all text of the user's turns, and how many tool calls were answered so far. */
export interface Conversation {
  readonly text: string;
  readonly toolResults: readonly string[];
}

export interface ModelServer {
  /** Base URL for `ANTHROPIC_BASE_URL`. */
  readonly url: string;
  /** Conversations in the order in which their requests came. */
  readonly requests: readonly Conversation[];
  close(): Promise<void>;
}

interface Block {
  type?: string;
  text?: string;
  content?: unknown;
}

/** What each answer is said to have cost, in tokens. */
export const usagePerAnswer = {
  input_tokens: 1000,
  cache_creation_input_tokens: 200,
  cache_read_input_tokens: 3000,
  output_tokens: 40,
};

/**
 * A model of the Messages API on loopback that answers from a script, streamed as the real one does. The script is a function
 * of the conversation alone, so a fresh process starts it from the beginning.
 */
export async function startModelServer(script: Script): Promise<ModelServer> {
  const requests: Conversation[] = [];
  const server = createServer((request, response) => {
    readBody(request)
      .then((body) =>
        route(request, response, body, (conversation) => {
          requests.push(conversation);
          return script(conversation);
        }),
      )
      .catch((error: unknown) => sendError(response, { status: 500, type: 'api_error', message: String(error) }));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the model server has no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function route(request: IncomingMessage, response: ServerResponse, body: string, answer: Script): void {
  const { pathname } = new URL(request.url ?? '/', 'http://127.0.0.1');
  if (request.method === 'HEAD') {
    response.writeHead(200).end();
    return;
  }
  if (pathname !== '/v1/messages') {
    sendError(response, { status: 404, type: 'not_found_error', message: `no ${pathname} here` });
    return;
  }
  const {
    model,
    messages,
    stream,
  }: { model: string; messages: { role: string; content: string | Block[] }[]; stream?: boolean } = JSON.parse(body);
  const parts = answer(conversationOf(messages));
  if (!Array.isArray(parts)) {
    sendError(response, parts);
    return;
  }
  const message = {
    id: makeId('msg'),
    type: 'message',
    role: 'assistant',
    model,
    content: parts.map((part) => (part.type === 'text' ? part : { ...part, id: makeId('toolu') })),
    stop_reason: parts.some((part) => part.type === 'tool_use') ? 'tool_use' : 'end_turn',
    stop_sequence: null,
    usage: usagePerAnswer,
  };
  if (stream === true) streamMessage(response, message);
  else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(message));
}

function conversationOf(messages: readonly { role: string; content: string | Block[] }[]): Conversation {
  const blocks = messages
    .filter(({ role }) => role === 'user')
    .flatMap(({ content }) => (typeof content === 'string' ? [{ type: 'text', text: content }] : content));
  return {
    text: blocks.map((block) => (block.type === 'text' ? (block.text ?? '') : '')).join('\n'),
    toolResults: blocks.filter((block) => block.type === 'tool_result').map((block) => JSON.stringify(block.content)),
  };
}

/** The server-sent events of one answer: start, each block with a delta, the stop reason, the end. */
function streamMessage(
  response: ServerResponse,
  message: { content: (Part & { id?: string })[]; stop_reason: string },
): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  const send = (type: string, data: object): void => {
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
  };
  send('message_start', {
    message: { ...message, content: [], stop_reason: null, usage: { ...usagePerAnswer, output_tokens: 1 } },
  });
  for (const [index, part] of message.content.entries()) {
    const [empty, delta] =
      part.type === 'text'
        ? [
            { ...part, text: '' },
            { type: 'text_delta', text: part.text },
          ]
        : [
            { ...part, input: {} },
            { type: 'input_json_delta', partial_json: JSON.stringify(part.input) },
          ];
    send('content_block_start', { index, content_block: empty });
    send('content_block_delta', { index, delta });
    send('content_block_stop', { index });
  }
  send('message_delta', {
    delta: { stop_reason: message.stop_reason, stop_sequence: null },
    usage: { output_tokens: usagePerAnswer.output_tokens },
  });
  send('message_stop', {});
  response.end();
}

function sendError(response: ServerResponse, { status, type, message, headers }: ApiError): void {
  response
    .writeHead(status, { 'content-type': 'application/json', ...headers })
    .end(JSON.stringify({ type: 'error', error: { type, message } }));
}

function readBody(request: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (text: string) => {
      body += text;
    });
    request.once('end', () => resolve(body));
    request.once('error', reject);
  });
}

function makeId(kind: string): string {
  return `${kind}_${randomBytes(12).toString('hex')}`;
}
