import { isPlainObject } from '../content/plain-object.ts'
import type { Props } from '../content/page.ts'
import { patchProps } from './data.ts'
import { refusal, type Patched, type Unreadable } from './outcome.ts'
import { lineAt, markOf, sliceOf, type Span } from './ranges.ts'
import type { FileContent, FileOptions, ReadBlock, Reading } from './reading.ts'
import { toml } from './toml.ts'
import { valueOf, type Syntax } from './value-tree.ts'
import { yaml } from './yaml.ts'

/** The front matter of a document; its span is what is between the fences. */
export interface FrontMatter extends Span {
  readonly syntax: Syntax
  readonly props: Props
}

interface Fence {
  readonly open: RegExp
  readonly close: RegExp
  readonly syntax: Syntax
}

const fences: readonly Fence[] = [
  { open: /^\uFEFF?---[ \t]*\r?\n/, close: /^---[ \t]*$/m, syntax: yaml },
  { open: /^\uFEFF?\+\+\+[ \t]*\r?\n/, close: /^\+\+\+[ \t]*$/m, syntax: toml },
]

/** Where a document begins behind its front matter, which is absent if it has none. */
export interface Parts {
  readonly front?: FrontMatter
  readonly bodyFrom: number
}

/**
 * Finds the front matter of a document: YAML between lines of `---`, or TOML between lines of `+++`.
 *
 * A text between two such lines that is not an object, as between two rulers, is part of the document.
 */
export function partsOf(text: string): Parts | Unreadable {
  for (const { open, close, syntax } of fences) {
    const from = open.exec(text)?.[0].length
    if (from === undefined) continue
    const end = close.exec(text.slice(from))
    if (!end) continue
    const to = from + end.index
    const tree = syntax.parse(text.slice(from, to))
    if ('unreadable' in tree) return { ...tree, line: tree.line + lineAt(text, from) - 1 }
    const props = valueOf(tree)
    if (!isPlainObject(props)) continue
    const rest = text.slice(to + end[0].length)
    const lineEnd = /^\r?\n|^/.exec(rest)?.[0].length ?? 0
    return { front: { syntax, from, to, props }, bodyFrom: to + end[0].length + lineEnd }
  }
  return { bodyFrom: markOf(text).length }
}

const onPage = ['title', 'description'] as const

/** The props of the page that the front matter holds, and the block `Details` with the rest. */
export function detailsOf({
  front,
}: Parts): Pick<Reading, 'title' | 'description'> & { readonly block?: ReadBlock } {
  if (!front) return {}
  const { title, description, ...rest } = front.props
  const props = {
    ...rest,
    // What is not text is shown as it is.
    ...(title === undefined || typeof title === 'string' ? {} : { title }),
    ...(description === undefined || typeof description === 'string' ? {} : { description }),
  }
  return {
    title: typeof title === 'string' ? title : undefined,
    description: typeof description === 'string' ? description : undefined,
    block: { type: 'Details', props, from: front.from, to: front.to },
  }
}

/**
 * Returns the text between the fences with the title, the description and the details that are wanted.
 *
 * Refuses a title for a file without one, which has that of its first heading or its name, and a description
 * for a file without front matter.
 */
export function patchFrontMatter(
  text: string,
  { front }: Parts,
  {
    before,
    after,
    options,
    former,
  }: {
    readonly before: FileContent
    readonly after: FileContent
    readonly options: FileOptions
    readonly former: ReadonlySet<string>
  },
): Patched {
  const [was, is] = [detailsIn(before), detailsIn(after)]
  for (const name of onPage) {
    if (before[name] === after[name]) continue
    if (!front) return refusal('form', `The file has no front matter, which could hold a ${name}.`)
    if (name === 'title' && front.props['title'] === undefined)
      return refusal(
        'fixed',
        'The title is that of the first heading, or of the file, as the front matter has none.',
      )
  }
  if (!front) return { text: '' }
  const values = (content: FileContent, details: Props): Props => {
    const named = onPage.flatMap((name) => {
      const value = content[name]
      const isInFile = typeof front.props[name] === 'string' || before[name] !== after[name]
      return isInFile && value !== undefined ? [[name, value] as const] : []
    })
    return { ...Object.fromEntries(named), ...details }
  }
  return patchProps(front.syntax, sliceOf(text, front), {
    before: values(before, was),
    after: values(after, is),
    place: 'front',
    options,
    former,
  })
}

const detailsIn = ({ blocks }: FileContent): Props =>
  blocks.find(({ type }) => type === 'Details')?.props ?? {}
