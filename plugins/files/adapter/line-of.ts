/** In which line of its file a value is. */
import type { Block } from '../../content/page.ts'
import { isPlainObject, stepsOf } from '../../content/plain-object.ts'
import { lineAt } from '../ranges.ts'
import { pinned, type FileContent } from '../reading.ts'
import { textNow } from './block-reads.ts'
import { isReadable } from './read-files.ts'
import type { LastRead } from './refusal-of.ts'

/** A text of a page: the path of its value, and how far into that it begins. */
export interface TextInFile {
  readonly slug: string
  /** The id of the page for its title and description. */
  readonly blockId: string
  readonly path: string
  readonly at?: number | undefined
}

/**
 * Returns the line of a text in its file as it was read last, from 1; `undefined` if the file has changed since, or does not
 * have it. A value among others is where a change of it would be written; else its node counts.
 */
export function lineOf({ slug, blockId, path, at = 0 }: TextInFile, last: LastRead): number | undefined {
  const file = last.index.bySlug.get(slug)
  if (!file || !isReadable(file)) return undefined
  const text = textNow(last.root, file)
  const reading = text === undefined ? undefined : file.form.file.read(text)
  if (text === undefined || !reading || 'unreadable' in reading) return undefined
  const { content } = file
  const n = content.blocks.findIndex(({ id }) => id === blockId)
  const [block, read] = [content.blocks[n], reading.blocks[n]]
  if (block && read && !pinned.has(block.type)) {
    const [, row] = /^rows\[(\d+)\]/.exec(path) ?? []
    const value = block.props[path]
    // The delimiter line below the header of a table is not a row.
    const below = row === undefined ? linesIn(value, at) : Number(row) + (row === '0' ? 0 : 1)
    return lineAt(text, read.from) + below
  }
  const changed = block ? withMark(content, block, path) : pageWithMark(content, path)
  const patched = changed && file.form.file.patch(text, content, changed)
  if (patched && 'text' in patched) return lineAt(text, firstDifference(text, patched.text))
  return read && lineAt(text, read.from)
}

const linesIn = (value: unknown, at: number): number =>
  typeof value === 'string' ? value.slice(0, at).split('\n').length - 1 : 0

function firstDifference(one: string, other: string): number {
  let at = 0
  while (at < one.length && one[at] === other[at]) at += 1
  return at
}

const mark = 'x'

const pageWithMark = (content: FileContent, path: string): FileContent =>
  path === 'title'
    ? { ...content, title: mark + (content.title ?? '') }
    : { ...content, description: mark + (content.description ?? '') }

function withMark(content: FileContent, block: Block, path: string): FileContent | undefined {
  const props = marked(block.props, stepsOf(path))
  if (!isPlainObject(props)) return undefined
  return { ...content, blocks: content.blocks.map((each) => (each === block ? { ...block, props } : each)) }
}

function marked(value: unknown, [step, ...rest]: readonly (string | number)[]): unknown {
  if (step === undefined) return typeof value === 'string' ? mark + value : undefined
  const inner: unknown = Object(value)[step]
  const changed = inner === undefined ? undefined : marked(inner, rest)
  if (changed === undefined) return undefined
  if (Array.isArray(value)) return value.with(Number(step), changed)
  return isPlainObject(value) ? { ...value, [step]: changed } : undefined
}
