import type { AgentClass } from '../loop/events.ts';
import type { Obstacle } from '../loop/ports.ts';
import { epochToMs, parseReset } from './reset-time.ts';
import type { Here } from './zoned-time.ts';

/** An error of an agent, in its own words and fields. */
export interface Complaint {
  readonly status: number | undefined;
  readonly codes: readonly string[];
  readonly text: string;
  /** It had said or done something before: not the start went wrong. */
  readonly worked: boolean;
  /** Usage limits that are exhausted, with their reset in seconds since the epoch where it is known. */
  readonly limits: readonly (number | undefined)[];
}

export interface Judged {
  readonly class: AgentClass;
  readonly obstacle: Obstacle | undefined;
}

type Rule = (complaint: Complaint, here: Here) => Judged | undefined;

const ownCap =
  /reached max(?:imum)? (?:number of )?turns|reached maximum budget|exceeded usd budget|output token maximum/i;
const tooLong =
  /prompt is too long|request too large|ran out of room in the model|exceeds the context window|context_length_exceeded/i;
const never =
  /credit balance is too low|monthly spend limit|payment required|check your plan and billing|disabled by (?:your|an|the)\b.{0,40}\badmin|(?:organization|account) has been disabled/i;
const noCredit = /out of (?:usage )?credits|insufficient (?:credits|funds|balance)/i;
const limitReached =
  /hit your (?!rate\b)(?:[\w-]+ ){0,3}limit|(?:hour|hourly|daily|weekly|session|usage|opus|sonnet) limit reached|out of (?:extra )?usage\b|exceeded your (?!rate\b)(?:[\w-]+ ){0,3}(?:limit|quota)/i;
const loggedOut =
  /not logged in|not authenticated|run \/login|(?:invalid|incorrect|missing) api key|no api key|failed to authenticate|authentication (?:failed|required|error)|invalid auth method|login (?:is )?required|\bunauthori[sz]ed\b|unauthenticated|oauth token has (?:expired|been revoked)|missing environment variable/i;
const noModel =
  /issue with the selected model|(?:unknown|invalid|unsupported) model|\bmodel\b.{0,80}(?:not found|does not exist|is not supported)/i;
const noStart = /root\/sudo privileges|not inside a trusted directory|run `?amp update/i;
const badCall =
  /(?:unknown|unrecognized|unexpected|invalid) (?:option|argument|flag|command)|missing required argument|argument missing|requires --verbose|input must be provided|no prompt provided|message must be provided|input contained only whitespace|piped stdin input exceeds|is already in use/i;
const safeguards = /safeguards flagged/i;
const tooFast = /\brate[ -]limit|too many requests/i;
const noService =
  /overloaded|unable to connect|couldn['’]t connect|connection (?:refused|dropped|reset|closed|error|failed|timed out)|\bECONN[A-Z]+|\bENOTFOUND\b|\bEAI_AGAIN\b|\bETIMEDOUT\b|socket hang up|fetch failed|network error|(?:request|operation|api call) timed out|internal server error|bad gateway|service unavailable|gateway time-?out|experiencing high demand/i;

const statusInText = /\b(?:api error|status(?: code)?|http(?:\/[\d.]+)?|code|rejected)\b[":\s(]*([45]\d\d)\b/i;

const judged = (name: AgentClass, obstacle?: Obstacle): Judged => ({ class: name, obstacle });
const has = (complaint: Complaint, ...codes: string[]): boolean => codes.some((code) => complaint.codes.includes(code));
const is = (complaint: Complaint, ...statuses: number[]): boolean =>
  complaint.status !== undefined && statuses.includes(complaint.status);

/** In order: the first that knows a complaint decides. Each looks at typed fields, then at the text. */
const rules: readonly Rule[] = [
  // Stopped by somebody else than ralph: its own interrupts never come here.
  (c) => (has(c, 'aborted_tools', 'aborted_streaming') ? judged('killed') : undefined),
  (c) => (has(c, ...ownCaps) || ownCap.test(c.text) ? judged('budget') : undefined),
  // A fresh prompt that does not fit will never fit; after some work it is the conversation that grew too long.
  (c) => (isTooLong(c) ? judged(c.worked ? 'crash' : 'usage') : undefined),
  (c, here) => account(c, here),
  (c, here) => usageLimit(c, here),
  (c) => (has(c, 'refusal') || safeguards.test(c.text) ? judged('crash') : undefined),
  (c) => (isLoggedOut(c) ? judged('auth') : undefined),
  (c) => (is(c, 404) || has(c, 'model_not_found') || noModel.test(c.text) ? judged('usage') : undefined),
  (c) => (is(c, 426) || (!c.worked && noStart.test(c.text)) ? judged('refused') : undefined),
  (c) => (!c.worked && c.status === undefined && badCall.test(c.text) ? judged('usage') : undefined),
  (c) =>
    is(c, 429) || has(c, 'rate_limit', 'rate_limit_error') || tooFast.test(c.text)
      ? judged('overloaded', { kind: 'rate', text: c.text })
      : undefined,
  (c) => (isOverloaded(c) ? judged('overloaded', { kind: 'overloaded', text: c.text }) : undefined),
];

const ownCaps = ['error_max_turns', 'error_max_budget_usd', 'max_turns', 'budget_exhausted', 'max_output_tokens'];

/** What a complaint amounts to; `crash` where it is none of the known ones. */
export function judge(complaint: Complaint, here: Here): Judged {
  return recognize(complaint, here) ?? judged('crash');
}

/** The same, or undefined where the complaint is none of the known ones. */
export function recognize(complaint: Complaint, here: Here): Judged | undefined {
  const status = complaint.status ?? statusOf(complaint.text);
  const known = { ...complaint, status };
  for (const rule of rules) {
    const answer = rule(known, here);
    if (answer !== undefined) return answer;
  }
  return undefined;
}

/** The HTTP status that an error text names. 404 is left out: what was not found may be anything. */
function statusOf(text: string): number | undefined {
  const status = Number(statusInText.exec(text)?.[1]);
  return Number.isNaN(status) || status === 404 ? undefined : status;
}

function isTooLong(c: Complaint): boolean {
  return is(c, 413) || has(c, 'prompt_too_long', 'request_too_large') || tooLong.test(c.text);
}

function isLoggedOut(c: Complaint): boolean {
  const isTyped = is(c, 401, 403) || has(c, 'authentication_failed', 'authentication_error', 'permission_error');
  return isTyped || c.codes.some((code) => code.startsWith('oauth_')) || loggedOut.test(c.text);
}

/** An account that waiting does not help. A spent extra that comes back at a known time is a limit. */
function account(c: Complaint, here: Here): Judged | undefined {
  const isFinal = is(c, 402) || has(c, 'billing_error') || never.test(c.text);
  const isSpent = noCredit.test(c.text) && resetOf(c, here) === undefined;
  return isFinal || isSpent ? judged('limit', { kind: 'account', text: c.text }) : undefined;
}

function usageLimit(c: Complaint, here: Here): Judged | undefined {
  const isRate = is(c, 429) || has(c, 'rate_limit', 'rate_limit_error');
  const isTyped = has(c, 'usage_limit_reached') || (isRate && c.limits.length > 0);
  const resetAt = resetOf(c, here);
  if (!isTyped && !limitReached.test(c.text) && !(isRate && resetAt !== undefined)) return undefined;
  return judged('limit', { kind: 'limit', resetAt, text: c.text });
}

/** The event's field first, then the text. Of several exhausted limits the last to reset counts. */
function resetOf(c: Complaint, here: Here): number | undefined {
  const typed = c.limits.map(epochToMs).filter((ms) => ms !== undefined);
  return typed.length > 0 ? Math.max(...typed) : parseReset(c.text, here.now, here.zone);
}

function isOverloaded(c: Complaint): boolean {
  if (c.status !== undefined) return c.status >= 500 || c.status === 408;
  return has(c, 'connection_failed', 'overloaded', 'overloaded_error', 'server_error') || noService.test(c.text);
}
