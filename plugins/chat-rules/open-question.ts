import * as v from 'valibot'
import type { OpenQuestion, PlanningInput } from '../chat/port.ts'
import { type Answers, attempt, type Attempt } from './attempt.ts'
import { ends } from './frame/parser.ts'
import type { Noun } from './frame/noun.ts'
import { nounsAt, numberAt } from './frame/nouns.ts'
import { languages } from './language/index.ts'
import type { Language } from './language/language.ts'
import { sameWords } from './message/phrases.ts'
import { isConfirmation, isRequest, isText } from './message/replies.ts'
import { cleanMessage } from './message/request.ts'
import { withoutEnd } from './message/tokens.ts'
import { findBlock } from './resolve/blocks.ts'
import { findPage } from './resolve/pages.ts'
import { findRow, rowChoice } from './resolve/rows.ts'
import { type Inquiry, tryTo } from './work/ask.ts'
import type { Work } from './work/work.ts'

/** Stored state of an open question: the answers so far, and the choices. */
const Memory = v.object({
  answers: v.record(v.string(), v.string()),
  key: v.optional(v.string()),
  choices: v.optional(v.array(v.object({ id: v.string(), label: v.string() }))),
  /** Set when the list was cut: its last entry is not the last choice. */
  more: v.optional(v.number()),
  joint: v.optional(v.string()),
  confirms: v.optional(v.string()),
})
type Memory = v.InferOutput<typeof Memory>

/** The state to store for a question; `undefined` when no reply could answer it. */
export function toOpenQuestion(message: string, { key, choices = [], more, joint, suggestions: [confirms] = [] }: Inquiry, answers: Answers): OpenQuestion | undefined {
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

/** An attempt, with the message and the answers that it was made with. */
export interface Answered {
  readonly attempt: Attempt
  readonly message: string
  readonly answers: Answers
}

/** Plans a message as the answer to the open question; `undefined` when it is not an answer. */
export function attemptAnswer({ open, ...asked }: PlanningInput, language: Language): Answered | undefined {
  const memory = open && v.is(Memory, open.memory) ? open.memory : undefined
  if (!open || !memory) return undefined
  const reply = cleanMessage(asked.message)
  const tryWith = (message: string, answers: Answers): Answered => ({ attempt: attempt({ ...asked, message }, language, answers), message, answers })
  if (memory.confirms !== undefined && isConfirmation(reply)) return tryWith(memory.confirms, memory.answers)
  const chosen = memory.key === undefined ? undefined : chosenId(attempt(asked, language).work, memory)
  if (chosen !== undefined && memory.key !== undefined) return tryWith(open.message, { ...memory.answers, [memory.key]: chosen })
  const { joint } = memory
  if (joint === undefined) return undefined
  const answer = startsWith(reply, joint) ? reply.slice(joint.length).trim() : reply
  if (isPlace(joint) ? isRequest(reply) : !isText(answer)) return undefined
  const first = withoutEnd(open.message, /[\s.!?]/)
  const joined = (text: string) => tryWith([first, joint, text].filter(Boolean).join(' '), memory.answers)
  // An answer that starts with a capital or a digit needs no quotes.
  const isUnquotedText = !isPlace(joint) && /^[\p{Lu}\d]/u.test(answer) && !answer.includes('"')
  const tries = [answer, ...(isUnquotedText ? [`"${withoutEnd(answer, /\./)}"`] : [])]
  return tries.values().map(joined).find(({ attempt }) => attempt.kind !== 'failed')
}

/** Whether the question asked for a place rather than a text. */
const isPlace = (joint: string) => languages.some(({ joints: { scope, place, value, name } }) => [scope, place].includes(joint) && ![value, name].includes(joint))

const startsWith = (text: string, word: string) => word !== '' && text.toLowerCase().startsWith(`${word} `)

/** The choice that an answer selects: by number, by label, or by a noun phrase. */
function chosenId(work: Work | undefined, { choices = [], more = 0 }: Memory): string | undefined {
  if (!work) return undefined
  const { parser } = work.context
  const { tokens, message } = parser
  const [only] = tokens
  const text = tokens.length === 1 && only?.kind === 'quoted' ? only.text : message
  const [named, ...others] = choices.filter(({ label }) => sameWords(label, text))
  if (named && others.length === 0) return named.id
  const ids = choices.map(({ id }) => id)
  const at = (place: number) => (place === 0 || (place < 0 && more > 0) ? undefined : ids.at(place < 0 ? place : place - 1))
  const number = tokens.length === 1 ? numberAt(parser, 0) : undefined
  if (number !== undefined) return at(number)
  const word = only?.word ?? ''
  if (tokens.length === 1 && Object.hasOwn(parser.language.ordinals, word)) return at(parser.language.ordinals[word] ?? 0)
  const last = tokens.findLastIndex(({ kind }) => kind !== 'sign') + 1
  const nouns = [0, ...ends(parser, 0, 'in')].flatMap((from) => nounsAt(parser, from)).filter(({ end }) => end === last).toSorted((a, b) => a.cost - b.cost)
  for (const noun of nouns) {
    const id = noun.kind === 'nth' ? at(noun.ord ?? noun.n ?? 0) : resolveChoice(work, noun, ids)
    if (id !== undefined && ids.includes(id)) return id
  }
  return undefined
}

function resolveChoice(work: Work, noun: Noun, ids: readonly string[]): string | undefined {
  const finders = [() => findPage(work, noun).slug, () => rowChoice(work, findRow(work, noun)).id, () => typedAmong(work, noun, ids) ?? findBlock(work, noun).id]
  for (const find of finders) {
    const id = tryTo(find)
    if (typeof id === 'string' && ids.includes(id)) return id
  }
  return undefined
}

/** `the banner` is unambiguous when only one of the choices is a banner. */
function typedAmong(work: Work, { types, ord, n, owner }: Noun, ids: readonly string[]): string | undefined {
  if (!types || ord !== undefined || n !== undefined || owner) return undefined
  const blocks = work.draft.page(work.slug)?.blocks.filter(({ id, type }) => ids.includes(id) && types.includes(type)) ?? []
  return blocks.length === 1 ? blocks[0]?.id : undefined
}
