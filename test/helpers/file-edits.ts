/** Edits of files by their blocks, as a draft makes them. */
import type { FileContent, FileKind, Patched, ReadBlock, Reading } from '../../plugins/files/port.ts'

export type FileBlock = FileContent['blocks'][number]
type Values = Record<string, unknown>

/** A block whose props a test may change. */
export type OpenBlock = { id: string; type: string; props: Values }

/** Returns what a text is read as; throws if it is unreadable. */
export function readingOf(kind: FileKind, text: string): Reading {
  const read = kind.read(text)
  if ('unreadable' in read) throw new Error(`line ${read.line}: ${read.unreadable}`)
  return read
}

/** Returns the content of a text as a draft has it, with ids by position. */
export function contentOf({ title, description, blocks }: Reading): FileContent {
  return {
    title,
    description,
    blocks: blocks.map(({ type, props }: ReadBlock, n) => ({ id: `b${n}`, type, props })),
  }
}

/** Patches a text by a change of a copy of its blocks, or with others. */
export function patchBlocks(
  kind: FileKind,
  text: string,
  change: (blocks: OpenBlock[]) => readonly FileBlock[] | void,
): Patched {
  const before = contentOf(readingOf(kind, text))
  const blocks = structuredClone(before.blocks) as unknown as OpenBlock[]
  const after = change(blocks) ?? blocks
  return kind.patch(text, before, { ...before, blocks: after })
}

/** Returns what differs between two texts, as `what was => what is`, or the refusal. */
export function difference(text: string, patched: Patched): string {
  if (!('text' in patched)) return `${patched.rule}: ${patched.refused}`
  const { start, end } = sharedEnds(text, patched.text)
  const [was, is] = [text, patched.text].map((each) => each.slice(start, each.length - end))
  return `${was} => ${is}`
}

/** How many characters two texts share at their starts, and of the rest at their ends. */
export function sharedEnds(a: string, b: string) {
  const shorter = Math.min(a.length, b.length)
  let start = 0
  while (start < shorter && a[start] === b[start]) start += 1
  let end = 0
  while (end < shorter - start && a.at(-1 - end) === b.at(-1 - end)) end += 1
  return { start, end }
}
