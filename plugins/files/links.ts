/** Addresses that texts name: the prop `links` has those of lines that follow each other. */
import { withoutGeneratedItemIds } from '../content/items.ts'
import { isPlainObject, sameJson } from '../content/plain-object.ts'
import { arranged, type Part } from './arrange.ts'
import { spanOf, type MarkdownNode, type NodeOf } from './markdown.ts'
import { matched } from './match.ts'
import type { NodeForm, Source } from './node-form.ts'
import { sliceOf, startOfLine } from './ranges.ts'

interface NamedLink {
  readonly label: string
  readonly href: string
  readonly title: string
}

export const addressText = (address: string): string =>
  /[\s()<>]|^$/.test(address) ? `<${address}>` : address
export const titleText = (title: string): string => `"${title.replaceAll(/[\\"&]/g, String.raw`\$&`)}"`

type Definition = NodeOf<'definition'>

export const areDefinitions = (nodes: readonly MarkdownNode[]): nodes is readonly Definition[] =>
  nodes.every(({ type }) => type === 'definition')

/** Returns the form of definitions of links. One that is changed keeps the rest of its line. */
export function linksNode(nodes: readonly Definition[], source: Source): NodeForm {
  const { text, end } = source
  const spans = nodes.map(spanOf)
  const links = nodes.map(({ label, identifier, url, title }): NamedLink => {
    return { label: label ?? identifier, href: url, title: title ?? '' }
  })
  return {
    type: 'Links',
    props: { links },
    write({ links: rows }) {
      const wanted = linksIn(rows)
      if (!wanted || wanted.length === 0) return undefined
      const parts = matched(links, wanted).map((at, n): Part => {
        const [was, is, span] = [links[at ?? -1], wanted[n], spans[at ?? -1]]
        if (!is) return { text: '' }
        return was && span ? { at, text: changed(sliceOf(text, span), was, is) } : { text: lineOf(is) }
      })
      const first = spans[0]?.from ?? source.from
      const lead = text.slice(startOfLine(text, first), first)
      const written = arranged(text, spans, parts, { usual: end + lead, join: (_, after) => after })
      return text.slice(source.from, first) + written + text.slice(spans.at(-1)?.to ?? source.to, source.to)
    },
  }
}

function changed(raw: string, was: NamedLink, is: NamedLink): string {
  if (sameJson(was, is)) return raw
  const [, lead = '', address = '', rest = ''] =
    /^(\[(?:[^\]\\]|\\[^])*\]:\s*)(<(?:[^>\\]|\\[^])*>|\S+)([^]*)$/.exec(raw) ?? []
  if (lead === '' || was.label !== is.label) return lineOf(is)
  const href = was.href === is.href ? address : addressText(is.href)
  return lead + href + (was.title === is.title ? rest : titleOf(is))
}

const titleOf = ({ title }: NamedLink): string => (title === '' ? '' : ` ${titleText(title)}`)
const lineOf = (link: NamedLink): string => `[${link.label}]: ${addressText(link.href)}${titleOf(link)}`

function linksIn(rows: unknown): readonly NamedLink[] | undefined {
  const plain = withoutGeneratedItemIds(rows)
  if (!Array.isArray(plain)) return undefined
  const links = plain.flatMap((row): readonly NamedLink[] => {
    if (!isPlainObject(row)) return []
    const { label, href, title = '', ...others } = row
    const isLink = typeof label === 'string' && typeof href === 'string' && typeof title === 'string'
    return isLink && Object.keys(others).length === 0 ? [{ label, href, title }] : []
  })
  return links.length === plain.length ? links : undefined
}

/** Returns the text of new definitions; `undefined` for what is none. */
export const newLinks = (rows: unknown, end: string): string | undefined =>
  linksIn(rows)?.map(lineOf).join(end) || undefined
