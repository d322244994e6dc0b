/** Sentences that add a section, a row or a page. */
import { capitalised } from '../../content/slugs.ts'
import { typesNamed } from './names.ts'
import { listsNamed, readItem } from './references.ts'
import { phraseOf, type Token, type Tokens } from './tokens.ts'
import { commandIn, topicOfNew } from './topics.ts'
import { beforePlace, quotedIn, verbs, wantsMore } from './verbs.ts'
import { blocksOn, type PlanState } from './work.ts'

interface Around {
  readonly value: string | undefined
  readonly there: string
  readonly places: readonly string[]
  readonly before: (part: Tokens) => string
}

/** New sections, rows and pages. */
export function additions(
  work: PlanState,
  tokens: Tokens,
  parts: readonly Tokens[],
  { there, places, before, value }: Around,
): readonly string[] {
  const isAdded = ({ word, article }: Token) =>
    verbs.add.test(word) || wantsMore.test(word) || article === 'new'
  if (!commandIn(tokens).some(isAdded)) return []
  const isText =
    byAuthor(work, tokens) === '' && tokens.some(({ word }) => /^(?:says|saying|reads)$/.test(word))
  const isCalled = tokens.some(({ word }) => /^(?:called|named|titled|:)$/.test(word))
  const stated = isText ? value && capitalised(value) : isCalled ? value : undefined
  const title = quotedIn(tokens)[0] ?? stated
  const added = parts
    .filter((part) => !beforePlace.test(before(part)) || isKind(tokens, part))
    .flatMap((part) => kindIn(work, part) ?? plainKind(tokens, part) ?? [])
  const pageAtToken = tokens.findIndex(({ word }) => word === 'page')
  const behind = tokens.slice(pageAtToken + 1)
  const isNamed = /^(?:for|about|called|named|titled|on|:)$/.test(behind[0]?.word ?? '')
  const named = isNamed ? behind[1] : behind[0]
  const isName = pageAtToken >= 0 && (isNamed || /^\p{Lu}/u.test(named?.text ?? ''))
  const name = isName && named ? work.message.slice(named.start, behind.at(-1)?.end) : undefined
  const pageTitle = title ?? (name && capitalised(name.replace(/^(?:the|an?|my|our) /i, '')))
  return [
    ...added.flatMap((kind) => [
      ...(title === undefined
        ? []
        : [
            ...(there === '' ? places.map((place) => `Add a ${kind} called "${title}" ${place}`) : []),
            `Add a ${kind} called "${title}"${withSecond(tokens)}${byAuthor(work, tokens)}${there}`,
          ]),
      ...(there === '' ? places.map((place) => `Add an empty ${kind} ${place}`) : []),
      `Add an empty ${kind}${there}`,
    ]),
    ...(pageAtToken >= 0 && pageTitle !== undefined && !pageTitle.includes('"')
      ? [`Create a page called "${pageTitle}"`]
      : []),
  ]
}

/** Whether words name the kind of a section: `a section with frequently asked questions`. */
const isKind = (tokens: Tokens, [first]: Tokens): boolean => {
  const at = first ? tokens.indexOf(first) : 0
  return /^(?:section|block) (?:with|of|for)$/.test(phraseOf(tokens.slice(Math.max(0, at - 2), at)))
}

/** A section of which only the topic is stated is one of text. */
const plainKind = (tokens: Tokens, part: Tokens): string | undefined =>
  /^(?:section|block|paragraph|text)$/.test(phraseOf(part)) &&
  part[0]?.article !== 'the' &&
  topicOfNew(tokens).length > 0
    ? 'text section'
    : undefined

/** The name behind `by` or `from`, which ends at a sign. */
function byAuthor(work: PlanState, tokens: Tokens): string {
  const at = tokens.findIndex(({ word }) => word === 'by' || word === 'from')
  const behind = tokens.slice(at + 1)
  const end = behind.findIndex(({ kind, text }) => kind !== 'word' || !/^\p{Lu}/u.test(text))
  const name = end < 0 ? behind : behind.slice(0, end)
  const isName = at >= 0 && name.length > 0 && behind[end]?.kind !== 'word'
  return isName ? ` by "${work.message.slice(name[0]?.start, name.at(-1)?.end)}"` : ''
}

/** The second text of a new element, with the word before it, such as `with answer "Yes"`. */
function withSecond(tokens: Tokens): string {
  const [, second] = tokens.filter(({ kind }) => kind === 'quoted')
  const before = second && tokens[tokens.indexOf(second) - 1]
  return before?.kind === 'word' ? ` with ${before.word} "${second?.text}"` : ''
}

/** What words name as a kind of section, or of rows on the page; not "the" section that is there. */
function kindIn(work: PlanState, part: Tokens): string | undefined {
  if (part[0]?.article === 'the' && (readItem(work, part)?.candidates.length ?? 0) > 0) return undefined
  const noun = phraseOf(part)
  if (listsNamed(work, noun, blocksOn(work, work.slug))) return noun
  if (typesNamed(work.names, noun) === undefined) return undefined
  const name = part.map(({ text }) => text).join(' ')
  return name.endsWith('s') ? `${name} section` : name
}
