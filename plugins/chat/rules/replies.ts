/** Replies to an open question: choices, missing parts and missing texts. */
import * as v from 'valibot'
import type { OpenQuestion, PlanningInput } from '../port.ts'
import { ordinalOf } from './names.ts'
import { readItem } from './references.ts'
import { texts } from './texts.ts'
import { readRequest } from './request.ts'
import type { Tokens } from './tokens.ts'
import { Answerable, AskError, startWork, type PlanState } from './work.ts'

/** State of an open question: what its message has been answered so far, and what may answer it. */
const Memory = v.object({ answers: v.record(v.string(), v.string()), ...Answerable.entries })

/** The message that a reply completes, with the answers so far. */
type Completed = Pick<PlanState, 'message' | 'answers'>

const yes = /^(?:yes|yes please|yep|ok|okay|sure|do it|go ahead)[.!]?$/i

/**
 * Reads a reply. Returns `undefined` if it is a message of its own, as `isOwn` decides for what may be a
 * text, and asks about a text without quotes.
 */
export function replyTo(
  input: PlanningInput,
  { message, memory }: OpenQuestion,
  reply: string,
  isOwn: (tokens: Tokens) => boolean,
): Completed | AskError | undefined {
  const { success, output } = v.safeParse(Memory, memory)
  if (!success) return undefined
  const { answers, key, choices = [], joint, opening, confirms } = output
  const isYes = yes.test(reply)
  if (confirms !== undefined && isYes) return { message: confirms, answers }
  const { tokens, end } = readRequest(reply)
  const chosen =
    isYes && choices.length === 1 ? choices[0] : choiceIn(startWork(input, reply, end), choices, tokens)
  if (key !== undefined && chosen) return { message, answers: { ...answers, [key]: chosen.id } }
  if (opening !== undefined) return textIn(opening, answers, tokens, reply, isOwn)
  return joint !== undefined && !isOwn(tokens)
    ? { message: `${message.slice(0, readRequest(message).end)}${joint}${reply}`, answers }
    : undefined
}

/** What is in front of a text in a reply. */
const lead =
  /^(?:please )?(?:(?:it|this|that) (?:should|must|shall|has to) (?:say|read|be)|(?:just )?(?:say|write|put)):? +/i

/** A text in quotes completes the message. Anything else that may be the text is asked about. */
function textIn(
  opening: string,
  answers: PlanState['answers'],
  tokens: Tokens,
  reply: string,
  isOwn: (tokens: Tokens) => boolean,
): Completed | AskError | undefined {
  const [quoted, ...others] = tokens.filter(({ kind }) => kind === 'quoted')
  if (quoted && tokens.length === 1) return { message: `${opening}"${quoted.text}"`, answers }
  if (isOwn(tokens) || others.length > 0) return undefined
  const text = (quoted?.text ?? reply).replace(lead, '')
  if (text.trim() === '' || text.includes('"')) return undefined
  return new AskError(texts.wantsQuotes(text), { opening, confirms: `${opening}"${text}"` })
}

/** The choice that a message names: by its text, by its position, or as an item. */
function choiceIn(work: PlanState, choices: NonNullable<AskError['answerable']['choices']>, tokens: Tokens) {
  const text = work.message.toLowerCase()
  const labelled = choices.find(({ label }) => label.toLowerCase() === text)
  if (labelled) return labelled
  const position = ordinalOf(tokens[0])
  if (position !== undefined && tokens.slice(1).every(({ word }) => word === 'one'))
    return choices.at(position)
  const items = readItem(work, tokens)?.candidates ?? []
  const named = choices.filter(({ id }) => items.some((item) => `${id}.`.startsWith(`${item.id}.`)))
  return named.length === 1 ? named[0] : undefined
}
