/** For a message that no form understands: the nearest sentence that one does, filled with what the message says. */
import { typesNamed } from './names.ts'
import { type ReferenceMatches, listsNamed, readDestination, readField, readItem } from './references.ts'
import { phraseOf, type Tokens } from './tokens.ts'
import { blocksOn, type ItemField, type Item, type PlanState } from './work.ts'

/** Bound the work for one message, in tokens and sentences. */
const longestMessage = 60
const longestPart = 6
const mostTried = 40

const intents = {
  remove: /^(?:remove|delete|drop|hide|erase|eliminate|lose|cut|scrap|kill|rid|away|off|out|gone)$/,
  move: /^(?:move|put|place|shift|bring|push|drag|have|wants?|needs?|get|should|go|goes|comes?|belongs?|sits?|stands?)$/,
  copy: /^(?:duplicate|copy|clone|repeat)$/,
  add: /^(?:add|insert|create|include|put|place|append|need|want|have|get|bring|build|new|another|like|missing)$/,
} as const

/** Words of a request for a new text, and those behind which it stands. */
const setsText = /^(?:set|change|update|rename|call|name|edit|write|say|says|read|reads|be)$/
const beforeText = /^(?:to|as|say|says|read|reads|into|be|:|called|named|titled)$/
/** A section behind these is a place. */
const beforePlace = /^(?:before|above|after|below|under|behind)$/
/** What leaves these stays on the site, which no sentence does. */
const fromMenu = /\b(?:of|from|off) (?:menu|navigation)\b/
const inMenu = /\b(?:in|on) (?:menu|navigation)\b/
const isSwap = /\b(?:swap|switch|exchange)\b.* and\b/
/** A copy of something, which gets no text yet, and not the copy that is its text. */
const isCopy = /\bcop(?:y|ies) of\b|\b(?:duplicate|clone)\b/

/**
 * The first sentence that `works` admits, of those made from the fields, items, places, kinds and texts that a message
 * names. It leaves out no text in quotes, except what a copy is to be called.
 */
export function nearestSentence(
  work: PlanState,
  tokens: Tokens,
  works: (sentence: string) => boolean,
): string | undefined {
  if (tokens.length > longestMessage || fromMenu.test(phraseOf(tokens))) return undefined
  const quoted = isCopy.test(phraseOf(tokens)) ? [] : quotedIn(tokens)
  return [...new Set(sentencesFor(work, tokens))]
    .filter((sentence) => sentence !== work.message && quoted.every((text) => sentence.includes(text)))
    .slice(0, mostTried)
    .find(works)
}

const quotedIn = (tokens: Tokens): readonly string[] =>
  tokens.filter(({ kind }) => kind === 'quoted').map(({ text }) => text)

function sentencesFor(work: PlanState, tokens: Tokens): readonly string[] {
  const parts = phrasesOf(tokens)
  const phrase = phraseOf(tokens)
  const textOf = (part: Tokens): string =>
    work.message.slice(part[0]?.start, part.at(-1)?.end).replace(/^(?:the|an?|my|our) /i, 'the ')
  const elsewhere = parts.find(
    (part) =>
      tokens.some(({ word }, at) => /^(?:on|in)$/.test(word) && tokens[at + 1] === part[0]) &&
      readItem(work, part)?.candidates.some(({ kind, slug }) => kind === 'page' && slug !== work.slug),
  )
  /** What is named beside another page is on that page. */
  const named = (
    read: (work: PlanState, part: Tokens) => ReferenceMatches<Item | ItemField> | undefined,
  ): readonly string[] =>
    elsewhere
      ? parts
          .filter((part) => !part.some((token) => elsewhere.includes(token)) && read(work, part))
          .map((part) => `${textOf(part)} on ${textOf(elsewhere)}`)
      : parts.filter((part) => (read(work, part)?.candidates.length ?? 0) > 0).map(textOf)
  const fields = named(readField)
  const items = named(readItem)
  const places = parts.filter((part) => readDestination(work, part)).map(textOf)
  const movable = named((_, part) => {
    const [first] = part
    const before = first && tokens[tokens.indexOf(first) - 1]
    return beforePlace.test(before?.word ?? '') ? undefined : readItem(work, part)
  })
  const [first, second] = quotedIn(tokens)
  const wants = (intent: keyof typeof intents): boolean =>
    tokens.some(({ word }) => intents[intent].test(word))
  if (isCopy.test(phrase)) return items.map((item) => `Duplicate ${item}`)
  const there = elsewhere ? ` on ${textOf(elsewhere)}` : ''
  const isText = !wants('remove') && !tokens.some(({ kind }) => kind === 'address')
  const value = isText ? (second ?? first ?? unquoted(work, tokens, elsewhere)) : undefined
  const kinds = wants('add') ? parts.filter((part) => isKind(work, part)).map(phraseOf) : []
  return [
    ...(first !== undefined && second !== undefined
      ? ofTwoTexts([first, second], phrase).map((sentence) => sentence + there)
      : exchanged(work, tokens)),
    ...(wants('remove') ? items.map((item) => `Remove ${item}`) : []),
    ...(wants('move') ? movable.flatMap((item) => places.map((place) => `Move ${item} ${place}`)) : []),
    ...(wants('copy') ? items.map((item) => `Duplicate ${item}`) : []),
    ...kinds.flatMap((kind) => [
      ...(first === undefined ? [] : [`Add a ${kind} called "${first}"${withSecond(tokens)}${there}`]),
      ...(elsewhere ? [] : places.map((place) => `Add a ${kind} ${place}`)),
      `Add a ${kind}${there}`,
    ]),
    ...(wants('add') && value !== undefined && tokens.some(({ word }) => word === 'page')
      ? [`Create a page called "${value}"`]
      : []),
    ...(value === undefined ? [] : fields.map((field) => `Change ${field} to "${value}"`)),
    ...(value === undefined || fields.length > 0 ? [] : items.map((item) => `Rename ${item} to "${value}"`)),
    ...(wants('remove') ? fields.map((field) => `Clear ${field}`) : []),
    ...fields.map((field) => `Change ${field}`),
  ]
}

/** Sentences about two texts in quotes. */
function ofTwoTexts([first, second]: readonly [string, string], phrase: string): readonly string[] {
  if (isSwap.test(phrase)) return [`Swap the "${first}" section and the "${second}" section`]
  const label = inMenu.test(phrase) ? [`Rename the ${first} link to "${second}"`] : []
  return [...label, `Change "${first}" to "${second}"`, `Change "${second}" to "${first}"`]
}

/** The second text of a new element, with the word before it, such as `with answer "Yes"`. */
function withSecond(tokens: Tokens): string {
  const [, second] = tokens.filter(({ kind }) => kind === 'quoted')
  const before = second && tokens[tokens.indexOf(second) - 1]
  return before?.kind === 'word' ? ` with ${before.word} "${second?.text}"` : ''
}

/** A text without quotes that is to become another one. */
function exchanged(work: PlanState, tokens: Tokens): readonly string[] {
  const from = tokens.findIndex(({ word }) => /^(?:change|replace|correct|swap)$/.test(word))
  const to = tokens.findIndex(({ word }, at) => at > from && /^(?:to|with|by|into|for)$/.test(word))
  if (from < 0 || to < 0 || tokens.some(({ kind }) => kind === 'quoted')) return []
  const isAll = tokens.at(-1)?.word === 'everywhere'
  const textOf = (part: Tokens): string => work.message.slice(part[0]?.start, part.at(-1)?.end)
  const [old, now] = [
    textOf(tokens.slice(from + 1, to)),
    textOf(tokens.slice(to + 1, isAll ? -1 : undefined)),
  ]
  return old && now ? [`Change "${old}" to "${now}"${isAll ? ' everywhere' : ''}`] : []
}

/** The parts of a message between its signs, the longest first. */
const phrasesOf = (tokens: Tokens): readonly Tokens[] =>
  Array.from({ length: longestPart }, (_, less) => longestPart - less).flatMap((length) =>
    tokens
      .slice(0, tokens.length - length + 1)
      .map((_, at) => tokens.slice(at, at + length))
      .filter(
        (part) => part.every(({ kind }) => kind !== 'sign') && part.some(({ kind }) => kind !== 'quoted'),
      ),
  )

/** The words behind the last word such as "to", without quotes, unless they are a place or name one. */
function unquoted(work: PlanState, tokens: Tokens, elsewhere: Tokens = []): string | undefined {
  if (!tokens.some(({ word }) => setsText.test(word))) return undefined
  const at = tokens.findLastIndex(({ word }) => beforeText.test(word))
  const [first, ...rest] = at > 0 ? tokens.slice(at + 1) : []
  if (!first || readDestination(work, [first, ...rest])) return undefined
  if (rest.some((token) => elsewhere.includes(token))) return undefined
  const text = work.message.slice(first.start, tokens.at(-1)?.end).trim()
  return text.includes('"') ? undefined : text
}

/** Whether words name a kind of section, or of rows on the page, and not "the" section that is there. */
function isKind(work: PlanState, part: Tokens): boolean {
  if (part[0]?.article === 'the' && (readItem(work, part)?.candidates.length ?? 0) > 0) return false
  const noun = phraseOf(part)
  return (
    typesNamed(work.names, noun) !== undefined ||
    listsNamed(work, noun, blocksOn(work, work.slug)) !== undefined
  )
}
