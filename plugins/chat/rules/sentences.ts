/** Sentences of the forms, made from what a message names. */
import { additions } from './additions.ts'
import { capitalised, isFileSlug, seedFromWords } from '../../content/slugs.ts'
import { numberOf, wordsOf } from './names.ts'
import { readField } from './field-references.ts'
import { readDestination } from './places.ts'
import { pagesNamed, readItem, type ReferenceMatches } from './references.ts'
import { isExchange, isWritten, reworded } from './rewordings.ts'
import { phraseOf, type Tokens } from './tokens.ts'
import { commandIn } from './topics.ts'
import { beforePlace, beforeText, isGoing, quotedIn, type VerbKind, verbs } from './verbs.ts'
import { type ItemField, type Item, type PlanState, textsOf } from './work.ts'

/** In tokens. */
const longestPart = 6

const inMenu = /\b(?:in|on|of) (?:menu|navigation)\b/
const isSwap = /\b(?:swap|switch|exchange)\b.* and\b/
/** A text is behind one of these if it is written like one. */
const beforeTitle = /^(?:to|as|into|be|with|by)$/
/** All sentences that the words of a message may stand for, the most exact first. */
export function sentencesFor(work: PlanState, tokens: Tokens): readonly string[] {
  const first = tokens[0]?.word ?? ''
  const isVerb =
    tokens[0]?.article === undefined &&
    (/^(?:take|put|get|make)$/.test(first) || Object.values(verbs).some((each) => each.test(first)))
  const parts = phrasesOf(isVerb ? tokens.slice(1) : tokens)
  const phrase = phraseOf(tokens)
  const command = commandIn(tokens)
  const wants = (kind: VerbKind): boolean => command.some(({ word }) => verbs[kind].test(word))
  const textOf = (part: Tokens): string =>
    work.message.slice(part[0]?.start, part.at(-1)?.end).replace(/^(?:the|an?|my|our) /i, 'the ')
  const before = ([first]: Tokens): string => (first && tokens[tokens.indexOf(first) - 1]?.word) ?? ''
  const pages = parts.filter((part) => readItem(work, part)?.candidates.some(({ kind }) => kind === 'page'))
  const elsewhere = pages.find(
    (part) =>
      /^(?:on|in)$/.test(before(part)) &&
      readItem(work, part)?.candidates.some(({ slug }) => slug !== work.slug),
  )
  const there = elsewhere ? ` on ${textOf(elsewhere)}` : ''
  /** What is named beside another page is on that page. */
  const named = (read: (work: PlanState, part: Tokens) => ReferenceMatches<Item | ItemField> | undefined) =>
    parts
      .filter((part) => !part.some((token) => elsewhere?.includes(token)))
      .filter((part) => (elsewhere ? read(work, part) : (read(work, part)?.candidates.length ?? 0) > 0))
  const [allFieldParts, itemParts] = [named(readField), named(readItem)]
  // `link to the courses page` is where something links to.
  const fieldParts = allFieldParts.filter((part) => !/^(?:links?|points?)$/.test(part[0]?.word ?? ''))
  // `Tom's card should say` does not mean its title, Tom.
  const untitled = itemParts.filter((part) => {
    const words = ` ${phraseOf(part)} `
    const titles = readItem(work, part)?.candidates.flatMap(textsOf) ?? []
    return titles.every((title) => !words.includes(` ${wordsOf(title)} `))
  })
  const inFull = (part: Tokens): string => textOf(part) + there
  const [fields, items, unnamed] = [fieldParts.map(inFull), itemParts.map(inFull), untitled.map(inFull)]
  const places = parts.filter((part) => readDestination(work, part)).map(textOf)
  const [quoted, second] = quotedIn(tokens)
  const titled = quoted === undefined ? [] : ['section', 'entry'].map((kind) => `the "${quoted}" ${kind}`)
  // `an FAQ` is a new one.
  const movable = itemParts.filter(
    (part) =>
      !/^an?$/.test(part[0]?.article ?? '') &&
      !/^(?:before|above|after|below|under|behind)$/.test(before(part)),
  )
  // What is removed from it is a part of it.
  const removable = itemParts.filter((part) => !/^(?:from|in)$/.test(before(part)))
  const targets = [
    ...tokens.filter(({ kind }) => kind === 'address' || kind === 'route').map(({ text }) => text),
    ...pages.filter((part) => /^(?:to|at)$/.test(before(part))).map(textOf),
  ]
  const hasTarget = tokens.some(({ kind }) => kind === 'address')
  const given = second ?? (isReplaced(tokens) ? undefined : quoted)
  const value = hasTarget ? undefined : (given ?? unquoted(work, tokens, elsewhere))
  const owned = fieldParts.flatMap((field) =>
    itemParts
      .filter((item) => !item.some((token) => field.includes(token)))
      .map((item) => `${textOf(field)} of ${textOf(item)}${there}`),
  )
  const isOther = (['clear', 'move', 'copy', 'add'] as const).some(wants)
  const numbers = tokens.filter(({ word }) => numberOf(word) !== undefined).map(({ word }) => word)
  return [
    ...(quoted !== undefined && second !== undefined
      ? ofTwoTexts([quoted, second], phrase).map((each) => each + there)
      : [...exchanged(work, tokens), ...(isOther ? [] : reworded(work, tokens))]),
    ...(wants('copy') ? copies(items, pages.map(textOf), isFileSlug(work.slug) ? undefined : quoted) : []),
    ...(wants('remove') || isGoing.test(phrase) ? removable.map((part) => `Remove ${inFull(part)}`) : []),
    ...[...movable.map(textOf), ...titled].flatMap((item) =>
      places.map((place) => `Move ${item}${there} ${place}`),
    ),
    ...additions(work, tokens, parts, { there, places, before, value }),
    ...(inMenu.test(phrase)
      ? menuEntries(work, parts, { pages: pages.map(textOf), places, name: quoted ?? menuName(work) })
      : []),
    ...(value === undefined || !/\banswer\b/.test(phrase)
      ? []
      : items.map((item) => `Change the answer of ${item} to "${value}"`)),
    ...forGoogle(phrase, quoted),
    ...[...fields, ...owned].flatMap((field) => settings(field, targets, value, numbers)),
    ...targets.flatMap((target) => items.map((item) => `Link the button of ${item} to ${target}`)),
    ...(/\b(?:left|right)\b/.test(phrase)
      ? [...fields, ...owned].map(
          (field) => `Move ${field} to the ${/\bleft\b/.test(phrase) ? 'left' : 'right'}`,
        )
      : []),
    ...(value === undefined || !/\b(?:rename|call|name|title)(?:d|ed)?\b/.test(phrase)
      ? []
      : items.map((item) => `Rename ${item} to "${value}"`)),
    ...(value === undefined || !/\b(?:says?|reads?)\b/.test(phrase)
      ? []
      : unnamed.map((item) => `Change ${item} to "${capitalised(value.replace(/^that /, ''))}"`)),
    ...(wants('clear') || isGoing.test(phrase) ? [...fields, ...owned].map((field) => `Clear ${field}`) : []),
    ...[...owned, ...fields].map((field) => `Change ${field}`),
  ]
}

/** A field with an address, a text or a number. */
const settings = (
  field: string,
  targets: readonly string[],
  value: string | undefined,
  numbers: readonly string[],
): readonly string[] => [
  ...targets.map((target) => `Link ${field} to ${target}`),
  ...(value === undefined ? [] : [`Change ${field} to "${value}"`]),
  ...numbers.map((number) => `Change ${field} to ${number}`),
]

/** Whether a text in quotes is the one to be changed: `change "Book" in the headline`. */
const isReplaced = (tokens: Tokens): boolean =>
  tokens.some(
    ({ kind }, at) =>
      kind === 'quoted' &&
      /^(?:change|update|edit|replace|correct|fix)$/.test(tokens[at - 1]?.word ?? '') &&
      /^(?:in|of|from|on)$/.test(tokens[at + 1]?.word ?? ''),
  )

/** Copies: to a page, or of a page with a name. */
const copies = (items: readonly string[], pages: readonly string[], name = ''): readonly string[] =>
  items.flatMap((item) => [
    ...pages.filter((page) => page !== item).map((page) => `Duplicate ${item} to ${page}`),
    `Duplicate ${item}`,
    ...(name === ''
      ? []
      : [`Duplicate ${item} to /${seedFromWords(name)} and rename /${seedFromWords(name)} to "${name}"`]),
  ])

/** The label and the place of a page in the menu, where a title alone names a page. */
function menuEntries(
  work: PlanState,
  parts: readonly Tokens[],
  { pages, places, name }: { pages: readonly string[]; places: readonly string[]; name: string | undefined },
): readonly string[] {
  const titled = parts
    .filter((part) => pagesNamed(work, phraseOf(part)).length > 0)
    .map((part) => `the ${part.map(({ text }) => text).join(' ')} page`)
  return [...pages, ...titled].flatMap((page) => [
    ...places.map((place) => `Move ${page} ${place} in the menu`),
    ...(name === undefined ? [] : [`Call ${page} "${name}" in the menu`]),
  ])
}

/** The new name of a page in `rename Team to Our people in the menu`. */
const menuName = ({ message }: PlanState): string | undefined =>
  /\b(?:rename|call)\b.* (?:to|as) (\p{Lu}[^"]*?) (?:in|on) (?:the )?(?:menu|navigation)\W*$/iu.exec(
    message,
  )?.[1]

/** What search engines show of the page. */
const forGoogle = (phrase: string, quoted: string | undefined): readonly string[] =>
  quoted === undefined || !/\b(?:google|search engines?|search results?)\b/.test(phrase)
    ? []
    : ['title', 'description'].map((name) => `Change the ${name} for Google to "${quoted}"`)

/** Sentences about two texts in quotes. */
function ofTwoTexts([first, second]: readonly [string, string], phrase: string): readonly string[] {
  if (isSwap.test(phrase))
    return ['section', 'entry'].map((kind) => `Swap the "${first}" ${kind} and the "${second}" ${kind}`)
  const [where] = inMenu.exec(phrase) ?? []
  if (where !== undefined) return [`Rename the page "${first}" to "${second}" ${where}`]
  const isReversed = / instead of /.test(phrase.split(first.toLowerCase()).slice(1).join(' '))
  return [isReversed ? `Change "${second}" to "${first}"` : `Change "${first}" to "${second}"`]
}

/** A text without quotes that is to become another one. */
function exchanged(work: PlanState, tokens: Tokens): readonly string[] {
  const from = tokens.findIndex(({ word }) => /^(?:change|replace|correct)$/.test(word))
  const to = tokens.findIndex(({ word }, at) => at > from && /^(?:to|with|by|into|for)$/.test(word))
  if (from < 0 || to < 0 || tokens.some(({ kind }) => kind === 'quoted')) return []
  const isAll = tokens.at(-1)?.word === 'everywhere'
  const textOf = (part: Tokens): string => work.message.slice(part[0]?.start, part.at(-1)?.end)
  const [old, now] = [
    textOf(tokens.slice(from + 1, to)),
    textOf(tokens.slice(to + 1, isAll ? -1 : undefined)),
  ]
  // `Change the opening hours` names what is to change, and is not its text.
  if (!isExchange(old, now)) return []
  const isText = tokens[from]?.word !== 'change' || isWritten.test(old)
  const readings = [readItem, readField]
  const isThere = (part: Tokens) =>
    /^(?:menu|navigation)$/.test(phraseOf(part)) ||
    readings.some((read) => (read(work, part)?.candidates.length ?? 0) > 0)
  // `Tuesdays in the banner` is a text and its place.
  const place = tokens.findIndex(
    ({ word }, at) => at > to && /^(?:in|on|of|from)$/.test(word) && isThere(tokens.slice(at + 1)),
  )
  if (place < 0)
    return old && now && isText ? [`Change "${old}" to "${now}"${isAll ? ' everywhere' : ''}`] : []
  const isOne = /^(?:in|on)$/.test(tokens[place]?.word ?? '') && !isThere(tokens.slice(from + 1, to))
  const by = textOf(tokens.slice(to + 1, place))
  return old && by && isOne ? [`Change "${old}" to "${by}" in ${textOf(tokens.slice(place + 1))}`] : []
}

/** The parts of a message between its signs, the longest first. */
const phrasesOf = (tokens: Tokens): readonly Tokens[] =>
  Array.from({ length: longestPart }, (_, less) => longestPart - less).flatMap((length) =>
    tokens
      .slice(0, tokens.length - length + 1)
      .map((_, at) => tokens.slice(at, at + length))
      .filter(
        (part) =>
          part.every(({ kind }) => kind !== 'sign') &&
          part.some(({ kind }) => kind !== 'quoted') &&
          !beforePlace.test(part.at(-1)?.word ?? ''),
      ),
  )

const isPolite = /^\W*(?:can|could|would|will|may|should|shall|might)\b/i

/** The words behind the last word such as "say", without quotes, unless they are a place or name one. */
function unquoted(work: PlanState, tokens: Tokens, elsewhere: Tokens = []): string | undefined {
  // Two such words are two wishes.
  if (tokens.filter(({ word }) => beforeText.test(word)).length > 1) return undefined
  const at = tokens.findLastIndex(({ word }) => beforeText.test(word) || beforeTitle.test(word))
  const [first, ...rest] = at > 0 ? tokens.slice(at + 1) : []
  if (!first || readDestination(work, [first, ...rest]) || rest.some((token) => elsewhere.includes(token)))
    return undefined
  // `is called Rye now`
  const isNow = /^(?:called|named|titled)$/.test(tokens[at]?.word ?? '') && tokens.at(-1)?.text === 'now'
  const text = work.message.slice(first.start, tokens.at(isNow ? -2 : -1)?.end).trim()
  const isText = beforeText.test(tokens[at]?.word ?? '') || isWritten.test(text)
  // The question mark of a request belongs to the request.
  const isAsked = work.message.slice(work.end).trim().startsWith('?') && !isPolite.test(work.message)
  return text.includes('"') || !isText ? undefined : `${text}${isAsked ? '?' : ''}`
}
