import { isPlainObject, sameJson } from '../content/plain-object.ts'
import type { Props } from '../content/page.ts'
import {
  builtName,
  codeAdded,
  codeRefused,
  forbiddenChange,
  templateCode,
  textsIn,
  usualDelimiters,
} from './code.ts'
import { json } from './json.ts'
import { refusal, type Patched, type Unreadable, type Unwritable } from './outcome.ts'
import { markOf } from './ranges.ts'
import { staleReason, withLimits, type FileKind, type FileOptions } from './reading.ts'
import { toml } from './toml.ts'
import { valueOf, type Syntax } from './value-tree.ts'
import { patchValues } from './values.ts'
import { yaml } from './yaml.ts'

export const syntaxes = { json, yaml, toml } as const

/** A data file: one block `Data` with its values. Those of a list are its prop `items`. */
export function dataFile(syntax: Syntax, options: FileOptions = {}): FileKind {
  const read: FileKind['read'] = (text) => {
    const mark = markOf(text)
    const props = propsOf(syntax, text.slice(mark.length))
    if ('unreadable' in props) return props
    return { blocks: [{ type: 'Data', props: props.props, from: mark.length, to: text.length }] }
  }
  return withLimits({
    read,
    patch(text, before, after, former = new Set()) {
      const reading = read(text)
      if ('unreadable' in reading) return refusal('stale', reading.unreadable)
      const stale = staleReason(reading, before)
      if (stale) return stale
      const [was, is] = [before.blocks[0], after.blocks[0]]
      if (!was || is?.id !== was.id || after.blocks.length > 1)
        return refusal('fixed', 'A data file has one block, which is not moved, copied or removed.')
      const mark = markOf(text)
      const patched = patchProps(syntax, text.slice(mark.length), {
        before: was.props,
        after: is.props,
        place: 'data',
        options,
        former,
      })
      return 'text' in patched ? { text: mark + patched.text } : { ...patched, block: was.id }
    },
  })
}

/** The values of a text as props. A text with one value alone has no fields. */
export function propsOf(syntax: Syntax, text: string): { readonly props: Props } | Unreadable {
  const tree = syntax.parse(text)
  if ('unreadable' in tree) return tree
  const value = valueOf(tree)
  if (Array.isArray(value)) return { props: { items: value } }
  return isPlainObject(value)
    ? { props: value }
    : { unreadable: 'The file has one value, and no fields.', line: 1 }
}

/** A change of the values of a file, or of its front matter. */
export interface PropsChange {
  readonly before: Props
  readonly after: Props
  readonly place: 'data' | 'front'
  readonly options: FileOptions
  /** Texts that the file has had. */
  readonly former: ReadonlySet<string>
}

/** Returns a text in which the values are those of the new props, or the reason why they cannot be. */
export function patchProps(syntax: Syntax, text: string, change: PropsChange): Patched {
  const { before, after, options, former } = change
  if (sameJson(before, after)) return { text }
  const forbidden = refusedChange(change)
  if (forbidden) return forbidden
  const tree = syntax.parse(text)
  const isList = !('unreadable' in tree) && tree.kind === 'list'
  const isOnlyList = Array.isArray(after['items']) && Object.keys(after).length === 1
  if (isList && !isOnlyList) return refusal('fixed', 'The file is a list, which stays one.')
  const patched = patchValues(syntax, text, isList ? after['items'] : after)
  if (!('text' in patched)) return patched
  const delimiters = options.delimiters ?? usualDelimiters
  const known = [text, ...textsIn(after).filter((each) => former.has(each))].join('\n')
  const [code] = codeAdded(templateCode(known, delimiters), templateCode(patched.text, delimiters))
  return code === undefined ? patched : refusal('code', codeRefused(code))
}

function refusedChange({ before, after, place, options, former }: PropsChange): Unwritable | undefined {
  const name = builtName(before, after, place, former)
  if (name !== undefined)
    return refusal('fixed', `${name} decides how the page is built; change it in the file.`)
  const found = forbiddenChange(before, after, options.delimiters ?? usualDelimiters, former)
  return found && refusal(found.rule, found.because)
}
