import * as v from 'valibot'
import type { PlanningInput } from '../types/planner.ts'
import type { OpenQuestion } from '../types/plan.ts'
import { Ask, Unfit, type Inquiry } from './ask.ts'
import { attempt, type Attempt, type Answers } from './attempt.ts'
import type { Node } from './grammar/node.ts'
import { isConfirmation } from './intent.ts'
import { isRequest, isText } from './is-answer.ts'
import { lexicons } from './lexicon/index.ts'
import type { Lexicon } from './lexicon/lexicon.ts'
import { cleanMessage } from './message/clean.ts'
import { withoutEnd } from './message/trim.ts'
import { findBlock, isSameName } from './resolve/blocks.ts'
import { findPage } from './resolve/pages.ts'
import { findRow, rowChoice } from './resolve/rows.ts'
import { blockOf, type Work } from './work.ts'

/** An action that lacks one thing: the message, what was answered so far, and what an answer may choose from. */
const Memory = v.object({
  answers: v.record(v.string(), v.string()),
  key: v.optional(v.string()),
  choices: v.optional(v.array(v.object({ id: v.string(), label: v.string() }))),
  /** The list was cut: its last entry is not the last choice. */
  more: v.optional(v.number()),
  joint: v.optional(v.string()),
  confirms: v.optional(v.string()),
})
type Memory = v.InferOutput<typeof Memory>

/** What has to be kept of a question so that an answer can fill it in; nothing when no answer could. */
export function toOpenQuestion(message: string, inquiry: Inquiry, answers: Answers): OpenQuestion | undefined {
  const { key, choices = [], more, joint, suggestions = [] } = inquiry
  const [confirms] = suggestions
  const isChoice = key !== undefined && choices.length > 0
  if (!isChoice && joint === undefined && confirms === undefined) return undefined
  const memory: Memory = {
    answers: { ...answers },
    ...(isChoice && { key, choices: choices.map(({ id, label }) => ({ id, label })), more }),
    ...(joint !== undefined && { joint }),
    ...(confirms !== undefined && { confirms }),
  }
  return { message, memory }
}

/** The message that was asked about, with what was answered, and what becomes of it. */
export interface Answered {
  readonly attempt: Attempt
  readonly message: string
  readonly answers: Answers
}

/** What a message does as the answer to the question that is open, or `undefined` when it is none. */
export function attemptAnswer(input: PlanningInput, lexicon: Lexicon): Answered | undefined {
  const { open, ...asked } = input
  const memory = open && v.is(Memory, open.memory) ? open.memory : undefined
  if (!open || !memory) return undefined
  const said = cleanMessage(input.message)
  if (memory.confirms !== undefined && isConfirmation(said)) return tryWith(memory.confirms, memory.answers)
  const chosen = memory.key === undefined ? undefined : chosenId(attempt(asked, lexicon).work, memory)
  if (chosen !== undefined && memory.key !== undefined) return tryWith(open.message, { ...memory.answers, [memory.key]: chosen })
  if (memory.joint === undefined || !(isPlace(memory.joint) ? !isRequest(said) : isText(withoutJoint(said, memory.joint)))) return undefined
  const words = [withoutEnd(open.message, /[\s.!?]/), memory.joint, said].filter(Boolean)
  const joined = tryWith(startsWith(said, memory.joint) ? [words[0], said].join(' ') : words.join(' '), memory.answers)
  return joined.attempt.kind === 'failed' ? undefined : joined

  function tryWith(message: string, answers: Answers) {
    return { attempt: attempt({ ...asked, message }, lexicon, answers), message, answers }
  }
}

/** Asked for a place, not for a text. */
const isPlace = (joint: string) => lexicons.some(({ joints: { scope, place, value, name } }) => [scope, place].includes(joint) && ![value, name].includes(joint))

const withoutJoint = (text: string, joint: string) => (startsWith(text, joint) ? text.slice(joint.length).trim() : text)

const startsWith = (text: string, word: string) => word !== '' && text.toLowerCase().startsWith(`${word} `)

/** The choice that an answer means: by number, by what it is called, or by what it is. */
function chosenId(work: Work | undefined, { choices = [], more = 0 }: Memory): string | undefined {
  if (!work) return undefined
  const { parser: { message, wholeSlot, tokens } } = work.scene
  const said = tokens.length === 1 && tokens[0]?.kind === 'quoted' ? tokens[0].text : message
  const named = choices.filter(({ label }) => isSameName(label, said))
  if (named.length === 1) return named[0]?.id
  for (const node of wholeSlot('Answer')) {
    const id = meant(work, node, choices.map((choice) => choice.id), more)
    if (id !== undefined && choices.some((choice) => choice.id === id)) return id
  }
  return undefined
}

function meant(work: Work, { form, parts }: Node, ids: readonly string[], more: number): string | undefined {
  const { at, ord, n } = parts
  if (form === 'nth' || !at) {
    const place = ord?.number ?? n?.number ?? 0
    return place === 0 || (place < 0 && more > 0) ? undefined : ids.at(place < 0 ? place : place - 1)
  }
  try {
    if (form === 'page') return findPage(work, at).slug
    if (form === 'row') return rowChoice(work, findRow(work, at)).id
    return typedAmong(work, at, ids) ?? findBlock(work, at).id
  } catch (error) {
    if (error instanceof Ask || error instanceof Unfit) return undefined
    throw error
  }
}

/** `the banner` is clear when only one of the choices is a banner, however many are on the page. */
function typedAmong(work: Work, node: Node, ids: readonly string[]): string | undefined {
  const { type, ord, n } = (node.parts['at'] ?? node).parts
  if (!type || ord || n || node.parts['page']) return undefined
  const here = ids.filter((id) => work.draft.page(work.slug)?.blocks.some((block) => block.id === id))
  const found = here.filter((id) => type.names?.includes(blockOf(work, { slug: work.slug, id }).type))
  return found.length === 1 ? found[0] : undefined
}
