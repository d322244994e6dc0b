/**
 * Sentences for a message that has a text of the page and the text that replaces it, one of them without
 * quotes.
 */
import { labelOf } from '../../content/fields.ts'
import { numberOf } from './names.ts'
import type { Token, Tokens } from './tokens.ts'
import { blocksOn, filledFields, itemsOf, pagesOf, type PlanState } from './work.ts'

/**
 * What is between a text and its replacement: `Bread is now called Rye`, `every Book button should say
 * Reserve`.
 */
const renamed =
  / (?:(?:is|are)(?: now)? (?:called|named|spelled|written)|should(?: now)? (?:say|read|be(?: called)?)) /

/** What people call a text. */
const ofText = /^(?:buttons?|links?|labels?|headings?|headline|titles?|texts?|now)$/

/** How a text begins that is written without quotes: also a number or a price. */
export const isWritten = /^[\p{Lu}\p{Sc}\d]/u

/** Whether one text can become another one: `Bread should be € 68` says what it costs. */
export const isExchange = (old: string, now: string): boolean =>
  /\d/.test(old) || !/^[\p{Sc}\d.,\s]+$/u.test(now)

/** In words. */
const longestText = 6

/** Sentences of the table of forms, the longest text first. A text is the one of the page, to the letter. */
export function reworded(work: PlanState, tokens: Tokens): readonly string[] {
  return [...contrasts(work, tokens), ...renames(work, tokens)]
}

const textOf = ({ message }: PlanState, part: Tokens): string =>
  message
    .slice(part[0]?.start, part.at(-1)?.end)
    .replace(/^(?:the|an?|my|our) /i, '')
    .replace(/^["“„«]|["”“»]$/g, '')
const change = (old: string, now: string, where = ''): string => `Change "${old}" to "${now}"${where}`

/**
 * Where the text that is to be replaced follows, with the word before it; behind the last token without one.
 */
export const contrastAt = (tokens: Tokens): number => {
  const at = tokens.findIndex(({ word }) => word === 'not' || word === 'instead')
  return at < 0 ? tokens.length : at
}

/**
 * `seven not six`, `January, not December`: the new text has the words of the old one, or is a number too.
 */
function contrasts(work: PlanState, tokens: Tokens): readonly string[] {
  const at = contrastAt(tokens)
  const old = tokens.slice(at + 1).filter(({ word }) => word !== 'of')
  const head = tokens.slice(0, at).filter(({ kind }) => kind !== 'sign')
  if (at < 1 || old.length === 0 || old.length > longestText) return []
  const isOfNumber = ({ kind, word }: Token) => kind === 'number' || numberOf(word) !== undefined
  const isNumber = old.length === 1 && old.every(isOfNumber)
  const number = head.findLast(isOfNumber)
  const now = isNumber ? (number ? [number] : []) : head.slice(-old.length)
  const [before, after] = [textOf(work, old), textOf(work, now)]
  if (now.length !== old.length) return []
  const isText = isNumber || old.length > 1 || /^\p{Lu}/u.test(before)
  return [...options(work, before, after), ...(isText ? [change(before, after)] : [])]
}

/** Settings of the page that are like `before` and can be like `after`. */
function options(work: PlanState, before: string, after: string): readonly string[] {
  const valueOf = (word: string): string => numberOf(word) ?? word.toLowerCase()
  return blocksOn(work, work.slug).flatMap((block) =>
    filledFields(block).flatMap(([name, meta]) =>
      block.props[name] === valueOf(before) && meta.options?.includes(valueOf(after))
        ? [`Change ${labelOf(name, meta).toLowerCase()} of the ${block.name} to ${valueOf(after)}`]
        : [],
    ),
  )
}

function renames(work: PlanState, tokens: Tokens): readonly string[] {
  const found = renamed.exec(work.message.slice(0, work.end))
  if (!found) return []
  const after = work.message.slice(found.index + found[0].length, work.end)
  const now = after.replaceAll('"', '')
  // `Bread should be the last card` is not a new text.
  if (found[0].endsWith(' be ') && !/^["“]/.test(after) && !isWritten.test(after)) return []
  // Another request may follow.
  if (now === after && /\b(?:should|be|is|are)\b/.test(now)) return []
  const head = tokens.filter(({ end }) => end <= found.index)
  const where = /^(?:every|all|each)$/.test(head[0]?.word ?? '') ? ' everywhere' : ''
  const runs = Array.from({ length: longestText }, (_, less) => longestText - less).flatMap((length) =>
    head.slice(0, head.length - length + 1).map((_, from) => head.slice(from, from + length)),
  )
  return (
    runs
      .filter(([first]) => first?.kind === 'quoted' || isWritten.test(first?.text ?? ''))
      // `Tom's card` says something else than `Tom`.
      .filter((run) => head.every(({ start, word }) => start < (run.at(-1)?.end ?? 0) || ofText.test(word)))
      .map((run) => textOf(work, run))
      .filter((old) => !/ (?:say|read|be) $/.test(found[0]) || isWhole(work, old))
      .filter((old) => isExchange(old, now))
      .map((old) => change(old, now, where))
  )
}

/**
 * Whether a section or a row has a text as the whole of a field: only that says something. A page has a
 * title.
 */
const isWhole = (work: PlanState, text: string): boolean =>
  pagesOf(work).every(({ name }) => name !== text) &&
  blocksOn(work, work.slug)
    .flatMap((block) => [block, ...itemsOf(block)])
    .some(({ props }) => Object.values(props).flat(2).includes(text))
