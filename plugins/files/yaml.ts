import {
  CST,
  isAlias,
  isMap,
  isNode,
  isScalar as isScalarNode,
  isSeq,
  parseDocument,
  visit,
  type Document,
  type Node,
  type Pair,
} from 'yaml'
import { endOfLine, lineAt, type Span } from './ranges.ts'
import {
  type Member,
  type ListRow,
  type Scalar,
  type ScalarStyle,
  type Syntax,
  type ValueNode,
} from './value-tree.ts'
import { yamlSpellings, yamlMember, yamlRow } from './yaml-spelling.ts'

/**
 * YAML, of which every value that is not edited keeps its bytes: the document is never printed.
 *
 * Aliases, what they repeat, and values with tags are shown, and not changed.
 */
export const yaml: Syntax = {
  parse(text) {
    const document = parseDocument(text, {
      uniqueKeys: false,
      logLevel: 'silent',
      prettyErrors: false,
      keepSourceTokens: true,
    })
    const [error] = document.errors
    if (error) {
      const reason = error.message.split('\n')[0]?.replace(/[.:]$/, '')
      return { unreadable: `This is not YAML: ${reason}.`, line: lineAt(text, error.pos[0]) }
    }
    const { contents } = document
    const isBlank = !contents || (isScalarNode(contents) && contents.value === null && contents.source === '')
    if (isBlank) return { kind: 'object', layout: 'lines', members: [], from: text.length, to: text.length }
    return createReader(text, document)(contents, false)
  },
  spellings: yamlSpellings,
  member: yamlMember,
  row: yamlRow,
  comment: /(?<=^|\s)#[^\r\n]*/g,
}

const styles: Readonly<Record<string, ScalarStyle>> = {
  QUOTE_SINGLE: 'single',
  QUOTE_DOUBLE: 'double',
  BLOCK_LITERAL: 'literal',
  BLOCK_FOLDED: 'folded',
}

/** Creates a function that returns the tree of a node; what is shared is what an alias repeats. */
function createReader(text: string, document: Document) {
  const repeated = new Set<string>()
  visit(document, { Alias: (_, { source }) => void repeated.add(source) })

  function read(node: Node, isInShared: boolean): ValueNode {
    const span = spanOf(node)
    const fixed = (because: string, value: unknown = text.slice(span.from, span.to)): ValueNode => ({
      ...span,
      kind: 'fixed',
      value,
      because,
    })
    if (isAlias(node)) return fixed('it repeats another value of the file')
    if (hasTag(node)) return fixed('it has a tag')
    const isShared = isInShared || (node.anchor !== undefined && repeated.has(node.anchor))
    if (isMap(node)) {
      const members = node.items.map((pair) => memberOf(pair as Pair<Node, Node | null>, isShared))
      return {
        ...around(span, members, node.flow),
        kind: 'object',
        layout: layoutOf(node, isShared),
        members,
      }
    }
    if (isSeq(node)) {
      const marks = marksOf(node.srcToken)
      const rows = node.items.map((item, n) => rowOf(item as Node, marks[n], isShared))
      return { ...around(span, rows, node.flow), kind: 'list', layout: layoutOf(node, isShared), rows }
    }
    const { value, type = '' } = node as { readonly value?: unknown; readonly type?: string }
    if (typeof value === 'number' && !Number.isFinite(value)) return fixed('JSON has no such number')
    if (isShared) return fixed('other places of the file repeat it', value)
    return { ...span, kind: 'scalar', style: styles[type] ?? 'plain', value: value as Scalar }
  }

  /** Without the line end behind a block. */
  function spanOf({ range }: Pick<Node, 'range'>): Span {
    const [from, to] = range ?? [0, 0]
    return { from, to: from + text.slice(from, to).replace(/\r?\n$/, '').length }
  }

  function memberOf({ key, value, ...pair }: Pair<Node, Node | null>, isShared: boolean): Member {
    const { from, to } = spanOf(key)
    const { srcToken } = pair as { readonly srcToken?: CST.CollectionItem }
    const colon = srcToken?.sep?.find(({ type }) => type === 'map-value-ind')
    const name = isScalarNode(key) ? String(key.value ?? '') : text.slice(from, to)
    const valueFrom = colon ? colon.offset + 1 : to
    const found = value && colon ? read(value, isShared) : undefined
    const isNothing = found?.kind === 'scalar' && found.from === found.to
    const node: ValueNode =
      found && isNothing
        ? // In front of a comment.
          { ...found, from: valueFrom, to: valueFrom }
        : (found ?? {
            kind: 'fixed',
            from: valueFrom,
            to: valueFrom,
            value: null,
            because: 'it has no value',
          })
    return { name, from, to: withComment(Math.max(node.to, valueFrom)), valueFrom, value: node }
  }

  /** The mark is the dash of a row on lines of its own. */
  function rowOf(item: Node, mark: number | undefined, isShared: boolean): ListRow {
    const value = read(item, isShared)
    if (mark === undefined) return { from: value.from, to: value.to, value }
    return { from: mark, to: withComment(Math.max(value.to, mark + 1)), value }
  }

  /** The end of a line if only a comment follows, else the place itself. */
  function withComment(to: number): number {
    const end = endOfLine(text, to)
    return /^[ \t]*(?:[ \t]#.*)?$/.test(text.slice(to, end)) ? end : to
  }
  return read
}

function marksOf(token: CST.Token | undefined): readonly number[] {
  if (token?.type !== 'block-seq') return []
  return token.items.flatMap(({ start }) => start.find(({ type }) => type === 'seq-item-ind')?.offset ?? [])
}

/** Objects and lists have a tag by themselves. */
const hasTag = (node: unknown): boolean =>
  isNode(node) &&
  !isAlias(node) &&
  node.tag !== undefined &&
  !/^tag:yaml.org,2002:(?:map|seq)$/.test(node.tag)

const hasAnchor = (node: unknown): boolean => isNode(node) && !isAlias(node) && node.anchor !== undefined

/** Without what follows the last element of a block. */
const around = (span: Span, elements: readonly Span[], isFlow: boolean | undefined): Span =>
  isFlow ? span : { from: elements[0]?.from ?? span.from, to: elements.at(-1)?.to ?? span.to }

function layoutOf(node: Node & { readonly flow?: boolean }, isShared: boolean) {
  const token = node.srcToken
  const isExplicit =
    token?.type === 'block-map' &&
    token.items.some(({ start }) => start.some(({ type }) => type === 'explicit-key-ind'))
  // What is in front of an element would stay.
  const hasProperties =
    node.flow === true && isSeq(node) && node.items.some((item) => hasTag(item) || hasAnchor(item))
  if (isShared || isExplicit || hasProperties || !node.range) return 'fixed'
  return node.flow ? 'flow' : 'lines'
}
