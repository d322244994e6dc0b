/** Components in documents: elements of MDX, and containers between lines of `:::`. */
import { sameJson } from '../content/plain-object.ts'
import type { Props } from '../content/page.ts'
import type { Container } from './containers.ts'
import { contentOf, linesOf, withContent } from './lines.ts'
import { spanOf, type NodeOf } from './markdown.ts'
import { insideOf, rewritten, type NodeForm, type Source } from './node-form.ts'
import { columnOf, sliceOf, type Span, type Splice } from './ranges.ts'

type Attribute = NodeOf<'mdxJsxFlowElement'>['attributes'][number]
type NamedAttribute = Extract<Attribute, { type: 'mdxJsxAttribute' }>

/** The props that every component has besides its attributes. */
const own = new Set(['name', 'source'])

/** Returns the form of an element: its literal attributes, and its content as `source`. */
export function elementNode(node: NodeOf<'mdxJsxFlowElement'>, source: Source): NodeForm {
  const literals = node.attributes.filter(
    (each): each is NamedAttribute =>
      each.type === 'mdxJsxAttribute' &&
      !own.has(each.name) &&
      (typeof each.value === 'string' || each.value == null),
  )
  const attributes = Object.fromEntries(literals.map(({ name, value }) => [name, value ?? true]))
  const inside = insideOf(node)
  const lines = inside && partLines(source, inside)
  const props = { name: node.name ?? '', ...attributes, ...(lines ? { source: contentOf(lines) } : {}) }
  return {
    type: 'Component',
    props,
    write(wanted) {
      if (!hasNames(props, wanted)) return undefined
      const splices = literals.flatMap((each): readonly Splice[] => {
        const value = wanted[each.name]
        if (value === (each.value ?? true)) return []
        const { from, to } = spanOf(each as never)
        if (typeof value !== 'string') return []
        return [{ from, to, text: attributeText(source.text.slice(from, to), each.name, value) }]
      })
      const { source: content } = wanted
      if (lines && inside && typeof content === 'string')
        splices.push({ ...inside, text: withContent(lines, content, { end: source.end }) })
      return rewritten(source, splices)
    },
  }
}

/** A component has the attributes that it has; others are added in the file. */
const hasNames = (props: Props, wanted: Props): boolean =>
  sameJson(Object.keys(props).toSorted(), Object.keys(wanted).toSorted()) && props['name'] === wanted['name']

const partLines = ({ text }: Source, part: Span) => linesOf(sliceOf(text, part), columnOf(text, part.from))

function attributeText(before: string, name: string, value: string): string {
  const quote = /=\s*'/.test(before) ? "'" : '"'
  const escaped = value
    .replaceAll(/&(?=[\w#]+;)/g, '&amp;')
    .replaceAll(quote, quote === '"' ? '&quot;' : '&apos;')
  const lead = before.includes('=') ? before.slice(0, before.indexOf(quote)) : `${name}=`
  return `${lead}${quote}${escaped}${quote}`
}

/** Returns the form of a container: its name, what follows it as `label`, and its content as `source`. */
export function containerNode({ name, label, inside }: Container, source: Source): NodeForm {
  const { text, end } = source
  const content = sliceOf(text, inside).replace(/\r?\n$/, '')
  const lines = linesOf(content)
  const shownLabel = sliceOf(text, label).trim()
  const props = { name, label: shownLabel, source: contentOf(lines) }
  return {
    type: 'Component',
    props,
    write(wanted) {
      const { label: words, source: value } = wanted
      if (!hasNames(props, wanted) || typeof words !== 'string' || typeof value !== 'string') return undefined
      const isEmpty = inside.from === inside.to
      const before = shownLabel === '' ? ' ' : (/^\s*/.exec(sliceOf(text, label))?.[0] ?? '')
      return rewritten(source, [
        ...(words === shownLabel ? [] : [{ ...label, text: words === '' ? '' : before + words }]),
        {
          from: inside.from,
          to: inside.from + content.length,
          text: withContent(lines, value, { end }) + (isEmpty && value !== '' ? end : ''),
        },
      ])
    },
  }
}
