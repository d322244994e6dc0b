/**
 * Parsers that find the literal texts of templates. Those of frameworks come from the packages of the
 * project.
 */
import { isPlainObject } from '../content/plain-object.ts'
import { expressionsIn } from './code.ts'
import { htmlTokens } from './html-tokens.ts'
import { lineAt } from './ranges.ts'
import { namesText } from './string-literals.ts'
import { isEdited, type TemplateParser, type TemplateText, type TextKind } from './template.ts'

/** Their addresses load code, or lead the page itself elsewhere. */
export const loading: ReadonlySet<string> = new Set([
  'script',
  'iframe',
  'object',
  'embed',
  'link',
  'base',
  'form',
  'frame',
  'use',
  'Script',
])

/** Pairs of tags whose content is not markup. */
const closed =
  /\{%-?\s*(?:comment|raw|verbatim|schema|javascript|stylesheet|highlight|js|css|end(?:comment|raw|verbatim|schema|javascript|stylesheet|highlight|js|css))\b/g

/** In place of an expression, so that places stay; a character for private use. */
const filler = '\uE000'
/** Also in JSON or JavaScript, which Eleventy reads. */
const frontMatter = /^\uFEFF?---\w*[ \t]*\r?\n[^]*?^---[ \t]*$/m

/** HTML, also with expressions of Nunjucks, Liquid and the like, which are not texts. */
export const htmlTexts: TemplateParser = (text) => {
  const masked = withoutExpressions(text.replace(frontMatter, (part) => filler.repeat(part.length)))
  return htmlTokens(masked).flatMap((token): readonly TemplateText[] => {
    if (token.kind === 'text') return piecesOf(masked, token.from, token.to)
    if (token.kind !== 'tag') return []
    return token.attributes.flatMap(({ name, from, to }) => {
      const raw = masked.slice(from, to)
      if (!isEdited(name) || raw.includes(filler)) return []
      if (loading.has(token.name) && (name === 'href' || name === 'src')) return []
      const lead = /^[^=]*=\s*(["']?)/.exec(raw)
      if (!lead) return []
      return [{ kind: name, from: from + lead[0].length, to: to - (lead[1]?.length ?? 0) }]
    })
  })
}

/** A text of the same length in which nothing is an expression, or is in a pair of tags for code. */
function withoutExpressions(text: string): string {
  const tags = [...text.matchAll(closed)]
  const pairs = tags.flatMap(({ 0: tag, index: from }, n) => {
    const next = tags[n + 1]
    const isPair = next !== undefined && !tag.includes('end') && next[0].includes('end')
    return isPair ? [{ from, to: next.index }] : []
  })
  const spans = [...pairs, ...['{{', '{%', '{#', '<%'].flatMap((open) => expressionsIn(text, open))]
  const pieces: string[] = []
  let at = 0
  for (const { from, to } of spans.toSorted((a, b) => a.from - b.from)) {
    if (to <= at) continue
    pieces.push(text.slice(at, Math.max(at, from)), filler.repeat(to - Math.max(at, from)))
    at = to
  }
  return pieces.join('') + text.slice(at)
}

/** The texts between expressions. */
function piecesOf(text: string, from: number, to: number): readonly TemplateText[] {
  return [...text.slice(from, to).matchAll(/[^\uE000]+/g)].map(({ index, 0: piece }) => ({
    kind: 'text',
    from: from + index,
    to: from + index + piece.length,
  }))
}

/** A node of a syntax tree, as ESTree, Babel and Oxc have it. */
interface SyntaxNode {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [key: string]: unknown
}

const isNode = (value: unknown): value is SyntaxNode =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'

/**
 * JSX, by a parser whose tree is that of ESTree or Babel; an error of the parser makes the file unreadable.
 *
 * Its places may count bytes. What is not at its place is left out.
 */
export function jsxTexts(parse: (text: string) => unknown): TemplateParser {
  return (text) =>
    readable(text, () => {
      const found: FoundText[] = []
      walk(text, parse(text), '', found)
      const isThere = ({ raw, from }: FoundText): boolean => text.startsWith(raw, from)
      const indexAt = found.every(isThere) ? (from: number) => from : indexOfByte(text)
      const placed = found.map((each) => ({ ...each, from: indexAt(each.from) })).filter(isThere)
      return placed
        .map(({ kind, raw, from }): TemplateText => {
          if (kind === 'text') return { kind, from, to: from + raw.length }
          return { kind, from: from + 1, to: from + raw.length - 1, quote: raw[0] }
        })
        .toSorted((a, b) => a.from - b.from)
    })
}

/** A text as a parser has it, with its quotes. */
interface FoundText {
  readonly kind: TextKind
  readonly raw: string
  readonly from: number
}

/** Returns a function from a place in bytes to one in UTF-16 code units. */
export function indexOfByte(text: string): (byte: number) => number {
  const indices = new Map<number, number>()
  let [byte, index] = [0, 0]
  for (const character of text) {
    indices.set(byte, index)
    byte += Buffer.byteLength(character)
    index += character.length
  }
  return (place) => indices.get(place) ?? text.length
}

/** Returns what is found, or the error of a parser as the reason why a text cannot be read. */
export function readable(text: string, find: () => readonly TemplateText[]): ReturnType<TemplateParser> {
  try {
    return find()
  } catch (error) {
    if (error instanceof RangeError) throw error
    const { message = 'it is not code', ...place } = (error ?? {}) as ParseError
    const line = (place.loc ?? place.start)?.line ?? (place.pos === undefined ? 1 : lineAt(text, place.pos))
    return { unreadable: `This cannot be parsed: ${message.split('\n')[0]?.replace(/\.$/, '')}.`, line }
  }
}

/** What parsers throw. */
interface ParseError {
  readonly message?: string
  readonly pos?: number
  readonly loc?: { readonly line: number }
  readonly start?: { readonly line: number }
}

/** Elements whose content is code. */
export const isCode = (element: string): boolean => element === 'script' || element === 'style'

function walk(text: string, value: unknown, element: string, found: FoundText[]): void {
  if (Array.isArray(value)) for (const each of value) walk(text, each, element, found)
  if (!isNode(value)) return
  const opening = value.type === 'JSXElement' ? value['openingElement'] : undefined
  const name = isNode(opening) ? nameOf(opening['name']) : element
  if (value.type === 'JSXText' && !isCode(name))
    found.push({ kind: 'text', raw: rawOf(value, text), from: value.start })
  if (value.type === 'JSXAttribute') {
    const attribute = nameOf(value['name'])
    const literal = value['value']
    const raw = isNode(literal) ? rawOf(literal, text) : ''
    const isLoading = loading.has(name) && (attribute === 'href' || attribute === 'src')
    if (isNode(literal) && /^["']/.test(raw) && isEdited(attribute) && !isLoading)
      found.push({ kind: attribute, raw, from: literal.start })
  }
  const literal = value['computed'] === true ? undefined : namedLiteral(value)
  const raw = literal && stringOf(literal, text)
  if (literal && raw !== undefined) found.push({ kind: 'string', raw, from: literal.start })
  for (const [key, each] of Object.entries(value)) if (key !== 'parent') walk(text, each, name, found)
}

/** What a node is in the text, as its parser says, if it does. */
function rawOf({ raw, extra, start, end }: SyntaxNode, text: string): string {
  const own = raw ?? (isPlainObject(extra) ? extra['raw'] : undefined)
  return typeof own === 'string' ? own : text.slice(start, end)
}

const nameOf = (node: unknown): string =>
  isNode(node) && typeof node['name'] === 'string' ? node['name'] : ''

/** The value of a property or variable whose name says that it is a text. */
function namedLiteral({ type, key, value, id, init }: SyntaxNode): SyntaxNode | undefined {
  const [name, node] = /^(?:Object)?Property$/.test(type) ? [key, value] : [id, init]
  const quoted = isNode(name) ? name['value'] : undefined
  return isNode(node) && namesText(nameOf(name) || String(quoted)) ? node : undefined
}

/** A string with its quotes; of a template only one without expressions. */
function stringOf(node: SyntaxNode, text: string): string | undefined {
  const { type, quasis } = node
  if (type !== 'TemplateLiteral') {
    const raw = /^(?:String)?Literal$/.test(type) ? rawOf(node, text) : ''
    return /^["']/.test(raw) ? raw : undefined
  }
  const [only, ...others] = Array.isArray(quasis) ? quasis : []
  const raw: unknown = isPlainObject(only?.value) ? only.value['raw'] : undefined
  return others.length === 0 && typeof raw === 'string' ? `\`${raw}\`` : undefined
}

/** What is used of TypeScript up to version 6, which a project has; later ones parse in another process. */
export interface TypeScriptParser {
  createSourceFile(
    name: string,
    text: string,
    target: number,
    setParents: boolean,
    kind: number,
  ): TypeScriptNode
  forEachChild(node: TypeScriptNode, visit: (node: TypeScriptNode) => void): void
  readonly SyntaxKind: Readonly<Record<SyntaxName, number>>
  readonly ScriptTarget: { readonly Latest: number }
  readonly ScriptKind: { readonly TS: number; readonly TSX: number }
}

type SyntaxName =
  | 'JsxText'
  | 'JsxAttribute'
  | 'PropertyAssignment'
  | 'VariableDeclaration'
  | 'StringLiteral'
  | 'NoSubstitutionTemplateLiteral'

interface TypeScriptNode {
  readonly kind: number
  readonly pos: number
  readonly end: number
  readonly parent?: TypeScriptNode
  readonly name?: TypeScriptNode
  readonly tagName?: TypeScriptNode
  readonly openingElement?: TypeScriptNode
  readonly initializer?: TypeScriptNode
  /** What the parser could not read. */
  readonly parseDiagnostics?: readonly { readonly messageText: unknown; readonly start?: number }[]
  getStart(): number
  getText(): string
}

/** JSX, or code without it, by TypeScript's own parser. */
export function typeScriptTexts(typescript: TypeScriptParser, hasJsx = true): TemplateParser {
  const { SyntaxKind, ScriptTarget, ScriptKind } = typescript
  const [name, script] = hasJsx ? ['page.tsx', ScriptKind.TSX] : ['page.ts', ScriptKind.TS]
  const strings = [SyntaxKind.StringLiteral, SyntaxKind.NoSubstitutionTemplateLiteral]
  const named = [SyntaxKind.PropertyAssignment, SyntaxKind.VariableDeclaration]
  return (text) => {
    const source = typescript.createSourceFile(name, text, ScriptTarget.Latest, true, script)
    const [problem] = source.parseDiagnostics ?? []
    if (problem) {
      const { messageText, start = 0 } = problem
      return { unreadable: `This cannot be parsed: ${String(messageText)}`, line: lineAt(text, start) }
    }
    const found: TemplateText[] = []
    const visit = (node: TypeScriptNode): void => {
      const tag = node.parent?.openingElement?.tagName?.getText() ?? ''
      if (node.kind === SyntaxKind.JsxText && !isCode(tag))
        found.push({ kind: 'text', from: node.pos, to: node.end })
      const literal = node.initializer
      if (node.kind === SyntaxKind.JsxAttribute && literal?.kind === SyntaxKind.StringLiteral) {
        const kind = node.name?.getText() ?? ''
        const element = node.parent?.parent?.tagName?.getText() ?? ''
        const isLoading = loading.has(element) && (kind === 'href' || kind === 'src')
        if (isEdited(kind) && !isLoading)
          found.push({ kind, from: literal.getStart() + 1, to: literal.end - 1 })
      }
      const own = node.name?.getText().replace(/^["']|["']$/g, '') ?? ''
      if (named.includes(node.kind) && literal && strings.includes(literal.kind) && namesText(own)) {
        const from = literal.getStart()
        found.push({ kind: 'string', from: from + 1, to: literal.end - 1, quote: text[from] })
      }
      typescript.forEachChild(node, visit)
    }
    visit(source)
    return found
  }
}
