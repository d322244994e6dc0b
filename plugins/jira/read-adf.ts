const deepest = 100
const blocks: ReadonlySet<string> = new Set(['paragraph', 'heading', 'codeBlock', 'blockquote', 'rule'])

/**
 * The text of a document in Atlassian Document Format; a string is returned as it is, anything else without text is empty.
 * `withoutQuotes` omits quotations and mentions. Content deeper than 100 levels is omitted.
 */
export function readAdf(document: unknown, { withoutQuotes = false } = {}): string {
  if (typeof document === 'string') return document
  return textOf(document, withoutQuotes, 0).replace(/\n{3,}/g, '\n\n').trim()
}

/** The ids of all people that a document mentions. */
export function mentionsIn(document: unknown, depth = 0): readonly string[] {
  if (!isNode(document) || depth > deepest) return []
  const id = kindOf(document) === 'mention' ? attribute(document, 'id') : ''
  return [...(id === '' ? [] : [id]), ...childrenOf(document).flatMap((child) => mentionsIn(child, depth + 1))]
}

function textOf(node: unknown, withoutQuotes: boolean, depth: number): string {
  if (!isNode(node) || depth > deepest) return ''
  const kind = kindOf(node)
  if (withoutQuotes && (kind === 'blockquote' || kind === 'mention')) return ''
  const inside = (): string => childrenOf(node).map((child) => textOf(child, withoutQuotes, depth + 1)).join('')
  const leaf = leaves[kind]
  if (leaf) return leaf(node)
  if (kind === 'listItem') return `- ${inside().trim()}\n`
  if (kind === 'tableRow') return `${childrenOf(node).map((cell) => textOf(cell, withoutQuotes, depth + 1).trim().replaceAll('\n', ' ')).join(' | ')}\n`
  return blocks.has(kind) ? `${inside()}\n` : inside()
}

type Node = Readonly<Record<string, unknown>>

const leaves: Readonly<Record<string, (node: Node) => string>> = {
  text: (node) => (typeof node['text'] === 'string' ? node['text'] : ''),
  hardBreak: () => '\n',
  mention: (node) => attribute(node, 'text') || attribute(node, 'id'),
  emoji: (node) => attribute(node, 'text') || attribute(node, 'shortName'),
  inlineCard: (node) => attribute(node, 'url'),
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value)
const kindOf = (node: Node): string => (typeof node['type'] === 'string' ? node['type'] : '')
const childrenOf = ({ content }: Node): readonly unknown[] => (Array.isArray(content) ? content : [])

function attribute({ attrs }: Node, name: string): string {
  const value = isNode(attrs) && Object.hasOwn(attrs, name) ? attrs[name] : undefined
  return typeof value === 'string' ? value : ''
}
