import { isPlainObject, ownValue, type PlainObject } from '../../content/plain-object.ts'

const deepest = 100
const blocks: ReadonlySet<string> = new Set(['paragraph', 'heading', 'codeBlock', 'blockquote', 'rule'])

/**
 * Returns the text of a document in Atlassian Document Format; a string stays unchanged, and other values
 * without text become empty. `withoutQuotes` omits quotations and mentions. Omits text below 100 levels.
 */
export function readAdf(document: unknown, { withoutQuotes = false } = {}): string {
  if (typeof document === 'string') return document
  return nodeText(document, withoutQuotes, 0)
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

/** Returns the ids of all people whom a document mentions. */
export function mentionsIn(document: unknown, depth = 0): readonly string[] {
  if (!isPlainObject(document) || depth > deepest) return []
  const id = kindOf(document) === 'mention' ? attribute(document, 'id') : ''
  return [
    ...(id === '' ? [] : [id]),
    ...childrenOf(document).flatMap((child) => mentionsIn(child, depth + 1)),
  ]
}

function nodeText(node: unknown, withoutQuotes: boolean, depth: number): string {
  if (!isPlainObject(node) || depth > deepest) return ''
  const kind = kindOf(node)
  if (withoutQuotes && (kind === 'blockquote' || kind === 'mention')) return ''
  const inside = (): string =>
    childrenOf(node)
      .map((child) => nodeText(child, withoutQuotes, depth + 1))
      .join('')
  const leaf = ownValue(leaves, kind)
  if (leaf) return leaf(node)
  if (kind === 'listItem') return `- ${inside().trim()}\n`
  if (kind === 'tableRow')
    return `${childrenOf(node)
      .map((cell) =>
        nodeText(cell, withoutQuotes, depth + 1)
          .trim()
          .replaceAll('\n', ' '),
      )
      .join(' | ')}\n`
  if (blocks.has(kind)) return `${inside()}\n`
  // A status, a date or a picture says something as well.
  const isUnknown = depth > 0 && kind !== '' && !Array.isArray(node['content'])
  return isUnknown ? attribute(node, 'text') || `[${kind}]` : inside()
}

const leaves: Readonly<Record<string, (node: PlainObject) => string>> = {
  text: ({ text, marks }) =>
    typeof text !== 'string'
      ? ''
      : Array.isArray(marks) && marks.some((mark) => isPlainObject(mark) && kindOf(mark) === 'strike')
        ? `~~${text}~~`
        : text,
  hardBreak: () => '\n',
  mention: (node) => attribute(node, 'text') || attribute(node, 'id'),
  emoji: (node) => attribute(node, 'text') || attribute(node, 'shortName'),
  inlineCard: (node) => attribute(node, 'url'),
}

const kindOf = ({ type }: PlainObject): string => (typeof type === 'string' ? type : '')
const childrenOf = ({ content }: PlainObject): readonly unknown[] => (Array.isArray(content) ? content : [])

function attribute({ attrs }: PlainObject, name: string): string {
  const value = isPlainObject(attrs) ? ownValue(attrs, name) : undefined
  return typeof value === 'string' ? value : ''
}
