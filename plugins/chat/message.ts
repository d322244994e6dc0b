import { createHmac, createSecretKey } from 'node:crypto'
import type { ChatRequest } from './request.ts'

/** The intent of a message: an action on the pending plan, or a new plan. */
type Intent = 'approve' | 'continue' | 'discard' | 'plan'

const intents = {
  plan_only: 'plan',
  apply_pending_plan: 'approve',
  discard_pending_plan: 'discard',
  continue_chain: 'continue',
} as const satisfies Readonly<Record<string, Intent>>

/** Separates requests from a yes or a no. Without a pending plan a yes answers the open question, if there is one. */
export function intentOf(
  executionMode: ChatRequest['executionMode'],
  message: string,
  { memory, pending }: { readonly memory: { readonly openQuestion?: unknown }; readonly pending?: unknown },
): Intent {
  if (executionMode !== 'auto') return intents[executionMode]
  if (isNo(message)) return 'discard'
  return isYes(message) && (pending || !memory.openQuestion) ? 'approve' : 'plan'
}

const phrases = (list: string): ReadonlySet<string> => new Set(list.split(', '))

const yes = phrases(
  'yes, y, yep, yeah, sure, ok, okay, go ahead, yes go ahead, do it, yes do it, please do, go for it, apply, apply it, confirm, confirmed, approve, approved, proceed, sounds good, looks good',
)
const no = phrases(
  "no, nope, cancel, cancel it, stop, never mind, nevermind, discard, discard it, forget it, abort, no thanks, do not, don't, reject",
)

const longestReply = 60

/** Whether a message consists of one of these phrases, perhaps with a please or thanks. */
function isOneOf(list: ReadonlySet<string>, message: string): boolean {
  if (message.length > longestReply) return false
  const words = message
    .toLowerCase()
    .replaceAll('’', "'")
    .replace(/[^\p{L}\p{N}']+/gu, ' ')
    .trim()
  return list.has(words) || list.has(words.replace(/ (?:please|thanks|thank you)$/, ''))
}

/** Whether a message is only a yes. */
const isYes = (message: string): boolean => isOneOf(yes, message)

/** Whether a message is only a no. */
const isNo = (message: string): boolean => isOneOf(no, message)

/** Whether a message begins with the request to see a plan first. */
export const wantsPlanFirst = (message: string): boolean =>
  /^(?:please[, ]+)?(?:plan first|(?:show me|make) (?:the|a) plan first)\b/i.test(message)

/** Whether a message may ask for a new page; only then may the current page be missing from the draft. */
export const asksForNewPage = (message: string): boolean =>
  /\b(?:add|build|create|make|new|write)\b[^.!?]{0,80}\bpages?\b/i.test(message.slice(0, 2_000))

/** Older clients append the context of their site to a message. */
const appended = /\[site context\][\s\S]*?(?:\[\/site context\]|$)/gi

/** A message without the text that older clients append. */
export const cleanMessage = (message: string): string => message.replace(appended, ' ').trim()

const longestExcerpt = 180

/**
 * Creates the digest function for messages: 16 hexadecimal digits, equal for equal messages. The digest is
 * keyed: without the secret, a guess at a message cannot be confirmed.
 */
export function createPromptHash(secret: string) {
  const key = createSecretKey(secret, 'base64url')
  return (message: string): string => createHmac('sha256', key).update(message).digest('hex').slice(0, 16)
}

/** Returns the beginning of a message on one line. */
export const promptExcerpt = (message: string): string =>
  message
    .slice(0, 10 * longestExcerpt)
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, longestExcerpt)
