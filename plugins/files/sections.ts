/** A document in sections, which are parsed one by one, and not again while they stay as they are. */
import { containersIn, withoutContainers, type Container } from './containers.ts'
import type { Unreadable } from './outcome.ts'
import { lineAt, type Span } from './ranges.ts'

/** A part of a text from the start of a line. */
export interface SectionText {
  readonly text: string
  /** Of the same length; in it, each container is fenced code. */
  readonly masked: string
  /** By the place in the section where they begin. */
  readonly containers: ReadonlyMap<number, Container>
  /** Whether more follows. */
  readonly isCut: boolean
}

/** The nodes of a section with their places in it; `undefined` if one is still open where the section is cut. */
type Nodes<Node> = readonly Node[] | undefined

/** The sections of a text that was parsed, by what they are. */
export type Sections<Node> = ReadonlyMap<string, Nodes<Node>>

/** The longest section: parsing one holds the process. */
const mostCharacters = 100_000
/** The first character behind an empty line. */
const place = /(?<=\n[ \t]*\r?\n)\S/gu
/** Behind an empty line, this ends all that is open but code, markup and what else has a mark at its end. */
const ending = /(?:#{1,6}[ \t]|\p{L})/uy

/**
 * Parses a text in sections, with a pause behind each. Those that `known` has are taken from there.
 *
 * A section is cut where a parser begins anew: `parse` decides. The text around a place decides which places
 * are tried, so that an edit changes few sections.
 */
export function* inSections<Node extends Span>(
  text: string,
  known: readonly Sections<Node>[],
  parse: (section: SectionText) => Nodes<Node> | Unreadable,
  flavour: { readonly markdoc?: boolean } = {},
): Generator<void, { readonly nodes: readonly Node[]; readonly sections: Sections<Node> } | Unreadable> {
  const containers = containersIn(text, flavour)
  const masked = withoutContainers(text, containers)
  const sections = new Map<string, Nodes<Node>>()
  const nodes: Node[] = []
  let [from, least] = [0, 0]
  for (const to of placesIn(masked)) {
    if (to < text.length && to - from < least) continue
    if (to - from > mostCharacters) return { unreadable: tooLong, line: lineAt(text, from) }
    const section = sectionOf({ from, to })
    const key = `${section.isCut} ${section.masked === section.text ? '' : section.masked}\0${section.text}`
    const source = known.find((each) => each.has(key))
    // A part of the key, as one of the text would hold all of it in memory.
    const found = source ? source.get(key) : parse({ ...section, text: key.slice(from - to) })
    if (found && 'unreadable' in found) return { ...found, line: found.line + lineAt(text, from) - 1 }
    sections.set(key, found)
    // Lengths that double cost twice the last of them.
    if (!found) least = 2 * (to - from)
    else {
      for (const node of found) nodes.push({ ...node, from: node.from + from, to: node.to + from })
      from = to
      least = 0
    }
    yield
  }
  return { nodes, sections }

  function sectionOf({ from, to }: Span): SectionText {
    const inside = containers.filter((each) => each.from >= from && each.to <= to)
    const shifted = ({ from: start, to: end }: Span): Span => ({ from: start - from, to: end - from })
    return {
      text: text.slice(from, to),
      masked: masked.slice(from, to),
      containers: new Map(
        inside.map(({ name, label, inside, ...span }) => [
          span.from - from,
          { name, ...shifted(span), label: shifted(label), inside: shifted(inside) },
        ]),
      ),
      isCut: to < text.length,
    }
  }
}

const tooLong = `This part has more than ${mostCharacters / 1000} KB without a heading or paragraph.`

function* placesIn(text: string): Generator<number> {
  let from = 0
  for (const { index: to } of text.matchAll(place)) {
    ending.lastIndex = to
    if (ending.test(text) || /^(?:heading|paragraph)$/.test(simpleType(text.slice(from, to)) ?? '')) yield to
    from = to
  }
  yield text.length
}

/** The type of the one node in Markdown that a text is, if that is known without a parser. */
export function simpleType(text: string): 'heading' | 'paragraph' | 'list' | undefined {
  const words = text.trimEnd()
  if (/[ \t]/.test(text.charAt(words.length))) return undefined
  if (words.startsWith('#')) return simpleHeading.test(words) ? 'heading' : undefined
  if (simpleList.test(words)) return 'list'
  return simpleParagraph.test(words) ? 'paragraph' : undefined
}

const simpleHeading = /^#{1,6} (?![\s#])[^\r\n]*[^\s#\\]$/
const simpleParagraph = /^\p{L}[^\r\n]*(?:\r?\n\p{L}[^\r\n]*)*$/u
/** Of one mark, without empty lines. */
const simpleList = /^([-*]) [\p{L}[][^\r\n]*(?:\r?\n\1 [\p{L}[][^\r\n]*)*$/u
