/** Markdown as a tree of nodes with places. */
import { directiveFromMarkdown } from 'mdast-util-directive'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { mdxFromMarkdown } from 'mdast-util-mdx'
import { directive } from 'micromark-extension-directive'
import { gfm } from 'micromark-extension-gfm'
import { mdxjs } from 'micromark-extension-mdxjs'
import { htmlCode, isUnsafeAddress } from './code.ts'
import type { Unreadable } from './outcome.ts'
import type { Span } from './ranges.ts'

type Root = ReturnType<typeof fromMarkdown>

/** A node of any kind, except for the root. */
export type MarkdownNode = Root['children'][number]
export type NodeOf<Type extends MarkdownNode['type']> = Extract<MarkdownNode, { type: Type }>

/** What a project adds to Markdown. */
export interface Flavour {
  readonly mdx?: boolean
  /** Whether `:name` and `::name` are directives. */
  readonly directives?: boolean
  /** Whether `{% name %}` and `{% /name %}` on lines of their own are the marks of a container. */
  readonly markdoc?: boolean
  /** Whether MDX has ids of headings in braces and comments of HTML, as Docusaurus allows. */
  readonly hasOldSyntax?: boolean
}

/** Parses Markdown as GitHub writes it, with what the flavour adds. MDX may be unreadable. */
export function parseMarkdown(text: string, flavour: Flavour): readonly MarkdownNode[] | Unreadable {
  try {
    const shown = flavour.hasOldSyntax ? withoutOldSyntax(text) : text
    return fromMarkdown(shown, extensionsOf(flavour)).children
  } catch (error) {
    const { reason, line = 1 } = error as { readonly reason?: string; readonly line?: number }
    if (reason === undefined) throw error
    return { unreadable: `This is not MDX: ${reason.replace(/\.$/, '')}.`, line }
  }
}

/** Returns a text of the same length without what only the first version of MDX knew. */
function withoutOldSyntax(text: string): string {
  return text
    .replaceAll(/^#{1,6} [^\n]*/gm, withoutId)
    .replaceAll(/<!--([^]*?)-->/g, (_, inside: string) => `{/* ${inside.replaceAll('*/', '* ')}*/}`)
}

/** Returns a heading with its id in parentheses, which MDX reads as text. */
function withoutId(heading: string): string {
  const shown = heading.trimEnd()
  const at = shown.lastIndexOf('{#')
  const id = shown.slice(at + 1, -1)
  if (at === -1 || !shown.endsWith('}') || /[{}]/.test(id)) return heading
  return `${heading.slice(0, at)}(${id})${heading.slice(shown.length)}`
}

/** A paragraph, if nothing in front of it is open. */
const probe = 'x'

/** Parses a text that goes on behind its end; `undefined` if what goes on there is part of its last node. */
export function parseCut(text: string, flavour: Flavour): readonly MarkdownNode[] | undefined {
  const nodes = parseMarkdown(text + probe, flavour)
  if ('unreadable' in nodes) return undefined
  const last = nodes.at(-1)
  return last?.type === 'paragraph' && spanOf(last).from === text.length ? nodes.slice(0, -1) : undefined
}

/** Addresses without marks change no node, and are half of what a parser prepares for each text. */
function withoutAutolinks({ text = {}, ...others }: ReturnType<typeof gfm>): ReturnType<typeof gfm> {
  const remaining = Object.entries(text).flatMap(([code, constructs]) => {
    const left = [constructs ?? []].flat().filter(({ name = '' }) => !name.endsWith('Autolink'))
    return left.length > 0 ? [[code, left]] : []
  })
  return { ...others, text: Object.fromEntries(remaining) }
}

type Extensions = Exclude<Parameters<typeof fromMarkdown>[1], string | null | undefined>
const extensions = new Map<string, Extensions>()

function extensionsOf({ mdx = false, directives = false }: Flavour): Extensions {
  const key = `${mdx} ${directives}`
  const known = extensions.get(key)
  if (known) return known
  const made: Extensions = {
    extensions: [withoutAutolinks(gfm()), ...(mdx ? [mdxjs()] : []), ...(directives ? [directive()] : [])],
    mdastExtensions: [
      ...gfmFromMarkdown().map((each) => ({ ...each, transforms: [] })),
      ...(mdx ? mdxFromMarkdown() : []),
      ...(directives ? [directiveFromMarkdown()] : []),
    ],
  }
  extensions.set(key, made)
  return made
}

/** The place of a node. */
export const spanOf = ({ position }: MarkdownNode): Span => ({
  from: position?.start.offset ?? 0,
  to: position?.end.offset ?? 0,
})

/** What a node makes machines do: its markup, its expressions, its components and unsafe addresses. */
export function markdownCode(node: MarkdownNode): ReadonlySet<string> {
  const found = new Set<string>()
  visit(node)
  return found

  function visit(node: MarkdownNode): void {
    if (node.type === 'html') for (const each of htmlCode(node.value)) found.add(each)
    if (node.type === 'mdxjsEsm' || node.type === 'mdxFlowExpression' || node.type === 'mdxTextExpression')
      found.add(`{${node.value}}`)
    if (node.type === 'mdxJsxFlowElement' || node.type === 'mdxJsxTextElement') {
      found.add(`<${node.name ?? ''}>`)
      for (const attribute of node.attributes) {
        const { value } = attribute
        if (attribute.type === 'mdxJsxExpressionAttribute') found.add(`{${attribute.value}}`)
        else if (typeof value === 'object' && value) found.add(`${attribute.name}={${value.value}}`)
        else found.add(`<${node.name ?? ''} ${attribute.name}>`)
        if (typeof value === 'string' && isUnsafeAddress(value)) found.add(value)
      }
    }
    if ('url' in node && isUnsafeAddress(node.url)) found.add(node.url)
    if ('children' in node) for (const child of node.children) visit(child)
  }
}
